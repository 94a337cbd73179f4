/**
 * The headers of responses: explained once, in a section of their own, to which each response links.
 */
import { html, type Html, joined } from '../../../platform/web/html.ts'
import { followed, type Header, type OpenApiDocument, routesOf, type ResponseObject } from './document.ts'
import { fieldView } from './schema-view.ts'

/** With so many statuses a header is not of some responses in particular. */
const fewStatuses = 4

/** The section. */
export function headersView(document: OpenApiDocument): Html {
  const everywhere = headersOfAll(document)
  const statuses = statusesByHeader(document)
  return html`<section id="headers" class="rules">
    <h2>Response headers</h2>
    <ul class="fields" aria-label="Response headers">
      ${[...statuses].map(([name, [header, codes]]) => {
        const where = everywhere.has(name)
          ? ' On every response.'
          : codes.size <= fewStatuses
            ? ` With ${[...codes].toSorted().join(', ')}.`
            : ''
        const description = `${header.description ?? ''}${where}`
        return fieldView(name, { ...header.schema, description }, false, `header-${name}`)
      })}
    </ul>
  </section>`
}

/** The headers of one response, but those that every response has. */
export function headerLinks(document: OpenApiDocument, response: ResponseObject): Html | null {
  const everywhere = headersOfAll(document)
  const names = Object.keys(response.headers ?? {}).filter((name) => !everywhere.has(name))
  if (names.length === 0) return null
  const links = names.map((name) => html`<a href="#header-${name}"><code>${name}</code></a>`)
  return html`<p class="means">Headers: ${joined(links, ', ')}</p>`
}

function responsesOf(document: OpenApiDocument): [status: string, ResponseObject][] {
  return routesOf(document).flatMap(({ operation }) =>
    Object.entries(operation.responses).map(([status, response]): [string, ResponseObject] => [
      status,
      followed(document, response),
    ]),
  )
}

/** The names that no response lacks. */
function headersOfAll(document: OpenApiDocument): Set<string> {
  const [[, first] = ['', null], ...others] = responsesOf(document)
  return new Set(
    Object.keys(first?.headers ?? {}).filter((name) =>
      others.every(([, { headers = {} }]) => name in headers),
    ),
  )
}

function statusesByHeader(document: OpenApiDocument): Map<string, [Header, Set<string>]> {
  const found = new Map<string, [Header, Set<string>]>()
  for (const [status, { headers = {} }] of responsesOf(document)) {
    for (const [name, header] of Object.entries(headers)) {
      const [, codes] = found.get(name) ?? []
      found.set(name, [followed(document, header), (codes ?? new Set()).add(status)])
    }
  }
  return found
}
