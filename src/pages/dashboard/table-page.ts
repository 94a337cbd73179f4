/** Pages of one table: tabs, filters, the rows or the reason why there are none, a pager, and the rows as a file for spreadsheets. */
import { mostInCsv } from '../../limits/table.ts'
import { type Cell, csvOf } from '../../platform/web/csv.ts'
import { html, type Html, type Piece } from '../../platform/web/html.ts'
import { type Filter, filterBox, queryWith } from './filters.ts'
import { type Frame, framed, pageAsked, pager } from './page-parts.ts'
import { type Column, table } from './tables.ts'
import {
  asData,
  type Handle,
  type Page,
  type PageData,
  type PageDocument,
  type PageRedirect,
  type PageRequest,
} from './page.ts'

type Window = Readonly<{ limit: number; offset: number }>

export type TablePage<Row> = Frame &
  Readonly<{
    /** The page's path below the base. Its file is at the same path with `.csv`. */
    path: string
    tabs?: Html
    /** Precedes the filters, such as a form for the most frequent search. */
    above?: Html
    filters?: readonly Filter[]
    /** Names of further parameters that the list depends on. */
    parameters?: readonly string[]
    columns: readonly (Column<Row> | false)[]
    className?: string
    /** By default, one page shows every row. */
    rowsPerPage?: number
    find: (window: Window) => Promise<Found<Row>>
    /** Replaces the table if there are no rows. */
    none: Html
    csv?: CsvFile<Row>
  }>

/** @property foot shown below the table */
type Found<Row> = Readonly<{ rows: readonly Row[]; hasNext?: boolean; foot?: Piece }>

export type CsvFile<Row> = Readonly<{
  filename: string
  columns: readonly (readonly [head: string, value: (row: Row) => Cell])[]
  /** By default the file has the first `mostInCsv` rows. */
  isWhole?: true
  note?: (most: string) => string
}>

export async function tablePage<Row>(request: PageRequest, described: TablePage<Row>): Promise<PageDocument> {
  const { t, base, query } = request
  const { title, path, filters = [], parameters = [], rowsPerPage = Infinity, csv } = described
  const page = rowsPerPage === Infinity ? 1 : pageAsked(query)
  const window = { limit: rowsPerPage, offset: page === 1 ? 0 : (page - 1) * rowsPerPage }
  const { rows, hasNext = false, foot } = await described.find(window)
  const names = [...parameters, ...filters.map(({ name }) => name)]
  const link = (target: number) => `${base}${path}${queryWith(query, names, { page: String(target) })}`
  return framed(
    request,
    described,
    html`${described.tabs} ${described.above}
      ${filters.length > 0 && filterBox(request, path, filters, parameters)}
      <section class="card card-flush">
        ${rows.length === 0 ? described.none : table(described.columns, rows, { caption: title, className: described.className })}
      </section>
      ${foot} ${(page > 1 || hasNext) && pager(request, page, hasNext, t.common.page(page), link)}
      ${csv !== undefined && rows.length > 0 && csvLink(request, csv, `${base}${path}.csv${queryWith(query, names)}`)}`,
  )
}

function csvLink<Row>(
  { t, format }: PageRequest,
  { isWhole, note = t.common.csvNote }: CsvFile<Row>,
  href: string,
): Html {
  const text = isWhole !== true && html` <span class="small muted">${note(format.number(mostInCsv))}</span>`
  return html`<p><a href="${href}">${t.common.csv}</a>${text}</p>`
}

/** The rows as a file that spreadsheets in the page's language can open. */
async function csvResponse<Row>(request: PageRequest, { find, csv }: TablePage<Row>): Promise<PageData> {
  if (csv === undefined) throw new Error('this table has no file')
  const { rows } = await find({ limit: csv.isWhole === true ? Infinity : mostInCsv, offset: 0 })
  const heads = csv.columns.map(([head]) => head)
  const cells = rows.map((row) => csv.columns.map(([, value]) => value(row)))
  return {
    data: csvOf(heads, cells, request.language),
    type: 'text/csv; charset=utf-8',
    filename: csv.filename,
  }
}

/**
 * The page and its file.
 * @param routes makes the pages at the path with this ending
 * @param elsewhere finds a redirect that replaces the table, or null
 */
export function withCsv<V extends PageRequest, Row>(
  describe: (request: V) => TablePage<Row> | Promise<TablePage<Row>>,
  routes: (ending: '' | '.csv', handle: Handle<V>) => readonly Page[],
  elsewhere: (request: V) => Promise<PageRedirect | null> = async () => null,
): Page[] {
  return [
    ...routes(
      '',
      async (request) => (await elsewhere(request)) ?? tablePage(request, await describe(request)),
    ),
    ...asData(routes('.csv', async (request) => csvResponse(request, await describe(request)))),
  ]
}
