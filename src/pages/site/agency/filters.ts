/**
 * The search of an agency's listings: the filters of api.md 14.1 that make sense to people, by the rules of the API. Forms send empty
 * fields and other sites add parameters, so both are ignored. A filter that cannot be applied is left out, and the page says so.
 */
import type { TObject } from 'typebox'
import { Problems } from '../../../platform/errors/errors.ts'
import { isStorable } from '../../../http/input/strict-json.ts'
import { queryReader } from '../../../http/input/validation.ts'
import {
  checkFilters,
  lastListPage,
  listQuery,
  readFilters,
} from '../../../listings/reading/list/list-parameters.ts'
import type { Filters } from '../../../listings/reading/list/list-filters.ts'
import type { Sort } from '../../../listings/reading/list/list-sql.ts'
import { type Operation, usualCurrency } from '../../../listings/fields/vocabulary.ts'
import { typedCurrencies, typedMoney } from '../../../platform/web/language/typed-money.ts'
import type { Edition } from '../frame/site.ts'

/**
 * In the order of a search's URL. `field`: the path of the field whose label names the filter, or null if a phrase does. `doubt`: 1 for
 * the likeliest reason why a search found nothing. Free text matches least. Type and operation are last, because the form offers only
 * those that the agency has.
 */
const table = {
  operation: { field: 'operation', doubt: 11 },
  type: { field: 'type', doubt: 10 },
  city: { field: 'location.city', doubt: 2 },
  q: { field: null, doubt: 1 },
  bedrooms: { field: 'features.bedrooms', doubt: 5 },
  bathrooms: { field: 'features.bathrooms', doubt: 6 },
  min_m2: { field: null, doubt: 7 },
  max_m2: { field: null, doubt: 8 },
  currency: { field: 'price.currency', doubt: 9 },
  min_price: { field: null, doubt: 4 },
  max_price: { field: null, doubt: 3 },
} as const
export type FilterName = keyof typeof table

const filterNames = Object.keys(table) as FilterName[]

export const sorts = ['recent', 'price_asc', 'price_desc'] as const

export type Search = {
  filters: Filters
  sort: Sort
  page: number
  /** Filters that cannot be applied, as they were typed. */
  refused: ReadonlyMap<FilterName, string>
}

const readQuery = queryReader(listQuery as TObject)
/** Longer texts are cut when they are shown again. */
const maxShownLength = 80

/** Reads the query of an agency's page. */
export function readSearch(query: URLSearchParams): Search {
  const sent: Record<string, unknown> = {}
  const refused = new Map<FilterName, string>()
  for (const name of filterNames) {
    const text = query.get(name)?.trim() ?? ''
    if (text === '') continue
    const value = readFilter(name, text)
    if (value === undefined) refused.set(name, text.slice(0, maxShownLength).toWellFormed())
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

/** A price needs a currency: the one in its text, as in `$ 500.000`, otherwise the chosen one, otherwise the usual one. */
function readCurrency(
  query: URLSearchParams,
  sent: Record<string, unknown>,
  refused: Map<FilterName, string>,
): void {
  const prices = (['min_price', 'max_price'] as const).filter((name) => sent[name] !== undefined)
  if (prices.length === 0) return
  const [named, another] = typedCurrencies(prices.map((name) => query.get(name)))
  if (another !== undefined) {
    refused.set('max_price', query.get('max_price')?.trim().slice(0, maxShownLength) ?? '')
    delete sent['max_price']
  }
  sent['currency'] =
    named ?? sent['currency'] ?? usualCurrency((sent['operation'] ?? null) as Operation | null)
}

/** The value, or undefined if the API would refuse it. */
function readFilter(name: FilterName, text: string): unknown {
  if (!isStorable(text) || !text.isWellFormed()) return undefined
  // People write `250.000`, and `60,5`.
  const plain = /^(?:min|max)_/.test(name) ? String(typedMoney(text) ?? text) : text
  const problems = new Problems()
  const read = readQuery(new Map([[name, plain]]), problems)
  checkFilters({ currency: 'USD', ...read }, problems)
  return problems.isEmpty ? read[name] : undefined
}

/** The label of a filter, to be shown beside its value. */
export function filterLabel({ label, words }: Pick<Edition, 'label' | 'words'>, name: FilterName): string {
  return words.filterLabels[name] ?? label(table[name].field ?? name)
}

/** The filters for the listings as visitors see them. */
export function visitorFilters(filters: Filters): Filters {
  return filters.q === undefined && filters.neighborhood === undefined
    ? filters
    : { ...filters, publicly: true }
}

export function isFiltered({ filters }: Search): boolean {
  return filterNames.some((name) => filters[name] !== undefined)
}

/** The filters in use that have a chip: a currency belongs to the prices beside it. */
export function shownFilters({ filters }: Search): FilterName[] {
  const hasPrice = (filters.min_price ?? filters.max_price) !== undefined
  return filterNames.filter((name) => filters[name] !== undefined && !(hasPrice && name === 'currency'))
}

/** The filters without which a search that found nothing may find something, the likeliest first. */
export function relaxable(search: Search): FilterName[] {
  return shownFilters(search).toSorted((one, other) => table[one].doubt - table[other].doubt)
}

/** The first page of the search without one filter. A currency goes with the last price, and the prices go with their currency. */
export function withoutFilter(search: Search, name: FilterName): Search {
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

/** The search as a query, always in the same order and without defaults: `?type=Casa&page=2`, or an empty string. */
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
