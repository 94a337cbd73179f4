/**
 * The head of a table, and lists of facts.
 */
import { html, type Html, nothing, type Piece } from '../../platform/web/html.ts'

/** The label of a column; hidden where the cells explain themselves to the eye. */
export type Column = string | Readonly<{ label: string; className?: string; isHidden?: boolean }>

/** @param caption for screen readers; null where a heading already says it */
export function tableHead(caption: string | null, columns: readonly Column[]): Html {
  return html`${
      caption !== null &&
      html`<caption class="visually-hidden">
        ${caption}
      </caption>`
    }
    <thead>
      <tr>
        ${columns.map(columnHead)}
      </tr>
    </thead>`
}

function columnHead(column: Column): Html {
  const { label, className, isHidden } =
    typeof column === 'string' ? { label: column, className: undefined, isHidden: false } : column
  const shown = isHidden === true ? html`<span class="visually-hidden">${label}</span>` : label
  return html`<th scope="col" ${className !== undefined && html` class="${className}"`}>${shown}</th>`
}

/** One of a list of facts; nothing where the value is missing. */
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
