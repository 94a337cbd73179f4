/**
 * Pages of one table: heading, tabs, filters, the rows or why there are none, the pages around, and the rows as a file for spreadsheets.
 */
import { mostInCsv } from '../../limits/table.ts'
import { type Cell, csvOf } from '../../platform/web/csv.ts'
import { html, type Html, type Piece } from '../../platform/web/html.ts'
import { type Filter, filterBox, queryWith } from './filters.ts'
import { pageAsked, pageHead, pager } from './page-parts.ts'
import { type Column, table } from './tables.ts'
import { asData, type Page, type PageResponse, type Section, type Visit } from './visit.ts'

export type Window = Readonly<{ limit: number; offset: number }>

export type TablePage<Row> = Readonly<{
  title: string
  section: Section
  /** The page's path below the base. Its file is at the same path with `.csv`. */
  path: string
  head: Partial<Parameters<typeof pageHead>[1]>
  tabs?: Html
  /** A form of its own for what people look for most. */
  search?: Html
  filters?: readonly Filter[]
  /** Names of further parameters that the list depends on. */
  parameters?: readonly string[]
  columns: readonly (Column<Row> | false)[]
  className?: string
  rowsPerPage: number
  find: (window: Window) => Promise<Found<Row>>
  /** In place of the table where there are no rows. */
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

export async function tablePage<Row>(visit: Visit, described: TablePage<Row>): Promise<PageResponse> {
  const { t, base, query } = visit
  const { title, section, head, path, filters = [], parameters = [], rowsPerPage, csv } = described
  const page = pageAsked(query)
  const {
    rows,
    hasNext = false,
    foot,
  } = await described.find({ limit: rowsPerPage, offset: (page - 1) * rowsPerPage })
  const names = [...parameters, ...filters.map(({ name }) => name)]
  const link = (target: number) => `${base}${path}${queryWith(query, names, { page: String(target) })}`
  return {
    title,
    section,
    body: html`${pageHead(visit, { title, ...head })}
      <div class="stack-l">
        ${described.tabs} ${described.search}
        ${filters.length > 0 && filterBox(visit, path, filters, parameters)}
        <section class="card card-flush">
          ${rows.length === 0 ? described.none : table(described.columns, rows, { caption: title, className: described.className })}
        </section>
        ${foot} ${(page > 1 || hasNext) && pager(visit, page, hasNext, t.common.page(page), link)}
        ${csv !== undefined && rows.length > 0 && csvLink(visit, csv, `${base}${path}.csv${queryWith(query, names)}`)}
      </div>`,
  }
}

function csvLink<Row>(
  { t, format }: Visit,
  { isWhole, note = t.common.csvNote }: CsvFile<Row>,
  href: string,
): Html {
  const text = isWhole !== true && html` <span class="small muted">${note(format.number(mostInCsv))}</span>`
  return html`<p><a href="${href}">${t.common.csv}</a>${text}</p>`
}

/** The rows from the first on as a file, for the spreadsheets of the page's language. */
async function csvResponse<Row>(visit: Visit, { find, csv }: TablePage<Row>): Promise<PageResponse> {
  if (csv === undefined) throw new Error('this table has no file')
  const { rows } = await find({ limit: csv.isWhole === true ? Infinity : mostInCsv, offset: 0 })
  const heads = csv.columns.map(([head]) => head)
  const cells = rows.map((row) => csv.columns.map(([, value]) => value(row)))
  return {
    data: csvOf(heads, cells, visit.language),
    type: 'text/csv; charset=utf-8',
    filename: csv.filename,
  }
}

/**
 * The page and its file.
 * @param routes the pages at the path with that ending
 * @param elsewhere where the page leads to instead of showing the table, or null
 */
export function withCsv<V extends Visit, Row>(
  describe: (visit: V) => TablePage<Row> | Promise<TablePage<Row>>,
  routes: (ending: '' | '.csv', handle: (visit: V) => Promise<PageResponse>) => readonly Page[],
  elsewhere: (visit: V) => Promise<PageResponse | null> = async () => null,
): Page[] {
  return [
    ...routes('', async (visit) => (await elsewhere(visit)) ?? tablePage(visit, await describe(visit))),
    ...asData(routes('.csv', async (visit) => csvResponse(visit, await describe(visit)))),
  ]
}
