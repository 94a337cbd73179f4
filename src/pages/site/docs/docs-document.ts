/** The document of the documentation's pages, in English like the API's messages. Relative links work behind a proxy that adds a path. */
import type { Assets } from '../../../platform/web/assets.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { pageDocument } from '../../../platform/web/html-document.ts'

/** A group of links in the contents. */
export type Chapter = {
  title: string
  links: readonly { href: string; text: string; method?: string }[]
}

export type DocsPage = {
  title: string
  description: string
  /** Its href in the contents, such as `docs/guides/photos`. */
  current: string
  body: Html
  /** Its sections, listed at the side or, on narrow screens, below the page's own link. */
  sections?: readonly { id: string; text: string }[]
  /** A class for the styles of one kind of page. */
  kind: 'guide' | 'reference'
}

type DocsFrame = {
  serviceName: string
  assets: Assets
  /** Their links start at the root of the service. */
  contents: readonly Chapter[]
}

export function docsDocument({ serviceName, assets, contents }: DocsFrame, page: DocsPage): Html {
  // From this page: `.` at `/docs`, `../..` at `/docs/guides/photos`.
  const root = ['.', '..', '../..'][page.current.split('/').length - 1] ?? '.'
  const file = (name: string) => root + assets.path(name)
  const link = (href: string) => `${root}/${href}`
  const sections = page.sections?.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)
  return pageDocument({
    lang: 'en',
    title: `${page.title} · ${serviceName}`,
    head: html`<meta name="description" content="${page.description}" />`,
    robots: 'noindex, follow',
    root,
    icon: file('icon.svg'),
    styles: [file('docs.css')],
    modules: [file('docs.js')],
    // Not a module, so that it sets the theme before the page is drawn.
    data: html`<script src="${file('docs-choices.js')}"></script>`,
    body: html`<body class="${page.kind}" data-root="${root}" data-search="${link('docs/search.json')}">
      <a class="skip" href="#content">Skip to the content</a>
      <header class="top">
        <a class="brand" href="${link('docs')}">${serviceName} <span>docs</span></a>
        <div class="search" role="search" hidden>
          <label class="visually-hidden" for="search">Search the documentation</label>
          <input
            id="search"
            type="search"
            placeholder="Search"
            autocomplete="off"
            spellcheck="false"
            aria-controls="found"
          />
          <div id="found" aria-live="polite" hidden></div>
        </div>
        <button class="theme" type="button" hidden>Dark</button>
      </header>
      <div class="frame">
        <details class="menu">
          <summary>Contents <span class="where"></span></summary>
          <nav aria-label="Contents">
            ${contents.map(
              ({ title, links }) =>
                html`<h2>${title}</h2>
                  <ul>
                    ${links.map(
                      ({ href, text, method }) =>
                        html`<li>
                          <a href="${link(href)}" ${href === page.current && html`aria-current="page"`}
                            >${method !== undefined && html`<span class="method ${method.toLowerCase()}">${method}</span> `}${text}</a
                          >${
                            href === page.current &&
                            sections !== undefined &&
                            html`<ul class="sections">
                              ${sections}
                            </ul>`
                          }
                        </li>`,
                    )}
                  </ul>`,
            )}
          </nav>
        </details>
        <main id="content">
          ${page.body}${
            sections !== undefined &&
            html`<nav class="onpage" aria-label="On this page">
              <p>On this page</p>
              <ul>
                ${sections}
              </ul>
            </nav>`
          }
        </main>
      </div>
    </body>`,
  })
}
