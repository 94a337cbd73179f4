/**
 * Builds the SQL for the list filters of api.md 14.1. Every value is a parameter; the text is assembled only from the pieces in this
 * file.
 */
import {
  type Executor,
  oneOff,
  prepared,
  runPage,
  type Statement,
} from '../../../platform/db/statements/statement.ts'
import { type Listing, type Selection, wholeListing } from '../../listing.ts'
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

export type Sort = 'recent' | 'price_asc' | 'price_desc' | 'updated'

/** `within`: the order inside one range of an index (`idsText`), written as that index has it. */
type Order = { column: string; text: string; within: string }

const sameWithin = (column: string, text: string): Order => ({ column, text, within: text })

/** `public_id` breaks ties, so that pages are stable. */
const orders: Readonly<Record<Sort, Order>> = {
  recent: sameWithin('listed_at', 'listed_at desc, public_id'),
  price_asc: sameWithin('price_amount', 'price_amount asc nulls last, public_id'),
  price_desc: {
    column: 'price_amount',
    text: 'price_amount desc nulls last, public_id desc',
    // The same index read backwards. Within one kind of price, either all amounts are null or none is.
    within: 'price_amount desc nulls first, public_id desc',
  },
  updated: sameWithin('updated_at', 'updated_at desc, public_id'),
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

function binding(parameters: unknown[]): Bind {
  return (value) => `$${parameters.push(value)}`
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
  const of = <T>(wanted: T | undefined, all: readonly T[]) =>
    wanted === undefined ? [...all, 'none'] : [wanted]
  return of(operation, operations).flatMap((first) =>
    of(currency, currencies).map((second) => `${first} ${second}`),
  )
}

/** Whether one plan suits all values. It does not for patterns: some match no listing, others match all. */
function hasOnePlan({ city, neighborhood, q }: Filters): boolean {
  return city === undefined && neighborhood === undefined && q === undefined
}

/** A literal, so that the planner knows which partial statistics apply. */
const stateIs = (status: Status): string => `status = '${status}'`

const isByText = ({ q, neighborhood }: Filters, sort: Sort): boolean =>
  sort !== 'recent' && (q ?? neighborhood) !== undefined

/** The ids of the page, and their positions. */
function pageText(filters: Filters, sort: Sort, page: PageWindow, bind: Bind): string {
  if (!isByText(filters, sort))
    return `select id, row_number() over () as position from (${idsText(filters, sort, page, bind)}) found`
  const { text } = orders[sort]
  return `
    select id, row_number() over (order by ${text}) as position from (${foundText(filters, sort, page, bind)}) found`
}

/**
 * Finds the ids of the page in indexes alone. An index holds the listings of one status (by price: of one status and one kind of price)
 * already in order. Several such ranges are merged only as far as the page goes, so the cost does not grow with the agency.
 */
function idsText(filters: Filters, sort: Sort, page: PageWindow, bind: Bind): string {
  const byKind = orders[sort].column === 'price_amount'
  const common = conditions(filters, bind, byKind).join(' and ')
  const states = filters.status === 'all' ? statuses : [filters.status]
  const kinds = byKind ? kindsOf(filters).map((kind) => ` and price_kind = ${bind(kind)}`) : ['']
  const [limit, offset] = [bind(page.limit), bind(page.offset)]
  const ranges = states.flatMap((status) => kinds.map((kind) => `${common} and ${stateIs(status)}${kind}`))
  return rangesText(ranges, orders[sort], limit, offset)
}

/**
 * A page of a text search whose order differs from the order of the text index. Without `materialized`, the planner may read all rows of
 * the agency in the page's order, to find a word that none has.
 */
function foundText(filters: Filters, sort: Sort, page: PageWindow, bind: Bind): string {
  const { column, text } = orders[sort]
  const where = conditions(filters, bind, false)
  where.push(
    `status = any (array['${(filters.status === 'all' ? statuses : [filters.status]).join("', '")}'])`,
  )
  return `
      with matching as materialized (select id, ${column}, public_id from properties where ${where.join(' and ')})
      select * from matching order by ${text} limit ${bind(page.limit)} offset ${bind(page.offset)}`
}

/**
 * Joins the rows to the ids of the page. Without statistics the planner expects an agency to have one or two listings. It would then run
 * the page's query once per listing, or scan all listings once per row of the page. `lateral` with a limit forces it to find the ids first.
 * `id >= page.id order by id limit 1` forces the primary key; for `id = page.id` the planner could pick any index of the agency.
 */
const rowsOf = (page: string): string => `(${page}) page cross join lateral (
  select * from properties where agency_id = $1 and id >= page.id order by id limit 1) p`

/** Part of the same statement, so it belongs to the same snapshot as the rows. */
const revisionColumn = '(select revision from agency_revisions where agency_id = $1) as at_revision'

function rangesText(
  ranges: readonly string[],
  { column, text, within }: Order,
  limit: string,
  offset: string,
): string {
  const [first] = ranges
  if (ranges.length === 1)
    return `select id from properties where ${first} order by ${within} limit ${limit} offset ${offset}`
  const ordered = ranges.map(
    (where) =>
      `(select id, ${column}, public_id from properties where ${where} order by ${within} limit ${limit}::int + ${offset}::int)`,
  )
  return `select id from (${ordered.join(' union all ')}) merged order by ${text} limit ${limit} offset ${offset}`
}

/**
 * Counts the matches. Filters by `price_kind` if operation or currency is given and the price index covers all other filters: that skips
 * most of the index.
 */
function countText(filters: Filters, bind: Bind): string {
  const { operation, currency, neighborhood, q, updated_since: since, updated_before: before } = filters
  const outsideIndex = neighborhood ?? q ?? since ?? before ?? filters.external_id
  const byKind = outsideIndex === undefined && (operation ?? currency) !== undefined
  const texts = conditions(filters, bind, byKind)
  if (filters.status !== 'all') texts.push(stateIs(filters.status))
  if (byKind) texts.push(`price_kind = any (${bind(kindsOf(filters))})`)
  return `select count(*)::int as total from properties where ${texts.join(' and ')}`
}

const hot = new Map<string, { with(values: readonly unknown[]): Statement }>()
/** Most list statements to prepare: every connection keeps each of them in memory. */
const mostHot = 200

function statementOf<Row>(text: string, parameters: unknown[], isHot: boolean): Statement<Row> {
  let known = hot.get(text)
  if (known === undefined && isHot && hot.size < mostHot) {
    known = prepared(text)
    hot.set(text, known)
  }
  return (known?.with(parameters) ?? oneOff(text, parameters)) as Statement<Row>
}

/** Whether the page is the beginning of an index: then neither the agency's size nor its filters make it slow. */
function isPlain({ status, ...others }: Filters, { offset }: PageWindow): boolean {
  return status !== 'all' && offset <= 1_000 && Object.values(others).every((value) => value === undefined)
}

type PageWindow = { limit: number; offset: number }

type AtRevision = { at_revision: number | null }

/** A page, the total and the agency's revision, all of one snapshot. */
export type FoundPage<Row = Listing> = { revision: number; total: number; listings: Row[] }

export function countStatement(agencyId: string, filters: Filters): Statement<{ total: number }> {
  const parameters: unknown[] = [agencyId]
  return statementOf(countText(filters, binding(parameters)), parameters, hasOnePlan(filters))
}

/** A page of the agency's listings. @returns the revision too, or null if the page is empty */
export async function findPage<Row = Listing>(
  db: Executor,
  agencyId: string,
  filters: Filters,
  sort: Sort,
  page: PageWindow,
  { columns }: Selection<Row> = wholeListing as Selection<Row>,
): Promise<{ revision: number | null; listings: Row[] }> {
  const parameters: unknown[] = [agencyId]
  const ids = pageText(filters, sort, page, binding(parameters))
  const text = `select ${columns}, ${revisionColumn} from ${rowsOf(ids)} order by page.position`
  const statement = statementOf<Row & AtRevision>(text, parameters, hasOnePlan(filters))
  const rows = await (isPlain(filters, page) ? runPage(db, statement) : db.run(statement))
  return { revision: rows[0]?.at_revision ?? null, listings: rows }
}

/** A page of the agency's listings and how many match in total. */
export async function findPageAndTotal<Row = Listing>(
  db: Executor,
  agencyId: string,
  filters: Filters,
  sort: Sort,
  page: PageWindow,
  { columns }: Selection<Row> = wholeListing as Selection<Row>,
): Promise<FoundPage<Row>> {
  const parameters: unknown[] = [agencyId]
  const bind = binding(parameters)
  const text = `
    select ${columns}, page.position, agency.* from (select ${revisionColumn}, (${countText(filters, bind)}) as total) agency
    left join (${rowsOf(pageText(filters, sort, page, bind))}) on true
    order by page.position`
  type CountedRow = Row & AtRevision & { total: number; position: number | null }
  const rows = await db.run(statementOf<CountedRow>(text, parameters, hasOnePlan(filters)))
  return {
    revision: rows[0]?.at_revision ?? 0,
    total: rows[0]?.total ?? 0,
    listings: rows.filter(({ position }) => position !== null),
  }
}
