/**
 * The search of an agency's listings: the filters of api.md 14.1 that make sense to people, by the rules of the API. Forms send empty
 * fields and other sites add parameters, so what is empty or unknown is ignored. A filter that cannot be applied is left out and told.
 */
import type { TObject } from 'typebox'
import { Problems } from '../../platform/errors.ts'
import { isStorable } from '../../http/input/strict-json.ts'
import { queryReader } from '../../http/input/validation.ts'
import { checkFilters, lastListPage, listQuery, readFilters } from '../../listings/list/list-parameters.ts'
import type { Filters, Sort } from '../../listings/list/list-sql.ts'
import { type Operation, usualCurrency } from '../../listings/vocabulary.ts'
import { typedCurrencies, typedMoney } from '../../platform/web/typed-money.ts'

/** In the order of a search's URL. */
export const filterNames = [
  'operation',
  'type',
  'city',
  'q',
  'bedrooms',
  'bathrooms',
  'min_m2',
  'max_m2',
  'currency',
  'min_price',
  'max_price',
] as const
export type FilterName = (typeof filterNames)[number]

export const sorts = ['recent', 'price_asc', 'price_desc'] as const

export type Search = {
  filters: Filters
  sort: Sort
  page: number
  /** Filters that were sent and could not be applied, as they were typed. */
  refused: ReadonlyMap<FilterName, string>
}

const schema: TObject = listQuery
const readQuery = queryReader(schema)
/** People write `250.000`, and `60,5`. */
const typedNumbers: ReadonlySet<string> = new Set(['min_price', 'max_price', 'min_m2', 'max_m2'])
/** Longer texts are no filter, and are not shown again in full. */
const longestShown = 80

/** Reads the query of an agency's page. */
export function readSearch(query: URLSearchParams): Search {
  const sent: Record<string, unknown> = {}
  const refused = new Map<FilterName, string>()
  for (const name of filterNames) {
    const text = query.get(name)?.trim() ?? ''
    if (text === '') continue
    const value = readFilter(name, text)
    if (value === undefined) refused.set(name, text.slice(0, longestShown).toWellFormed())
    else sent[name] = value
  }
  readCurrency(query, sent, refused)
  const page = query.get('page') ?? '1'
  return {
    filters: readFilters(sent),
    sort: sorts.find((name) => name === query.get('sort')) ?? 'recent',
    page: /^\d{1,3}$/.test(page) ? Math.min(Math.max(Number(page), 1), lastListPage) : 1,
    refused,
  }
}

/** A price needs a currency: the one that it names itself, as `$ 500.000` does, else the chosen one, else the usual one. */
function readCurrency(
  query: URLSearchParams,
  sent: Record<string, unknown>,
  refused: Map<FilterName, string>,
): void {
  const prices = (['min_price', 'max_price'] as const).filter((name) => sent[name] !== undefined)
  if (prices.length === 0) return
  const [named, another] = typedCurrencies(prices.map((name) => query.get(name)))
  if (another !== undefined) {
    refused.set('max_price', query.get('max_price')?.trim().slice(0, longestShown) ?? '')
    delete sent['max_price']
  }
  sent['currency'] =
    named ?? sent['currency'] ?? usualCurrency((sent['operation'] ?? null) as Operation | null)
}

/** The value, or undefined where the API would refuse it. */
function readFilter(name: FilterName, text: string): unknown {
  if (!isStorable(text) || !text.isWellFormed()) return undefined
  const plain = typedNumbers.has(name) ? String(typedMoney(text) ?? text) : text
  const problems = new Problems()
  const read = readQuery(new Map([[name, plain]]), problems)
  checkFilters({ currency: 'USD', ...read }, problems)
  return problems.isEmpty ? read[name] : undefined
}

/** The filters in use, by name. */
export function namedFilters({ filters }: Search): FilterName[] {
  return filterNames.filter((name) => filters[name] !== undefined)
}

/** The filters for what visitors are shown. */
export function visitorFilters(filters: Filters): Filters {
  return filters.q === undefined && filters.neighborhood === undefined
    ? filters
    : { ...filters, publicly: true }
}

/** Whether the search has a filter. */
export function isFiltered(search: Search): boolean {
  return namedFilters(search).length > 0
}

/** The search from its first page, without one filter. A currency goes with the last price, and the prices with their currency. */
export function without(search: Search, name: FilterName): Search {
  const filters: Filters = { ...search.filters }
  delete filters[name]
  if (name === 'currency') {
    delete filters.min_price
    delete filters.max_price
  }
  const isPrice = name === 'min_price' || name === 'max_price'
  if (isPrice && filters.min_price === undefined && filters.max_price === undefined) delete filters.currency
  return { ...search, filters, page: 1 }
}

/** The search as a query, in one order and without defaults: `?type=Casa&page=2`, or nothing. */
export function searchQuery({ filters, sort, page }: Omit<Search, 'refused'>): string {
  const query = new URLSearchParams()
  for (const name of filterNames) {
    const value = filters[name]
    if (value !== undefined) query.set(name, String(value))
  }
  if (sort !== 'recent') query.set('sort', sort)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? '' : `?${query}`
}
