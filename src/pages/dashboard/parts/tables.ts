/** Tables, lists of facts, and pages of one table with tabs, filters, a pager and a CSV file. */
import { html, type Html, nothing, type Piece } from '../../../platform/web/html.ts'
import { maxInCsv } from '../../../limits/sizes.ts'
import { type Cell, csvOf } from '../../../platform/web/csv.ts'
import { type Filter, filterBox, queryWith } from './filters.ts'
import { type Frame, framed, pager, requestedPage } from './page-parts.ts'
import { asData, type Handle, type Page, type PageRedirect, type PageRequest } from '../serving/page.ts'

/** The first column leads its row. On a narrow screen, each other cell shows its title. */
export type Column<Row> = Readonly<{
  title: string
  cell: (row: Row) => Piece
  className?: string
  /** Shows the title to screen readers only, where the cells explain themselves. */
  hidesTitle?: boolean
  sort?: Readonly<{ href: string; label: string; direction: 'ascending' | 'descending'; isCurrent: boolean }>
}>

export const atEnd = 'end number'

/** @param options.caption for screen readers; needed if no heading says the same */
export function table<Row>(
  columns: readonly (Column<Row> | false)[],
  rows: readonly Row[],
  { caption, className }: Readonly<{ caption?: string; className?: string }> = {},
): Html {
  const shown = columns.filter((column) => column !== false)
  return html`<div class="table-scroll">
    <table class="table table-fold ${className}">
      ${
        caption !== undefined &&
        html`<caption class="visually-hidden">
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${shown.map(headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${shown.map((column, index) => cell(column, row, index === 0))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function headCell<Row>({ title, className, hidesTitle, sort }: Column<Row>): Html {
  const text = hidesTitle === true ? html`<span class="visually-hidden">${title}</span>` : title
  const shown = sort === undefined ? text : html`<a href="${sort.href}" title="${sort.label}">${text}</a>`
  const order = sort?.isCurrent === true && html` aria-sort="${sort.direction}"`
  return html`<th scope="col" ${className !== undefined && html` class="${className}"`}${order}>${shown}</th>`
}

function cell<Row>({ title, cell: show, className, hidesTitle }: Column<Row>, row: Row, isLead: boolean) {
  const kind = isLead ? 'lead' : hidesTitle === true ? 'plain' : ''
  const label = kind === '' && html` data-label="${title}"`
  const classes = [kind, className].filter(Boolean).join(' ')
  return html`<td${label}${classes !== '' && html` class="${classes}"`}>${show(row)}</td>`
}

/** A text that says little, such as a dash where there is no value. */
export function muted(text = '–'): Html {
  return html`<span class="muted">${text}</span>`
}

/** How long ago something last happened. */
export function agoOrNever({ t, format }: PageRequest, at: string | null): Html {
  return at === null ? muted(t.common.never) : format.ago(at)
}

/** One entry of a list of facts; nothing if its value is missing. */
export function fact(label: string, value: Piece): Html {
  return value === null || value === undefined || value === false
    ? nothing
    : html`<div>
        <dt>${label}</dt>
        <dd>${value}</dd>
      </div>`
}

export function factList(facts: readonly (readonly [label: string, value: Piece])[]): Html {
  return html`<dl class="facts">${facts.map(([label, value]) => fact(label, value))}</dl>`
}

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
    find: (window: Window) => Promise<FoundRows<Row>>
    /** Replaces the table if there are no rows. */
    none: Html
    csv?: CsvFile<Row>
  }>

/** @property hasNext without it, the table has no numbered pages @property foot shown below the table */
type FoundRows<Row> = Readonly<{ rows: readonly Row[]; hasNext?: boolean; foot?: Piece }>

export type CsvFile<Row> = Readonly<{
  filename: string
  columns: readonly (readonly [head: string, value: (row: Row) => Cell])[]
  /** By default the file has the first `maxInCsv` rows. */
  isWhole?: true
  note?: (max: string) => string
}>

export async function tablePage<Row>(request: PageRequest, described: TablePage<Row>) {
  const { t, base, query } = request
  const { title, path, filters = [], parameters = [], rowsPerPage = Infinity, csv } = described
  const page = requestedPage(query)
  const window = { limit: rowsPerPage, offset: page === 1 ? 0 : (page - 1) * rowsPerPage }
  const { rows, hasNext, foot } = await described.find(window)
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
      ${foot}
      ${hasNext !== undefined && (page > 1 || hasNext) && pager(request, page, hasNext, t.common.page(page), link)}
      ${csv !== undefined && rows.length > 0 && csvLink(request, csv, `${base}${path}.csv${queryWith(query, names)}`)}`,
  )
}

function csvLink<Row>(
  { t, format }: PageRequest,
  { isWhole, note = t.common.csvNote }: CsvFile<Row>,
  href: string,
): Html {
  const text = isWhole !== true && html` <span class="small muted">${note(format.number(maxInCsv))}</span>`
  return html`<p><a href="${href}">${t.common.csv}</a>${text}</p>`
}

/** The rows as a file that spreadsheets in the page's language can open. */
async function csvResponse<Row>(request: PageRequest, { find, csv }: TablePage<Row>) {
  if (csv === undefined) throw new Error('this table has no file')
  const { rows } = await find({ limit: csv.isWhole === true ? Infinity : maxInCsv, offset: 0 })
  const heads = csv.columns.map(([head]) => head)
  const cells = rows.map((row) => csv.columns.map(([, value]) => value(row)))
  const data = csvOf(heads, cells, request.language)
  return { data, type: 'text/csv; charset=utf-8', filename: csv.filename }
}

/**
 * The page and its file.
 * @param routes makes the pages at the path with this ending
 * @param elsewhere finds a redirect that replaces the table, or null
 */
export function withCsv<R extends PageRequest, Row>(
  describe: (request: R) => TablePage<Row> | Promise<TablePage<Row>>,
  routes: (ending: '' | '.csv', handle: Handle<R>) => readonly Page[],
  elsewhere: (request: R) => Promise<PageRedirect | null> = async () => null,
): Page[] {
  const show = async (request: R) => tablePage(request, await describe(request))
  return [
    ...routes('', async (request) => (await elsewhere(request)) ?? show(request)),
    ...asData(routes('.csv', async (request) => csvResponse(request, await describe(request)))),
  ]
}
