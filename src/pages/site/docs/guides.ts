/** Renders the guides from the Markdown in docs/guides. `<!-- include examples/python/sign.py -->` becomes that file as a block of code. */
import { readFileSync } from 'node:fs'
import { html } from '../../../platform/web/html.ts'
import { exampleService, localizeText } from '../../../http/openapi/document.ts'
import type { DocsPage } from './docs-document.ts'
import { markdown } from './markdown.ts'

const root = new URL('../../../../', import.meta.url)

/** In the order of the contents. */
export const guideNames = [
  'first-call',
  'trying',
  'first-load',
  'nightly-sync',
  'photos',
  'website',
  'portal-feed',
  'errors-and-retries',
  'limits',
  'signing',
] as const

/** `summary` is its first paragraph, `text` its Markdown. `name` is part of its path: `/docs/guides/photos`. */
export type Guide = ReturnType<typeof guideOf>

/** @throws Error for a missing guide, or an include of a missing file */
export function readGuides(service: typeof exampleService): Guide[] {
  return guideNames.map((name) => {
    const source = readFileSync(new URL(`docs/guides/${name}.md`, root), 'utf8')
    return guideOf(name, localizeText(withIncludes(source), service), service.baseUrl)
  })
}

function guideOf(name: string, text: string, baseUrl: string) {
  const { body, headings } = markdown(text, { linkOf: (target) => linkOfGuide(target, baseUrl) })
  const [, title = name] = /^# (.+)$/m.exec(text) ?? []
  const [, summary = ''] = /^# .+\n+([^#\n][^\n]*(?:\n[^\n]+)*)/m.exec(text) ?? []
  return { name, title, summary: summary.replaceAll('\n', ' '), body, headings, text }
}

/** `signing.md` → `signing`. URLs of the service become relative, so that they also work behind a proxy that adds a path. */
function linkOfGuide(target: string, baseUrl: string): string {
  if (target.startsWith(`${baseUrl}/`)) return `../..${target.slice(baseUrl.length)}`
  return target.replace(/^([a-z-]+)\.md(?=#|$)/, '$1')
}

const include = /^<!-- include (examples\/[\w./-]+) -->$/gm
const languages: Readonly<Record<string, string>> = { py: 'python', sh: 'bash' }

/** The text with each include replaced by its file, as a block of code. @throws Error for a missing file */
export function withIncludes(text: string): string {
  return text.replaceAll(include, (_line, path: string) => {
    const extension = path.slice(path.lastIndexOf('.') + 1)
    const code = asServed(readFileSync(new URL(path, root), 'utf8').trimEnd())
    return `\`\`\`\`${languages[extension] ?? extension} ${path.slice('examples/'.length)}\n${code}\n\`\`\`\``
  })
}

/** A program with this service's URL instead of a local one, and the URL of the contract instead of its file. */
function asServed(code: string): string {
  return code
    .replaceAll('http://127.0.0.1:3000', exampleService.baseUrl)
    .replaceAll('docs/api.md', '/docs/contract')
}

/** The guide as a page, with its own contents and a link to the next guide. */
export function guideView(guide: Guide, all: readonly Guide[]): DocsPage {
  const next = all[all.indexOf(guide) + 1]
  return {
    title: guide.title,
    description: guide.summary,
    current: `docs/guides/${guide.name}`,
    kind: 'guide',
    body: html`<article class="prose">${guide.body}</article>
      ${next !== undefined && html`<p class="next">Next: <a href="${next.name}">${next.title}</a></p>`}`,
    sections: guide.headings.filter(({ depth }) => depth === 2),
  }
}
