/** Finds a page of an agency's listings, with or without the total, and counts them (api.md 14). */
import {
  type Executor,
  oneOff,
  prepared,
  runPage,
  type Statement,
} from '../../../platform/db/statements/statement.ts'
import { type Listing, type Selection, wholeListing } from '../../listing.ts'
import { countCondition, type Filters, rangeConditions, wholeCondition } from './list-filters.ts'
import type { Bind } from './search.ts'

export type Sort = 'recent' | 'price_asc' | 'price_desc' | 'updated'

/** The listings that match, their order, and the part of them that is the page. */
export type PageQuery = { filters: Filters; sort: Sort; limit: number; offset: number }

/** A page, the total and the agency's revision, all of one snapshot. */
export type FoundPage<Row = Listing> = { revision: number; total: number; listings: Row[] }

type AtRevision = { at_revision: number | null }

/**
 * A page of the agency's listings.
 *
 * Without statistics the planner expects an agency to have one or two listings. It would then run the page's query once per listing, or
 * scan all listings once per row of the page. `lateral` with a limit forces it to find the ids first. `id >= page.id order by id limit 1`
 * forces the primary key; for `id = page.id` the planner could pick any index of the agency.
 * @returns the revision of the same snapshot too, or null if the page is empty
 */
export async function findPage<Row = Listing>(
  db: Executor,
  agencyId: string,
  query: PageQuery,
  { columns }: Selection<Row> = wholeListing as Selection<Row>,
): Promise<{ revision: number | null; listings: Row[] }> {
  const parameters: unknown[] = [agencyId]
  const text = `
    select ${columns}, (select revision from agency_revisions where agency_id = $1) as at_revision
    from (${idsText(query, binding(parameters))}
    ) page cross join lateral (
      select * from properties where agency_id = $1 and id >= page.id order by id limit 1
    ) p
    order by page.position`
  const statement = statementOf<Row & AtRevision>(text, parameters, query.filters)
  const rows = await (isPlain(query) ? runPage(db, statement) : db.run(statement))
  return { revision: rows[0]?.at_revision ?? null, listings: rows }
}

/** A page of the agency's listings, found as by `findPage`, and how many match in total. */
export async function findPageAndTotal<Row = Listing>(
  db: Executor,
  agencyId: string,
  query: PageQuery,
  { columns }: Selection<Row> = wholeListing as Selection<Row>,
): Promise<FoundPage<Row>> {
  const parameters: unknown[] = [agencyId]
  const bind = binding(parameters)
  const text = `
    select ${columns}, page.position, agency.* from (
      select (select revision from agency_revisions where agency_id = $1) as at_revision, (
        select count(*)::int from properties where ${countCondition(query.filters, bind)}
      ) as total
    ) agency left join (
      (${idsText(query, bind)}
      ) page cross join lateral (
        select * from properties where agency_id = $1 and id >= page.id order by id limit 1
      ) p
    ) on true
    order by page.position`
  type CountedRow = Row & AtRevision & { total: number; position: number | null }
  const rows = await db.run(statementOf<CountedRow>(text, parameters, query.filters))
  return {
    revision: rows[0]?.at_revision ?? 0,
    total: rows[0]?.total ?? 0,
    listings: rows.filter(({ position }) => position !== null),
  }
}

export function countStatement(agencyId: string, filters: Filters): Statement<{ total: number }> {
  const parameters: unknown[] = [agencyId]
  const text = `select count(*)::int as total from properties where ${countCondition(filters, binding(parameters))}`
  return statementOf(text, parameters, filters)
}

/** `overall`: the order of the list. `within`: the same inside one range of an index, written as that index has it. */
type Order = { column: string; overall: string; within: string }

const sameWithin = (column: string, overall: string): Order => ({ column, overall, within: overall })

/** `public_id` breaks ties, so that pages are stable. */
const orders: Readonly<Record<Sort, Order>> = {
  recent: sameWithin('listed_at', 'listed_at desc, public_id'),
  price_asc: sameWithin('price_amount', 'price_amount asc nulls last, public_id'),
  price_desc: {
    column: 'price_amount',
    overall: 'price_amount desc nulls last, public_id desc',
    // The same index read backwards. Within one kind of price, either all amounts are null or none is.
    within: 'price_amount desc nulls first, public_id desc',
  },
  updated: sameWithin('updated_at', 'updated_at desc, public_id'),
}

/**
 * The ids of the page and their positions, in one of three forms. The second and third read indexes alone and no further than the page
 * goes, so their cost does not grow with the agency.
 */
function idsText({ filters, sort, ...page }: PageQuery, bind: Bind): string {
  const { column, overall, within } = orders[sort]

  // A search for texts in an order that the text index does not have. Without `materialized`, the planner may read all rows of the agency
  // in the page's order, to find a word that none has.
  if (sort !== 'recent' && (filters.q ?? filters.neighborhood) !== undefined) {
    const condition = wholeCondition(filters, bind)
    return `
      with matching as materialized (select id, ${column}, public_id from properties where ${condition})
      select id, row_number() over (order by ${overall}) as position from (
        select * from matching order by ${overall} limit ${bind(page.limit)} offset ${bind(page.offset)}) found`
  }

  const ranges = rangeConditions(filters, bind, column === 'price_amount')
  const [limit, offset] = [bind(page.limit), bind(page.offset)]
  if (ranges.length === 1)
    return `
      select id, row_number() over () as position from (
        select id from properties where ${ranges[0]} order by ${within} limit ${limit} offset ${offset}) found`

  const merged = ranges.map(
    (condition) => `
          (select id, ${column}, public_id from properties where ${condition}
           order by ${within} limit ${limit}::int + ${offset}::int)`,
  )
  return `
      select id, row_number() over () as position from (
        select id from (${merged.join(' union all')}
        ) merged order by ${overall} limit ${limit} offset ${offset}) found`
}

function binding(parameters: unknown[]): Bind {
  return (value) => `$${parameters.push(value)}`
}

const hot = new Map<string, { with(values: readonly unknown[]): Statement }>()
/** Most list statements to prepare. Every connection keeps each of them in memory, so forgetting one here would free nothing. */
const maxHot = 200

/** Prepares the statement if one plan suits all values. It does not for patterns: some match no listing, others match all. */
function statementOf<Row>(text: string, parameters: unknown[], filters: Filters): Statement<Row> {
  const { city, neighborhood, q } = filters
  const hasOnePlan = city === undefined && neighborhood === undefined && q === undefined
  let known = hot.get(text)
  if (known === undefined && hasOnePlan && hot.size < maxHot) {
    known = prepared(text)
    hot.set(text, known)
  }
  return (known?.with(parameters) ?? oneOff(text, parameters)) as Statement<Row>
}

/** Whether the page is the beginning of an index: then neither the agency's size nor its filters make it slow. */
function isPlain({ filters: { status, ...others }, offset }: PageQuery): boolean {
  return status !== 'all' && offset <= 1_000 && Object.values(others).every((value) => value === undefined)
}
