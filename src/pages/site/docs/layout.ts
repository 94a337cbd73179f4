/**
 * The frame of the documentation: the header with key, language and theme, contents at the side, and the text. In English, as the
 * API's own messages are. Links are relative, so it works behind a proxy that adds a path.
 */
import type { Assets } from '../../../platform/web/assets.ts'
import { fontLinks } from '../../../platform/web/design.ts'
import { html, type Html } from '../../../platform/web/html.ts'

/** A part of the contents. */
export type Chapter = {
  title: string
  links: readonly { href: string; text: string; method?: string }[]
}

export type DocsPage = {
  title: string
  description: string
  /** The way to the root of the service: `.` at `/docs`, `../../..` at `/docs/guides/photos`. */
  root: string
  /** The link of the contents that is this page, or null. */
  current: string | null
  body: Html
  /** Its parts, for a table of contents: at the side, or below the page's own link where there is no room. */
  sections?: readonly { id: string; text: string }[]
  /** For styles that a kind of page has of its own. */
  kind: 'guide' | 'reference'
}

export type DocsFrame = {
  serviceName: string
  assets: Assets
  /** With links from the root of the service. */
  contents: readonly Chapter[]
}

export function docsLayout({ serviceName, assets, contents }: DocsFrame, page: DocsPage): Html {
  const file = (name: string) => page.root + assets.path(name)
  const link = (href: string) => `${page.root}/${href}`
  const sections = page.sections?.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · ${serviceName}</title>
        <meta name="description" content="${page.description}" />
        <meta name="robots" content="noindex, follow" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="${file('icon.svg')}" />
        ${fontLinks(page.root)}
        <link rel="stylesheet" href="${file('docs.css')}" />
        <script src="${file('docs.js')}"></script>
      </head>
      <body class="${page.kind}" data-root="${page.root}" data-search="${link('docs/search.json')}">
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
      </body>
    </html> `
}
