/** The filters of a list (api.md 14.1), and their SQL conditions. Every value is a parameter. */
import { type Bind, type SearchedTexts, searchConditions } from './search.ts'
import {
  type Currency,
  currencies,
  type Operation,
  operations,
  type PropertyType,
  type Status,
  statuses,
} from '../../fields/vocabulary.ts'

export type Filters = SearchedTexts & {
  status: Status | 'all'
  operation?: Operation
  type?: PropertyType
  min_price?: number
  max_price?: number
  currency?: Currency
  bedrooms?: number
  bathrooms?: number
  min_m2?: number
  max_m2?: number
  /** ISO 8601 in UTC with milliseconds. */
  updated_since?: string
  /** The same format. Only the dashboard filters by it. */
  updated_before?: string
  external_id?: string
}

const simpleConditions: Readonly<Record<string, string>> = {
  operation: 'operation =',
  type: 'type =',
  currency: 'price_currency =',
  min_price: 'price_amount >=',
  max_price: 'price_amount <=',
  bedrooms: 'bedrooms >=',
  bathrooms: 'bathrooms >=',
  min_m2: 'main_m2 >=',
  max_m2: 'main_m2 <=',
  updated_since: 'updated_at >=',
  updated_before: 'updated_at <',
  external_id: 'external_id =',
}

/**
 * The conditions of all filters except the status.
 * @param byKind leaves out operation and currency too: the caller filters by `price_kind`, which combines them
 */
function conditions(filters: Filters, bind: Bind, byKind: boolean): string[] {
  const texts = ['agency_id = $1', 'deleted_at is null']
  for (const [name, text] of Object.entries(simpleConditions)) {
    const value = filters[name as keyof Filters]
    if (value === undefined || (byKind && (name === 'operation' || name === 'currency'))) continue
    texts.push(`${text} ${bind(value)}`)
  }
  return [...texts, ...searchConditions(filters, bind)]
}

/** The values of `price_kind` that match the filters. */
function kindsOf({ operation, currency }: Filters): string[] {
  const valuesOf = <T>(wanted: T | undefined, all: readonly T[]) =>
    wanted === undefined ? [...all, 'none'] : [wanted]
  return valuesOf(operation, operations).flatMap((first) =>
    valuesOf(currency, currencies).map((second) => `${first} ${second}`),
  )
}

const statusesOf = ({ status }: Filters): readonly Status[] => (status === 'all' ? statuses : [status])

/** A literal, so that the planner knows which partial statistics apply. */
const statusIs = (status: Status): string => `status = '${status}'`

/** Matches all listings that the filters match. */
export function wholeCondition(filters: Filters, bind: Bind): string {
  const list = `'${statusesOf(filters).join("', '")}'`
  return `${conditions(filters, bind, false).join(' and ')} and status = any (array[${list}])`
}

/**
 * Matches the same listings in parts, each of which an index holds already in order: those of one status or, by price, of one status and
 * one kind of price.
 */
export function rangeConditions(filters: Filters, bind: Bind, byPrice: boolean): string[] {
  const common = conditions(filters, bind, byPrice).join(' and ')
  const kinds = byPrice ? kindsOf(filters).map((kind) => ` and price_kind = ${bind(kind)}`) : ['']
  return statusesOf(filters).flatMap((status) =>
    kinds.map((kind) => `${common} and ${statusIs(status)}${kind}`),
  )
}

/**
 * Matches the same listings, to be counted. Filters by `price_kind` if operation or currency is given and the price index covers all other
 * filters: that skips most of the index.
 */
export function countCondition(filters: Filters, bind: Bind): string {
  const { operation, currency, neighborhood, q, updated_since: since, updated_before: before } = filters
  const outsideIndex = neighborhood ?? q ?? since ?? before ?? filters.external_id
  const byKind = outsideIndex === undefined && (operation ?? currency) !== undefined
  const texts = conditions(filters, bind, byKind)
  if (filters.status !== 'all') texts.push(statusIs(filters.status))
  if (byKind) texts.push(`price_kind = any (${bind(kindsOf(filters))})`)
  return texts.join(' and ')
}
