/**
 * The path from the agency to a page as a line of links, the same as in `breadcrumbData` for search engines.
 */
import { html, type Html } from '../../platform/web/html.ts'
import type { Edition } from './site.ts'

/** @property path the Spanish path, with its query */
export type Crumb = Readonly<{ name: string; path: string }>

/** The last crumb is the page itself. */
export function breadcrumbs({ words, path }: Edition, crumbs: readonly Crumb[]): Html {
  return html`<nav class="crumbs" aria-label="${words.breadcrumbs}">
    <ol>
      ${crumbs.map((crumb, place) =>
        place === crumbs.length - 1
          ? html`<li aria-current="page"><span dir="auto">${crumb.name}</span></li> `
          : html`<li><a href="${path(crumb.path)}" dir="auto">${crumb.name}</a></li> `,
      )}
    </ol>
  </nav> `
}
