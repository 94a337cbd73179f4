/**
 * The search of an agency's listings: the filters of api.md 14.1 that make sense to people. Forms send empty fields and
 * other sites add parameters, so what is empty, unknown or invalid is ignored instead of refused.
 */
import type { Filters, Sort } from '../properties/list-sql.ts'
import { fold, searchWords } from '../properties/search-text.ts'
import { canonicalType, currencies, operations, type PropertyType, types } from '../properties/vocabulary.ts'

export type Search = {
  filters: Filters
  sort: Sort
  page: number
}

const lastPage = 200
const longest = 80
const highest = 1e12
export const sorts = ['recent', 'price_asc', 'price_desc'] as const

/** Reads the query of an agency's page. */
export function readSearch(query: URLSearchParams): Search {
  const text = (name: string): string | undefined => {
    const value = query.get(name)?.trim()
    return value === undefined || value === '' || value.length > longest ? undefined : value
  }
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T | undefined =>
    allowed.find((value) => value === text(name))
  const amount = (name: string): number | undefined => {
    const value = text(name)
    return value !== undefined && /^\d{1,13}$/.test(value) && Number(value) <= highest
      ? Number(value)
      : undefined
  }

  const filters: Filters = { status: 'published' }
  const operation = oneOf('operation', operations)
  if (operation !== undefined) filters.operation = operation
  const type = canonicalType(text('type') ?? '') as PropertyType
  if (types.includes(type)) filters.type = type
  const city = text('city')
  // A lone accent folds to nothing, which would match everything.
  if (city !== undefined && storable(city) && fold(city) !== '') filters.city = city
  const words = text('q')
  if (words !== undefined && storable(words) && searchWords(words).length > 0) filters.q = words
  const [lowest, dearest] = [amount('min_price'), amount('max_price')]
  if (lowest !== undefined) filters.min_price = lowest
  if (dearest !== undefined) filters.max_price = dearest
  const currency = oneOf('currency', currencies)
  // A price needs a currency. Properties for sale are priced in dollars.
  if (currency !== undefined) filters.currency = currency
  else if (lowest !== undefined || dearest !== undefined) filters.currency = 'USD'
  const page = text('page') ?? '1'
  return {
    filters,
    sort: oneOf('sort', sorts) ?? 'recent',
    page: /^\d{1,3}$/.test(page) ? Math.min(Math.max(Number(page), 1), lastPage) : 1,
  }
}

/** Whether PostgreSQL accepts it as text. */
function storable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Whether the search has a filter. */
export function isFiltered({ filters }: Search): boolean {
  return Object.keys(filters).length > 1
}

/** The search as a query, in one order and without defaults: `?type=Casa&page=2`, or nothing. */
export function searchQuery({ filters, sort, page }: Search): string {
  const { status: _status, ...named } = filters
  const query = new URLSearchParams()
  for (const name of ['operation', 'type', 'city', 'q', 'currency', 'min_price', 'max_price'] as const) {
    const value = named[name]
    if (value !== undefined) query.set(name, String(value))
  }
  if (sort !== 'recent') query.set('sort', sort)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? '' : `?${query}`
}
