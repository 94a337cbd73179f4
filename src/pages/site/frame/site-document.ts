/** The document of public pages: canonical URL, languages, link preview, header, content, footer. It loads nothing from elsewhere. */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { accentPath } from '../../../platform/web/design/accent.ts'
import { html, type Html, type Piece, raw } from '../../../platform/web/html.ts'
import { pageDocument } from '../../../platform/web/html-document.ts'
import { mapScript } from '../../../platform/web/map/map.ts'
import type { Preview } from '../listing/preview.ts'
import { agencyPath, type Edition } from './site.ts'

type PageParts = Readonly<{
  title: string
  /** For search results and link previews. Error pages have none. */
  description?: string
  /** The Spanish path, with the parts of the query that identify the page. Links to other languages are made from it. */
  path: string
  /** False if search engines should follow the links but keep no copy: searches, errors. */
  indexed?: boolean
  image?: Preview | null
  /**
   * Its brand with the link home is on top, and the page has the colour that it chose. A page of a test environment says so, and no search
   * engine may keep it.
   */
  agency?: PublicAgency | null
  /** Replaces the brand on the page to which it would link. */
  heading?: Html
  data?: readonly object[]
  /** Above the service's own foot. */
  foot?: Piece
  /** The page's `<base>`. Relative photo URLs make a page with many photos a sixth smaller. All other URLs begin with a slash. */
  base?: string
  /** Names of assets. */
  scripts?: readonly string[]
  /** Stylesheets of this page alone. */
  styles?: readonly string[]
  /** Whether it shows a place on a map. */
  hasMap?: boolean
  body: Html
}>

export function siteDocument(edition: Edition, page: PageParts): Html {
  const { site, words, path } = edition
  const { agency = null, scripts = [], styles = [], hasMap = false } = page
  const { serviceName } = site.deps.config
  const file = (name: string) => site.basePath + site.assets.path(name)
  // With another base, a fragment alone would lead elsewhere.
  const skipTo = page.base === undefined ? '' : path(page.path)
  const home = path(agency === null ? '/' : agencyPath(agency.slug))
  const name = html`<span dir="auto">${agency?.name ?? serviceName}</span>`
  const isTest = agency?.test === true
  const isIndexed = page.indexed !== false && !isTest
  return pageDocument({
    lang: words.locale,
    title: page.title,
    head: html`${page.base !== undefined && html`<base href="${page.base}" />`}${isIndexed && languageLinks(edition, page.path)}${page.description !== undefined && linkPreview(edition, page, page.description)}`,
    // Search results may show the photo of an indexed page large.
    robots: isIndexed ? 'max-image-preview:large' : isTest ? 'noindex, nofollow' : 'noindex, follow',
    barColour: 'canvas',
    root: site.basePath,
    icon: file('icon.svg'),
    styles: [
      ...['style.css', ...styles].map(file),
      ...(agency?.accent == null ? [] : [site.basePath + accentPath(agency.accent)]),
    ],
    modules: [...scripts.map(file), ...(hasMap ? [mapScript(site.basePath)] : [])],
    data: page.data?.map(dataBlock),
    body: html`<body>
      <a class="skip" href="${skipTo}#content">${words.skipToContent}</a>
      <header class="top">
        <div class="wide">
          ${page.heading ?? html`<a class="brand" href="${home}"><span class="mark" aria-hidden="true"></span>${name}</a>`}
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
    </body>`,
  })
}

/** The page's URL in each language. Pages that search engines should not keep have none: the two would contradict each other. */
function languageLinks({ site, url }: Edition, path: string): Html {
  const { editions, deps } = site
  return html`<link rel="canonical" href="${url(path)}" />
    ${editions.map((one) => html`<link rel="alternate" hreflang="${one.language}" href="${one.url(path)}" />`)}<link
      rel="alternate"
      hreflang="x-default"
      href="${deps.config.publicBaseUrl}${path}"
    /> `
}

/** The texts and the picture of search results and shared links. */
function linkPreview({ site, language, words, url }: Edition, page: PageParts, description: string): Html {
  const { title, image, path } = page
  const { editions, deps } = site
  const others = editions.filter((other) => other.language !== language)
  return html`<meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${page.agency?.name ?? deps.config.serviceName}" />
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

/** JSON inside HTML must not contain `<`, which an agency's texts may. */
function dataBlock(data: object): Html {
  const json = JSON.stringify(data)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
  return html`<script type="application/ld+json">
    ${raw(json)}
  </script>`
}
