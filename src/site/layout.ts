/**
 * The frame of every public page: head with canonical address, languages and previews; header, content, footer. No script inside,
 * no style inside, nothing from another origin.
 */
import { html } from './html.ts'
import { type PageLanguage, languages } from '../web/language.ts'
import { phrases } from './language.ts'
import { addressIn, pathIn, type Site } from './site.ts'

export type Page = {
  title: string
  /** For search results and previews. */
  description?: string
  /** The Spanish path, with what of the query names the page; null for pages that are not to be found, such as errors. */
  path: string | null
  /** Where the other language leads, when not to `path`: with the filters of the moment. */
  switchPath?: string
  /** False where search engines should follow the links but keep no copy. */
  indexed?: boolean
  image?: { address: string; alt: string } | null
  /** Shown on top, with the way back. */
  brand: { name: string; path: string } | null
  data?: readonly object[]
  /** What relative addresses begin with: spares a page of many photos a sixth of its size. All other addresses begin with a slash. */
  base?: string
  withGallery?: boolean
  /** Of this file's own making: HTML. */
  body: string
}

export function layout(site: Site, language: PageLanguage, page: Page): string {
  const words = phrases(language)
  const { paths } = site.assets
  const { serviceName } = site.deps.config
  const file = (path: string) => site.basePath + path
  const home = page.brand
  const name = home?.name ?? serviceName
  // With another base, a fragment alone would lead elsewhere.
  const skipTo = page.base === undefined || page.path === null ? '' : pathIn(site, language, page.path)
  const brand = html`<span class="mark" aria-hidden="true"></span><span dir="auto">${name}</span>`
  return html`<!doctype html>
    <html lang="${words.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        !${page.base === undefined ? '' : html`<base href="${page.base}" />`}
        <title>${page.title}</title>
        !${page.path === null || page.indexed === false ? '<meta name="robots" content="noindex, follow">' : ''}!${page.path === null ? '' : discovery(site, language, page, page.path)}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="${file(paths.icon)}" />
        <link rel="preload" as="font" type="font/woff2" crossorigin href="${file(paths.textFont)}" />
        <link rel="preload" as="font" type="font/woff2" crossorigin href="${file(paths.titleFont)}" />
        <link rel="stylesheet" href="${file(paths.style)}" />
        !${page.withGallery === true ? html`<script src="${file(paths.gallery)}" type="module"></script>` : ''}!${(page.data ?? []).map(dataBlock)}
      </head>
      <body>
        <a class="skip" href="${skipTo}#content">${words.skipToContent}</a>
        <header class="top">
          <div class="wide">
            <a class="brand" href="${pathIn(site, language, home?.path ?? '/')}">!${brand}</a>
            !${languageSwitch(site, language, page.switchPath ?? page.path)}
          </div>
        </header>
        <main id="content">!${page.body}</main>
        <footer class="foot">
          <div class="wide">
            <span>${serviceName}</span>
            <a href="${pathIn(site, language, '/terms')}">${words.terms}</a>
          </div>
        </footer>
      </body>
    </html> `
}

/** Canonical address, the page in each language, and what a preview shows. */
function discovery(site: Site, language: PageLanguage, page: Page, path: string): string {
  const words = phrases(language)
  const { title, description = '', image } = page
  const address = addressIn(site, language, path)
  const others = languages.filter((other) => other !== language)
  return html`<meta name="description" content="${description}" />
    <link rel="canonical" href="${address}" />
    !${languages.map((other) => html`<link rel="alternate" hreflang="${other}" href="${addressIn(site, other, path)}" />`)}<link
      rel="alternate"
      hreflang="x-default"
      href="${addressIn(site, 'es', path)}"
    />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${page.brand?.name ?? site.deps.config.serviceName}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${address}" />
    <meta property="og:locale" content="${words.openGraphLocale}" />
    !${others.map((other) => html`<meta property="og:locale:alternate" content="${phrases(other).openGraphLocale}" />`)}!${
      image == null
        ? ''
        : html`<meta property="og:image" content="${image.address}" />
            <meta property="og:image:type" content="image/webp" />
            <meta property="og:image:alt" content="${image.alt}" />
            <meta name="twitter:card" content="summary_large_image" /> `
    }`
}

function languageSwitch(site: Site, language: PageLanguage, path: string | null): string {
  if (path === null) return ''
  return languages
    .filter((other) => other !== language)
    .map((other) => {
      const { languageName, locale } = phrases(other)
      return html`<a class="language" lang="${locale}" hreflang="${other}" href="${pathIn(site, other, path)}"
        >${languageName}</a
      >`
    })
    .join('')
}

/** JSON inside HTML: no `<` may stand in it, whatever the agency wrote. */
function dataBlock(data: object): string {
  const json = JSON.stringify(data)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
  return html`<script type="application/ld+json">
    !${json}
  </script>`
}
