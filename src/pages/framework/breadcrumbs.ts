/** The path to a page as a line of links. On public pages, `breadcrumbData` gives search engines the same. */
import { html, type Html } from '../../platform/web/html.ts'

export type Crumb = readonly [name: string, path: string]

/** @param current the name of the page itself, where the line ends with it */
export function breadcrumbs(
  label: string,
  crumbs: readonly Crumb[],
  urlOf: (path: string) => string,
  current?: string,
): Html {
  return html`<nav class="crumbs" aria-label="${label}">
    <ol>
      ${crumbs.map(([name, path]) => html`<li><a href="${urlOf(path)}" dir="auto">${name}</a></li> `)}
      ${current !== undefined && html`<li aria-current="page"><span dir="auto">${current}</span></li> `}
    </ol>
  </nav> `
}
