/** A table from its columns, and lists of facts. */
import { html, type Html, nothing, type Piece } from '../../platform/web/html.ts'

/** The first column leads its row. On a narrow screen, each other cell shows its title. */
export type Column<Row> = Readonly<{
  title: string
  cell: (row: Row) => Piece
  className?: string
  /** Shows the title to screen readers only, where the cells explain themselves. */
  hidesTitle?: boolean
  sort?: Readonly<{ href: string; label: string; direction: 'ascending' | 'descending'; isCurrent: boolean }>
}>

/** For numbers. */
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

function cell<Row>(
  { title, cell: show, className, hidesTitle }: Column<Row>,
  row: Row,
  isLead: boolean,
): Html {
  const kind = isLead ? 'lead' : hidesTitle === true ? 'plain' : ''
  const label = kind === '' && html` data-label="${title}"`
  const classes = [kind, className].filter(Boolean).join(' ')
  return html`<td${label}${classes !== '' && html` class="${classes}"`}>${show(row)}</td>`
}

/** A text that says little, such as a dash where there is no value. */
export function muted(text = '–'): Html {
  return html`<span class="muted">${text}</span>`
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
