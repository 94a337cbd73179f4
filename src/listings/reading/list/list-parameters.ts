/**
 * The parameters of a list of listings (api.md 14.1), for the API and the dashboard: their schema, and the rules that a schema cannot
 * express.
 */
import Type, { type Static } from 'typebox'
import { dateTimePattern, parseDateTime } from '../../../platform/time/date-time.ts'
import { checked, type Problems } from '../../../platform/errors/errors.ts'
import { sizeLimits, numberLimits, textLimits } from '../../../limits/sizes.ts'
import type { Filters } from './list-filters.ts'
import { externalId, fieldsParameter } from '../../fields/schema.ts'
import { foldForSearch } from '../../addresses/fold.ts'
import { searchWords } from './search.ts'
import {
  canonicalType,
  currencies,
  operations,
  type PropertyType,
  statuses,
  types,
} from '../../fields/vocabulary.ts'

const choice = <const T extends readonly string[]>(values: T, example: T[number], description: string) =>
  Type.Optional(
    Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description, examples: [example] }),
  )
const search = (example: string, description: string) =>
  Type.Optional(
    Type.String({
      maxLength: textLimits.locality,
      shownWith: { pattern: String.raw`\S` },
      description,
      examples: [example],
    }),
  )
const upTo = (maximum: number, example: number, description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum, description, examples: [example] }))
const whole = (minimum: number, maximum: number, example: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description, examples: [example] }))

export const listQuery = Type.Object({
  operation: choice(operations, 'sale', 'Kind of operation.'),
  type: Type.Optional(
    Type.String({
      description: `Any case, with or without accents, of: ${types.join(', ')}.`,
      shownWith: { enum: [...types] },
      examples: ['Departamento'],
    }),
  ),
  city: search('Buenos Aires', 'Part of the city; any case, with or without accents.'),
  neighborhood: search('Palermo', 'Part of the title, address or city.'),
  min_price: upTo(numberLimits.amount, 200_000, 'Lowest price, inclusive; needs `currency`.'),
  max_price: upTo(numberLimits.amount, 300_000, 'Highest price, inclusive; needs `currency`.'),
  currency: choice(currencies, 'USD', 'Required with `min_price` or `max_price`.'),
  bedrooms: whole(0, numberLimits.count, 2, 'Bedrooms, at least.'),
  bathrooms: whole(0, numberLimits.count, 1, 'Bathrooms, at least.'),
  min_m2: upTo(numberLimits.area, 60, 'Smallest main area: covered; for lots, the land.'),
  max_m2: upTo(numberLimits.area, 120.5, 'Largest main area.'),
  q: search(
    'balcón gorriti',
    'Words that must all occur in title, address or city. Letters, digits, space, dot, apostrophe, slash and hyphen count.',
  ),
  updated_since: Type.Optional(
    Type.String({
      shownWith: { pattern: dateTimePattern },
      description:
        'Changed at this time or later. ISO 8601; without a zone UTC is assumed. To miss nothing, use `GET /changes`.',
      examples: ['2026-11-20T09:30:00Z'],
    }),
  ),
  status: choice(
    [...statuses, 'all'],
    'published',
    'Default `published`; the others need the scope `properties:write`.',
  ),
  external_id: Type.Optional(
    Type.String({
      ...externalId,
      description: 'Only the listing with this external id.',
      examples: ['RN-0412'],
    }),
  ),
  sort: choice(
    ['recent', 'price_asc', 'price_desc', 'updated'],
    'recent',
    'Default `recent`. `recent` and `updated` are newest first; by price, listings without an amount come last.',
  ),
  page: whole(
    1,
    sizeLimits.page,
    1,
    'Page, from 1, which is the default. Each page shows the state when it is read.',
  ),
  per_page: whole(1, sizeLimits.per_page, 20, 'Listings a page; 20 by default.'),
  fields: fieldsParameter,
})

export type SentListQuery = Static<typeof listQuery>

/** Later pages are not served. */
export const lastListPage = sizeLimits.page

/** Checks the rules that a schema cannot express. @throws ApiError `invalid_parameter` naming the parameters */
export function readFilters(sent: SentListQuery): Filters {
  checked((problems) => checkFilters(sent, problems))
  const {
    sort: _sort,
    page: _page,
    per_page: _perPage,
    fields: _fields,
    status = 'published',
    ...rest
  } = sent
  const filters: Filters = { status, ...(rest as Omit<Filters, 'status'>) }
  if (sent.type !== undefined) filters.type = canonicalType(sent.type) as PropertyType
  if (sent.updated_since !== undefined) filters.updated_since = momentOf(sent.updated_since) ?? ''
  return filters
}

/** Adds what `readFilters` refuses. @param sent may have values of a wrong type, which only the schema reports */
export function checkFilters(sent: { readonly [name in keyof SentListQuery]?: unknown }, problems: Problems) {
  const { type, updated_since: since, q } = sent
  if (typeof type === 'string' && !types.includes(canonicalType(type) as PropertyType))
    problems.add('type', `type must be one of: ${types.join(', ')}.`)
  if ((sent.min_price !== undefined || sent.max_price !== undefined) && sent.currency === undefined)
    problems.add('currency', 'currency is required with min_price or max_price. Send USD or ARS.')
  for (const name of ['city', 'neighborhood'] as const) {
    const text = sent[name]
    // A lone accent folds to an empty string, which would match everything.
    if (typeof text === 'string' && foldForSearch(text) === '')
      problems.add(name, `${name} has nothing to search for. Send some letters or digits.`)
  }
  if (typeof q === 'string' && searchWords(q).length === 0)
    problems.add(
      'q',
      'q has nothing to search for. Use letters, digits, dots, apostrophes, slashes or hyphens.',
    )
  if (typeof since === 'string' && momentOf(since) === null)
    problems.add(
      'updated_since',
      'updated_since must be an ISO 8601 date, or date and time, such as 2026-11-20T09:30:00Z.',
    )
}

function momentOf(text: string): string | null {
  // An unescaped plus sign arrives as a space. Before a zone it can only have been a plus.
  return parseDateTime(text.replace(/ (?=\d\d:?\d\d$)/, '+'))
}
