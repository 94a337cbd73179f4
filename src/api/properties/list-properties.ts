/** `GET /properties` (api.md 14). */
import Type from 'typebox'
import { readFrom } from '../../platform/db/replica.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { readEndpoint } from '../../http/endpoint.ts'
import { listEtag, matchesNone } from '../../http/responses/etag.ts'
import { apiPrefix } from '../../http/routes.ts'
import {
  lastListPage,
  listQuery,
  readFilters,
  type SentListQuery,
} from '../../listings/reading/list/list-parameters.ts'
import { listListings, totalsMemory } from '../../listings/reading/list/list.ts'
import type { Sort } from '../../listings/reading/list/list-sql.ts'
import { selectedPropertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { rowWriter, shownColumns } from '../../listings/reading/shown/shown-text.ts'
import { exampleProperty } from '../examples/examples.ts'
import { notModified, pageLinkSchema, readFields, withData } from '../reads/read-response.ts'

const example = {
  data: [exampleProperty],
  meta: { page: 1, per_page: 20, total: 1, total_pages: 1 },
  links: { self: 'https://listings.example/api/v1/properties?page=1&per_page=20', next: null, prev: null },
}

const totals = totalsMemory()

export const listProperties = readEndpoint({
  method: 'GET',
  path: '/properties',
  operationId: 'listProperties',
  summary: 'List',
  description: "The agency's listings, in pages. By default the published ones, newest first.",
  tag: 'Listings',
  scope: 'properties:read',
  query: listQuery,
  responses: {
    200: {
      description: 'A page of listings.',
      schema: Type.Object({
        data: Type.Array(selectedPropertySchema),
        meta: Type.Object({
          page: Type.Integer(),
          per_page: Type.Integer(),
          total: Type.Integer(),
          total_pages: Type.Integer(),
        }),
        links: Type.Object({
          self: Type.String({ format: 'uri' }),
          next: pageLinkSchema,
          prev: pageLinkSchema,
        }),
      }),
      example,
      headers: ['ETag'],
    },
    304: notModified,
  },
  errors: [],
  isOfRevision: true,
  check({ query }, problems) {
    const filters = problems.attempt(() => readFilters(query as SentListQuery))
    const fields = readFields(query, problems)
    return filters && { filters, fields }
  },
  scopeOfWhat: 'This value of the filter status',
  scopeOf: (search) => (includesHidden(search) ? 'properties:write' : null),
  async run(input) {
    const { deps, caller } = input
    const { sort = 'recent', page = 1, per_page = 20 } = input.query
    const { filters, fields } = input.checked
    // `scopeOf` has refused this already. Checked again, so that no change there can show drafts to a read-only key.
    if (filters.status !== 'published' && !caller.seesDrafts) throw new ApiError('insufficient_scope')
    const { id, profile_version } = caller.agency
    const agency = { id, revision: caller.revision }
    // The links repeat the query as sent, so the order of its parameters counts.
    const query = JSON.stringify(input.query)
    const etagAt = (revision: number) => listEtag(id, revision, profile_version, query)
    // A list's ETag follows from the revision, so a client that has the current one gets its 304 without a read. Every read is compared
    // again, in routes.ts, with the ETag of the response, which may be of a later revision or from the cache.
    // Model cached-responses: compare etag
    const known = etagAt(agency.revision)
    if (matchesNone(input.ifNoneMatch, known)) return { status: 304, body: null, headers: { etag: known } }
    const { revision, listings, total } = await listListings(
      readFrom(deps, agency),
      totals,
      agency,
      { filters, sort: sort as Sort, page, perPage: per_page },
      shownColumns(fields),
    )
    const totalPages = Math.ceil(total / per_page)
    const write = rowWriter(caller.agency, deps.config.publicBaseUrl, fields)
    const link = (target: number) => pageLink(deps.config.publicBaseUrl, input.query, target, per_page)
    const rest = {
      meta: { page, per_page, total, total_pages: totalPages },
      links: {
        self: link(page),
        next: page < totalPages && page < lastListPage ? link(page + 1) : null,
        prev: page > 1 ? link(page - 1) : null,
      },
    }
    return {
      status: 200,
      body: undefined,
      text: withData(
        listings.map((row) => write(row)),
        rest,
      ),
      headers: { etag: etagAt(revision) },
      revision,
    }
  },
})

const hidden: ReadonlySet<string> = new Set(['draft', 'disabled', 'all'])

/** Whether the status that the query names is one that only keys with the write scope may see. Validation of the query comes later. */
function includesHidden(search: string): boolean {
  // A shortcut: most queries have no status. Any letter of the name may be percent-encoded.
  if (!search.includes('status') && !search.includes('%')) return false
  const [status = '', ...others] = new URLSearchParams(search).getAll('status')
  return others.length === 0 && hidden.has(status)
}

function pageLink(baseUrl: string, sent: SentListQuery, page: number, perPage: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(sent)) {
    if (name !== 'page' && name !== 'per_page')
      parameters.set(name, typeof value === 'number' ? decimal(value) : value)
  }
  parameters.set('page', String(page))
  parameters.set('per_page', String(perPage))
  return `${baseUrl}${apiPrefix}/properties?${parameters}`
}

/** The number in the notation that the API accepts. `String` uses an exponent below a millionth. */
function decimal(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(15).replace(/0+$/, '') : text
}
