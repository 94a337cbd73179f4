/**
 * The frame of every public page: head with canonical URL, languages and previews; header, content, footer. Nothing inline, nothing
 * from another origin.
 */
import { colour, fontLinks } from '../../platform/web/design.ts'
import { html, type Html, type Piece, raw } from '../../platform/web/html.ts'
import { accentPath } from './accent.ts'
import { mapScript } from '../../platform/web/map.ts'
import type { Preview } from './preview.ts'
import type { Edition } from './site.ts'

/** Of the browser's own bar on a phone, which goes on from the page. */
const barColours = (['light', 'dark'] as const).map(
  (scheme) =>
    html`<meta
      name="theme-color"
      media="(prefers-color-scheme: ${scheme})"
      content="${colour('canvas', scheme)}"
    />`,
)

type PageParts = Readonly<{
  title: string
  /** For search results and previews. Pages that say why there is nothing have none. */
  description?: string
  /** The Spanish path, with the query as far as it names the page: where the other language is found. */
  path: string
  /** False where search engines should follow the links but keep no copy: searches, errors. */
  indexed?: boolean
  /** A page of a test environment, which says so and which no search engine may keep. */
  isTest?: boolean
  image?: Preview | null
  /** Shown on top, with the way back. */
  brand: Readonly<{ name: string; path: string }> | null
  /** In place of the brand, on the page that it would lead to. */
  heading?: Html
  data?: readonly object[]
  /** The colour that the agency chose for its pages. */
  accent?: string | null
  /** Above the service's own foot. */
  foot?: Piece
  /** What relative URLs begin with: it makes a page of many photos a sixth smaller. All other URLs begin with a slash. */
  base?: string
  /** Names of assets. */
  scripts?: readonly string[]
  /** Stylesheets of this page alone. */
  styles?: readonly string[]
  /** Whether it shows a place on a map. */
  hasMap?: boolean
  body: Html
}>

export function layout(edition: Edition, page: PageParts): Html {
  const { site, words, path } = edition
  const { serviceName } = site.deps.config
  const file = (name: string) => site.basePath + site.assets.path(name)
  const home = page.brand ?? { name: serviceName, path: '/' }
  // With another base, a fragment alone would lead elsewhere.
  const skipTo = page.base === undefined ? '' : path(page.path)
  const scriptsOf = ({ scripts = [], hasMap = false }: PageParts) => [
    ...scripts.map(file),
    ...(hasMap ? [mapScript(site.basePath)] : []),
  ]
  const brand = html`<span class="mark" aria-hidden="true"></span><span dir="auto">${home.name}</span>`
  const isTest = page.isTest === true
  const isHidden = page.indexed === false || isTest
  return html`<!doctype html>
    <html lang="${words.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${page.base !== undefined && html`<base href="${page.base}" />`}
        <title>${page.title}</title>
        ${isHidden ? html`<meta name="robots" content="${isTest ? 'noindex, nofollow' : 'noindex, follow'}" />` : addresses(edition, page.path)}${page.description !== undefined && preview(edition, page, page.description)}
        <meta name="color-scheme" content="light dark" />
        ${barColours}
        <link rel="icon" type="image/svg+xml" href="${file('icon.svg')}" />
        ${fontLinks(site.basePath)}
        <link rel="stylesheet" href="${file('style.css')}" />
        ${page.styles?.map((name) => html`<link rel="stylesheet" href="${file(name)}" />`)}
        ${page.accent != null && html`<link rel="stylesheet" href="${site.basePath}${accentPath(page.accent)}" />`}
        ${scriptsOf(page).map((path) => html`<script src="${path}" type="module"></script>`)}${page.data?.map(dataBlock)}
      </head>
      <body>
        <a class="skip" href="${skipTo}#content">${words.skipToContent}</a>
        <header class="top">
          <div class="wide">
            ${page.heading ?? html`<a class="brand" href="${path(home.path)}">${brand}</a>`}
            ${languageSwitch(edition, page.path)}
          </div>
        </header>
        ${isTest && html`<aside class="test-place"><p class="wide">${words.testPlace}</p></aside>`}
        <main id="content">${page.body}</main>
        <footer class="foot">
          ${page.foot != null && html`<div class="wide">${page.foot}</div>`}
          <div class="wide">
            <span>${serviceName}</span>
            <a href="${path('/terms')}">${words.terms}</a>
          </div>
        </footer>
      </body>
    </html> `
}

/** That results may show its photo large; the page's one URL, and that in each language. A page that engines should not keep has none: the two would contradict each other. */
function addresses({ site, url }: Edition, path: string): Html {
  const { editions, deps } = site
  return html`<meta name="robots" content="max-image-preview:large" />
    <link rel="canonical" href="${url(path)}" />
    ${editions.map((one) => html`<link rel="alternate" hreflang="${one.language}" href="${one.url(path)}" />`)}<link
      rel="alternate"
      hreflang="x-default"
      href="${deps.config.publicBaseUrl}${path}"
    /> `
}

/** What search results and previews show. */
function preview({ site, language, words, url }: Edition, page: PageParts, description: string): Html {
  const { title, image, path } = page
  const { editions, deps } = site
  const others = editions.filter((other) => other.language !== language)
  return html`<meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${page.brand?.name ?? deps.config.serviceName}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url(path)}" />
    <meta property="og:locale" content="${words.openGraphLocale}" />
    ${others.map((one) => html`<meta property="og:locale:alternate" content="${one.words.openGraphLocale}" />`)}${
      image != null &&
      html`<meta property="og:image" content="${image.url}" />
        <meta property="og:image:type" content="image/jpeg" />
        <meta property="og:image:width" content="${image.width}" />
        <meta property="og:image:height" content="${image.height}" />
        <meta property="og:image:alt" content="${image.alt}" />
        <meta name="twitter:card" content="summary_large_image" /> `
    }`
}

function languageSwitch({ site, language }: Edition, page: string): Piece {
  return site.editions
    .filter((other) => other.language !== language)
    .map(
      ({ language: other, words, path }) =>
        html`<a class="language" lang="${words.locale}" hreflang="${other}" href="${path(page)}"
          >${words.languageName}</a
        >`,
    )
}

/** JSON inside HTML: no `<` may stand in it, whatever the agency wrote. */
function dataBlock(data: object): Html {
  const json = JSON.stringify(data)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
  return html`<script type="application/ld+json">
    ${raw(json)}
  </script>`
}
