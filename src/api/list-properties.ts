/** Spec 'GET /properties'. */
import Type, { type Static } from 'typebox'
import { parseDateTime } from '../date-time.ts'
import { ApiError, invalid } from '../errors.ts'
import { readEndpoint } from '../http/endpoint.ts'
import { listEtag, matchesNone } from '../http/etag.ts'
import { apiPrefix } from '../http/routes.ts'
import { listListings, totalsMemory } from '../properties/list.ts'
import type { Filters, Sort } from '../properties/list-query.ts'
import { externalIdPattern, fieldsParameter, propertySchema } from '../properties/schema.ts'
import { fold, searchWords } from '../properties/search-text.ts'
import {
  canonicalType,
  currencies,
  operations,
  type PropertyType,
  statuses,
  types,
} from '../properties/vocabulary.ts'
import { exampleProperty } from './examples.ts'
import { readFields, shown } from './shared.ts'

const choice = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Optional(Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description }))
const search = (description: string) => Type.Optional(Type.String({ maxLength: 80, description }))
const amount = (maximum: number, description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum, description }))
const atLeast = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 50, description }))

const query = Type.Object({
  operation: choice(operations, 'Kind of operation.'),
  type: Type.Optional(
    Type.String({
      description: `Any case, with or without accents, of: ${types.join(', ')}.`,
      examples: ['Departamento'],
    }),
  ),
  city: search('Part of the city; any case, with or without accents.'),
  neighborhood: search('Part of the title, address or city.'),
  min_price: amount(1e12, 'Lowest price, inclusive; needs `currency`.'),
  max_price: amount(1e12, 'Highest price, inclusive; needs `currency`.'),
  currency: choice(currencies, 'Required with `min_price` or `max_price`.'),
  bedrooms: atLeast('Bedrooms, at least.'),
  bathrooms: atLeast('Bathrooms, at least.'),
  min_m2: amount(1e7, 'Smallest main area: covered; for lots, the land.'),
  max_m2: amount(1e7, 'Largest main area.'),
  q: search(
    'Words that must all occur in title, address or city. Letters, digits, space, dot, apostrophe, slash and hyphen count.',
  ),
  updated_since: Type.Optional(
    Type.String({
      description: 'ISO 8601, inclusive; without a zone UTC is assumed.',
      examples: ['2026-11-20T09:30:00Z'],
    }),
  ),
  status: choice([...statuses, 'all'], 'Default `published`; the others need the scope `properties:write`.'),
  external_id: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: externalIdPattern,
      description: 'Only the listing with this external id.',
    }),
  ),
  sort: choice(
    ['recent', 'price_asc', 'price_desc', 'updated'],
    'Default `recent`. Listings without an amount come last when sorted by price.',
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 1, description: 'Page, from 1.' })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Listings a page.' }),
  ),
  fields: fieldsParameter,
})

const address = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uri' })
const example = {
  data: [exampleProperty],
  meta: { page: 1, per_page: 20, total: 1, total_pages: 1 },
  links: { self: 'https://listings.example/api/v1/properties?page=1&per_page=20', next: null, prev: null },
}

const lastPage = 200
const totals = totalsMemory()

export const listProperties = readEndpoint({
  method: 'GET',
  path: '/properties',
  operationId: 'listProperties',
  summary: 'List',
  description: 'The listings of the agency, a page at a time. By default the published ones, newest first.',
  tag: 'Listings',
  scope: 'properties:read',
  query,
  responses: {
    200: {
      description: 'A page of listings.',
      schema: Type.Object({
        data: Type.Array(propertySchema),
        meta: Type.Object({
          page: Type.Integer(),
          per_page: Type.Integer(),
          total: Type.Integer(),
          total_pages: Type.Integer(),
        }),
        links: Type.Object({ self: Type.String({ format: 'uri' }), next: address, prev: address }),
      }),
      example,
      headers: ['ETag'],
    },
    304: {
      description: 'Nothing changed since the response whose ETag was sent in If-None-Match.',
      headers: ['ETag'],
    },
  },
  errors: ['invalid_parameter'],
  scopeOf: (search) => (asksForHidden(search) ? 'properties:write' : null),
  async handle(input) {
    const { deps, caller } = input
    const { sort = 'recent', page = 1, per_page = 20, fields: fieldsText } = input.query
    const filters = readFilters(input.query)
    const fields = readFields(fieldsText)
    // Judged with the key already, by the same words; a read-only key must not see these whatever else changes.
    if (filters.status !== 'published' && !caller.mayWrite) throw new ApiError('insufficient_scope')
    const canonical = JSON.stringify([
      filters,
      sort,
      page,
      per_page,
      fields === null ? null : [...fields].sort(),
      input.query,
    ])
    const etag = listEtag(caller.agency.id, caller.revision, canonical)
    if (matchesNone(input.ifNoneMatch, etag)) return { status: 304, body: null, headers: { etag } }
    const agency = { id: caller.agency.id, revision: caller.revision }
    const { listings, total } = await listListings(
      deps.db,
      totals,
      agency,
      filters,
      sort as Sort,
      page,
      per_page,
    )
    const totalPages = Math.ceil(total / per_page)
    const link = (target: number) => pageLink(deps.config.publicBaseUrl, input.query, target, per_page)
    return {
      status: 200,
      body: {
        data: listings.map((listing) => shown(input, listing, fields)),
        meta: { page, per_page, total, total_pages: totalPages },
        links: {
          self: link(page),
          next: page < totalPages && page < lastPage ? link(page + 1) : null,
          prev: page > 1 ? link(page - 1) : null,
        },
      },
      headers: { etag },
    }
  },
})

/** The rules no schema can say. @throws ApiError `invalid_parameter` */
const hidden: ReadonlySet<string> = new Set(['draft', 'disabled', 'all'])

/** Whether the query asks for what only keys with write scope see. What is wrong with it is told later. */
function asksForHidden(search: string): boolean {
  const [status = '', ...others] = new URLSearchParams(search).getAll('status')
  return others.length === 0 && hidden.has(status)
}

function readFilters(sent: Static<typeof query>): Filters {
  const {
    sort: _sort,
    page: _page,
    per_page: _perPage,
    fields: _fields,
    status = 'published',
    ...rest
  } = sent
  const filters: Filters = { status, ...(rest as Omit<Filters, 'status'>) }
  if (sent.type !== undefined) {
    const type = canonicalType(sent.type) as PropertyType
    if (!types.includes(type)) throw invalid('type', `type must be one of: ${types.join(', ')}.`)
    filters.type = type
  }
  if ((sent.min_price !== undefined || sent.max_price !== undefined) && sent.currency === undefined) {
    throw invalid('currency', 'currency is required with min_price or max_price: send USD or ARS.')
  }
  for (const name of ['city', 'neighborhood'] as const) {
    // A lone accent leaves nothing, and nothing would match everything.
    if (sent[name] !== undefined && fold(sent[name]) === '')
      throw invalid(name, `${name} has nothing to search for.`)
  }
  if (sent.q !== undefined && searchWords(sent.q).length === 0) {
    throw invalid(
      'q',
      'q has nothing to search for: letters, digits, dot, apostrophe, slash and hyphen count.',
    )
  }
  if (sent.updated_since !== undefined) {
    // A plus sign that was not escaped arrives as a space, and can have meant nothing else before a zone.
    const moment = parseDateTime(sent.updated_since.replace(/ (?=\d\d:?\d\d$)/, '+'))
    if (moment === null)
      throw invalid(
        'updated_since',
        'updated_since must be an ISO 8601 moment, such as 2026-11-20T09:30:00Z.',
      )
    filters.updated_since = moment
  }
  return filters
}

function pageLink(baseUrl: string, sent: Static<typeof query>, page: number, perPage: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(sent)) {
    if (name !== 'page' && name !== 'per_page')
      parameters.set(name, typeof value === 'number' ? decimal(value) : value)
  }
  parameters.set('page', String(page))
  parameters.set('per_page', String(perPage))
  return `${baseUrl}${apiPrefix}/properties?${parameters}`
}

/** As the API takes numbers: without an exponent, which a double writes for less than a millionth. */
function decimal(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(15).replace(/0+$/, '') : text
}
