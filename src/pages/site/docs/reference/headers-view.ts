/** The headers of responses, explained once in a section to which each response links. */
import { html, type Html, joined } from '../../../../platform/web/html.ts'
import {
  followed,
  type Header,
  type OpenApiDocument,
  routesOf,
  type ResponseObject,
} from './openapi-document.ts'
import { fieldView } from './schema-view.ts'

/** Above this number, a header's statuses are not listed. */
const fewStatuses = 4

export function headersView(document: OpenApiDocument): Html {
  const everywhere = headersOfAll(document)
  const found = new Map<string, [Header, Set<string>]>()
  for (const [status, { headers = {} }] of responsesOf(document))
    for (const [name, header] of Object.entries(headers)) {
      const statuses = found.get(name)?.[1] ?? new Set()
      found.set(name, [followed(document, header), statuses.add(status)])
    }
  return html`<section id="headers" class="rules">
    <h2>Response headers</h2>
    <ul class="fields" aria-label="Response headers">
      ${[...found].map(([name, [header, statuses]]) => {
        const some = statuses.size <= fewStatuses ? ` With ${[...statuses].toSorted().join(', ')}.` : ''
        const where = everywhere.has(name) ? ' On every response.' : some
        const description = `${header.description ?? ''}${where}`
        return fieldView(name, { ...header.schema, description }, false, `header-${name}`)
      })}
    </ul>
  </section>`
}

/** The headers of one response, without those of every response. */
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

function headersOfAll(document: OpenApiDocument): ReadonlySet<string> {
  const lists = responsesOf(document).map(([, { headers = {} }]) => Object.keys(headers))
  return new Set(lists.reduce((common, names) => common.filter((name) => names.includes(name))))
}
