/** The HTML document around pages, documentation and mails, with the common parts of their heads. */
import { colour, fontLinks } from './design/design.ts'
import { html, type Html, type Piece } from './html.ts'

/** `body` is the whole element. */
type DocumentParts = Readonly<{ lang: string; title: string; head?: Piece; body: Html }>

export function htmlDocument({ lang, title, head, body }: DocumentParts): Html {
  return html`<!doctype html>
    <html lang="${lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="color-scheme" content="light dark" />
        ${head}
      </head>
      ${body}
    </html> `
}

type PageParts = DocumentParts &
  Readonly<{
    /** For search engines. */
    robots: string
    /** Colours the browser's own bar on a phone, so that it continues the page. */
    barColour?: keyof typeof barColours
    /** The root of the service, as a path or relative to the page. */
    root: string
    /** URLs. */
    icon: string
    styles: readonly string[]
    modules?: readonly string[]
    /** Data for programs, after the files that the page loads. */
    data?: Piece
  }>

/** A document for browsers. Its own head comes before the links to files, so it may begin with a `<base>`. */
export function pageDocument(page: PageParts): Html {
  const { robots, barColour, root, icon, styles, modules = [] } = page
  return htmlDocument({
    ...page,
    head: html`${page.head}
      <meta name="robots" content="${robots}" />
      ${barColour !== undefined && barColours[barColour]}
      <link rel="icon" type="image/svg+xml" href="${icon}" />
      ${fontLinks(root)}${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}${modules.map((src) => html`<script src="${src}" type="module"></script>`)}${page.data}`,
  })
}

const barColours = { canvas: barColourOf('canvas'), night: barColourOf('night') }

function barColourOf(token: string): Html[] {
  return (['light', 'dark'] as const).map(
    (scheme) =>
      html`<meta
        name="theme-color"
        media="(prefers-color-scheme: ${scheme})"
        content="${colour(token, scheme)}"
      />`,
  )
}
