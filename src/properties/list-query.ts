/**
 * The filters of spec 'GET /properties' and the SQL they make. All values are parameters; what varies in the text are only
 * pieces written here.
 */
import type { Db, Tx } from '../db/database.ts'
import { hotStatement } from '../db/database.ts'
import { CompiledQuery } from 'kysely'
import { type Listing, listingColumns } from './listing.ts'
import { containing, fold, searchWords } from './search-text.ts'
import type { Currency, Operation, PropertyType, Status } from './vocabulary.ts'

export type Filters = {
  status: Status | 'all'
  operation?: Operation
  type?: PropertyType
  city?: string
  neighborhood?: string
  min_price?: number
  max_price?: number
  currency?: Currency
  bedrooms?: number
  bathrooms?: number
  min_m2?: number
  max_m2?: number
  q?: string
  /** ISO 8601 in UTC with milliseconds. */
  updated_since?: string
  external_id?: string
}

export type Sort = 'recent' | 'price_asc' | 'price_desc' | 'updated'

/** The code breaks ties, so that pages are stable. */
const orders: Readonly<Record<Sort, string>> = {
  recent: 'listed_at desc, public_id',
  price_asc: 'price_amount asc nulls last, public_id',
  price_desc: 'price_amount desc nulls last, public_id',
  updated: 'updated_at desc, public_id',
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
  external_id: 'external_id =',
}

type Condition = { text: string; parameters: unknown[] }

function condition(agencyId: string, filters: Filters): Condition {
  const parameters: unknown[] = [agencyId]
  const texts = ['agency_id = $1', 'deleted_at is null']
  const add = (text: string, value: unknown) => {
    parameters.push(value)
    texts.push(`${text} $${parameters.length}`)
  }
  // Written out, so that the planner knows which of the partial statistics apply.
  if (filters.status !== 'all') texts.push(`status = '${filters.status}'`)
  for (const [name, text] of Object.entries(simpleConditions)) {
    const value = filters[name as keyof Filters]
    if (value !== undefined) add(text, value)
  }
  if (filters.city !== undefined) add('city_folded like', containing(fold(filters.city)))
  if (filters.neighborhood !== undefined) add('search_folded like', containing(fold(filters.neighborhood)))
  for (const word of filters.q === undefined ? [] : searchWords(filters.q))
    add('search_folded like', containing(word))
  return { text: texts.join(' and '), parameters }
}

/**
 * Whether one plan suits all values: not so for patterns, of which some occur nowhere and others everywhere.
 */
function hasOnePlan({ city, neighborhood, q }: Filters): boolean {
  return city === undefined && neighborhood === undefined && q === undefined
}

const columns = listingColumns.map((column) => `p.${column}`).join(', ')

/**
 * The page is found in an index alone, and only its rows are read whole; so a deep page costs little more than the first.
 */
function pageText(where: string, sort: Sort, next: number): string {
  return `
    select ${columns}, page.place from (
      select id, row_number() over () as place from (
        select id from properties where ${where} order by ${orders[sort]} limit $${next} offset $${next + 1}
      ) found
    ) page join properties p on p.agency_id = $1 and p.id = page.id
    order by page.place`
}

function countText(where: string): string {
  return `select count(*)::int as total from properties where ${where}`
}

const hot = new Map<string, (db: Db | Tx, parameters: readonly unknown[]) => Promise<unknown[]>>()
/** Each is kept by every connection, so there may not be one for every combination that can be asked for. */
const mostHot = 200

async function run<Row>(db: Db | Tx, text: string, parameters: unknown[], isHot: boolean): Promise<Row[]> {
  let statement = hot.get(text)
  if (statement === undefined && isHot && hot.size < mostHot) {
    statement = hotStatement(text)
    hot.set(text, statement)
  }
  if (statement !== undefined) return (await statement(db, parameters)) as Row[]
  return (await db.executeQuery(CompiledQuery.raw(text, parameters))).rows as Row[]
}

/** A page of the agency's listings. */
export async function findPage(
  db: Db | Tx,
  agencyId: string,
  filters: Filters,
  sort: Sort,
  page: { limit: number; offset: number },
): Promise<Listing[]> {
  const { text, parameters } = condition(agencyId, filters)
  const sql = pageText(text, sort, parameters.length + 1)
  return run<Listing>(db, sql, [...parameters, page.limit, page.offset], hasOnePlan(filters))
}

/** A page and how many there are in all, of one moment, in one statement. */
export async function findPageAndTotal(
  db: Db | Tx,
  agencyId: string,
  filters: Filters,
  sort: Sort,
  page: { limit: number; offset: number },
): Promise<{ listings: Listing[]; total: number }> {
  const { text, parameters } = condition(agencyId, filters)
  const sql = `
    select counted.total, page.* from (${countText(text)}) counted
    left join lateral (${pageText(text, sort, parameters.length + 1)}) page on true
    order by page.place`
  type Row = Listing & { total: number; public_id: string | null }
  const rows = await run<Row>(db, sql, [...parameters, page.limit, page.offset], hasOnePlan(filters))
  return { total: rows[0]?.total ?? 0, listings: rows.filter((row) => row.public_id !== null) }
}
