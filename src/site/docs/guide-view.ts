/**
 * A guide as a page, with its own contents and the way to the next one.
 */
import { html } from '../../web/html.ts'
import type { Guide } from './guides.ts'
import type { DocsPage } from './layout.ts'

export function guideView(guide: Guide, all: readonly Guide[]): DocsPage {
  const next = all[all.indexOf(guide) + 1]
  const sections = guide.headings.filter(({ depth }) => depth === 2)
  return {
    title: guide.title,
    description: guide.summary,
    root: '../..',
    current: `docs/guides/${guide.name}`,
    kind: 'guide',
    body: html`<article class="prose">${guide.body}</article>
      ${
        sections.length > 2 &&
        html`<nav class="onpage" aria-label="On this page">
          <p>On this page</p>
          <ul>
            ${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
          </ul>
        </nav>`
      }${next !== undefined && html`<p class="next">Next: <a href="${next.name}">${next.title}</a></p>`}`,
  }
}
