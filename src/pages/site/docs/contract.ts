/** The page /docs/contract: docs/api.md, the whole contract in numbered clauses, with the service's own name. */
import { readFileSync } from 'node:fs'
import { exampleService, localizeText } from '../../../http/openapi/document.ts'
import { html } from '../../../platform/web/html.ts'
import type { DocsPage } from './docs-document.ts'
import { anchorOf, markdown } from './markdown.ts'

const file = new URL('../../../../docs/api.md', import.meta.url)

/** The contract in Markdown for this service, without the comments that mark generated tables. */
export function readContract(service: typeof exampleService): string {
  return localizeText(readFileSync(file, 'utf8').replaceAll(/^<!-- .* -->\n\n?/gm, ''), service)
}

export function contractView(text: string): DocsPage {
  const { body, headings } = markdown(withLinks(text), { linkOf: linkOfContract })
  return {
    title: 'The contract',
    description: 'Everything that the API promises, in numbered clauses.',
    current: 'docs/contract',
    kind: 'guide',
    body: html`<article class="prose">${body}</article>`,
    sections: headings.filter(({ depth }) => depth === 2),
  }
}

/** Links to the documents that are served; null for others. */
function linkOfContract(target: string): string | null {
  if (target === '../openapi.json') return '../api/v1/openapi.json'
  if (target.startsWith('guides/')) return target.replace('.md', '')
  return target.startsWith('#') ? target : null
}

/** Code, links and headings, which stay unchanged, or the number of a clause. */
const citation =
  /(^(`{3,})[^]*?\n\2|`[^`]+`|\[[^\]]*\]\([^)]*\)|^#.*)|(?<![\w./]|OpenAPI )(\d+\.\d+)(?!\w|\.\d)/gm

/** The text with its references to clauses as links: `7.3` → `[7.3](#73-what-is-kept)`. */
export function withLinks(text: string): string {
  const clauses = new Map(
    [...text.matchAll(/^### ((\d+\.\d+) .+)$/gm)].map(([, title = '', number = '']) => [
      number,
      anchorOf(title.replaceAll('`', '')),
    ]),
  )
  return text.replaceAll(citation, (all, _kept, _ticks, number: string | undefined) => {
    const anchor = number === undefined ? undefined : clauses.get(number)
    return anchor === undefined ? all : `[${all}](#${anchor})`
  })
}
