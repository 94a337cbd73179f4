/**
 * A guide as a page, with its own contents and the way to the next one.
 */
import { html } from '../../../platform/web/html.ts'
import type { Guide } from './guides.ts'
import type { DocsPage } from './docs-document.ts'

export function guideView(guide: Guide, all: readonly Guide[]): DocsPage {
  const next = all[all.indexOf(guide) + 1]
  return {
    title: guide.title,
    description: guide.summary,
    root: '../..',
    current: `docs/guides/${guide.name}`,
    kind: 'guide',
    body: html`<article class="prose">${guide.body}</article>
      ${next !== undefined && html`<p class="next">Next: <a href="${next.name}">${next.title}</a></p>`}`,
    sections: guide.headings.filter(({ depth }) => depth === 2),
  }
}
