/** The common look of all pages, and of mails as far as possible: tokens, the dark scheme, fonts and elements without a class. */
import { readFileSync } from 'node:fs'
import { hashedName } from '../assets.ts'
import { html, type Html } from '../html.ts'

const read = (name: string) => readFileSync(new URL(`${name}.css`, import.meta.url), 'utf8')
const tokens = read('tokens')
const dark = read('dark')
const base = read('base')
const packaged = (path: string) => readFileSync(new URL(import.meta.resolve(path)))

/** The path of the fonts, below the root of the service. */
export const fontFolder = '/site'

/** Served with the public pages; the other stylesheets refer to them there, so a browser fetches them once. */
export const fonts: Readonly<Record<string, Buffer>> = {
  'figtree.woff2': packaged('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
  'fraunces.woff2': packaged('@fontsource/fraunces/files/fraunces-latin-600-normal.woff2'),
}

/** Preloads the fonts, so that no text changes its typeface after it is shown. @param root of the service, as a URL or relative */
export function fontLinks(root: string): Html {
  return html`${Object.entries(fonts).map(
    ([name, content]) =>
      html`<link
        rel="preload"
        as="font"
        type="font/woff2"
        crossorigin
        href="${root}${fontFolder}/${hashedName(name, content)}"
      />`,
  )}`
}

/**
 * The beginning of every stylesheet.
 * @param pathToFonts relative to the stylesheet, so that it works behind a proxy that adds a path
 * @param switched whether `data-theme` on the root overrides the browser's preference
 */
export function sharedStyle(pathToFonts: string, switched = false): Buffer {
  let faces = read('fonts')
  for (const [name, content] of Object.entries(fonts))
    faces = faces.replace(name, pathToFonts + hashedName(name, content))
  const preferred = switched ? dark.replace(':root', ":root:not([data-theme='light'])") : dark
  const chosen = switched ? dark.replace(':root', ":root[data-theme='dark']") : ''
  return Buffer.from(
    `${faces}${tokens}@media (prefers-color-scheme: dark) {\n${preferred}}\n${chosen}${base}`,
  )
}

/** A token's value, such as `#1f5a4c`, for places without a stylesheet: mails and the browser's own bar. */
export function colour(name: string, scheme: 'light' | 'dark' = 'light'): string {
  const value = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(scheme === 'dark' ? dark : tokens)?.[1]
  if (value === undefined) throw new Error(`There is no colour ${name}.`)
  return value
}
