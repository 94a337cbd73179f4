/** Visits public pages as a browser or crawler does, and parses their content. */
import assert from 'node:assert/strict'
import type { TestApp } from '../../support/app/app.ts'

export type Visited = { status: number; headers: Headers; text: string }

/** The page at a path, or at a URL from the API. Redirects are not followed. */
export async function visit(t: TestApp, url: string, init: RequestInit = {}): Promise<Visited> {
  const path = url.replace(/^https:\/\/listings\.test/, '')
  const response = await fetch(t.baseUrl + path, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Asserts that a page is a 200. @returns its HTML */
export async function shown(t: TestApp, url: string): Promise<string> {
  const page = await visit(t, url)
  assert.equal(page.status, 200, page.text.slice(0, 300))
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  return page.text
}

const entities: Readonly<Record<string, string>> = {
  '#34': '"',
  '#38': '&',
  '#39': "'",
  '#60': '<',
  '#61': '=',
  '#62': '>',
}

/** Decodes HTML text as a browser does. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(#\d+);/g, (whole, code: string) => entities[code] ?? whole)
}

/** Values of an attribute, in order, decoded as a browser does. */
export function attributes(page: string, name: string): string[] {
  return [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value))
}

/** A page's metadata: `og:title`, `description`. */
export function meta(page: string, name: string): string | undefined {
  const found = new RegExp(`<meta\\s+(?:property|name)="${name}"\\s+content="([^"]*)"`).exec(page)?.[1]
  return found === undefined ? undefined : unescaped(found)
}

/** The URL of a `link`, by its `rel` and, for other languages, `hreflang`. */
export function linked(page: string, rel: string, hreflang?: string): string | undefined {
  const language = hreflang === undefined ? '' : `\\s+hreflang="${hreflang}"`
  const found = new RegExp(`<link\\s+rel="${rel}"${language}\\s+href="([^"]*)"`).exec(page)?.[1]
  return found === undefined ? undefined : unescaped(found)
}

/** The data blocks of a page, parsed. */
export function dataOf(page: string): Record<string, unknown>[] {
  return [...page.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(
    ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
  )
}

/** The visible text: without markup, with entities decoded. */
export function readable(page: string): string {
  const body = page.slice(page.indexOf('<body>'))
  return unescaped(body.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')
}
