/**
 * Filters of a list, as a URL has them, and the form around their fields; the list as a file.
 */
import { dayMs, dayStart } from '../../platform/days.ts'
import { csvOf } from '../../platform/web/csv.ts'
import { flag, html, type Html, type Piece } from '../../platform/web/html.ts'
import { inputField } from '../framework/fields.ts'
import { icon } from './icons.ts'
import type { PageAnswer, Visit } from './visit.ts'

/** What somebody typed; null for nothing. */
export function textAsked(query: URLSearchParams, name: string): string | null {
  return query.get(name)?.trim().slice(0, 200) || null
}

/** From the beginning of one day of Argentina to the end of another. What is no day bounds nothing. */
export function periodAsked(query: URLSearchParams): { from: string | null; before: string | null } {
  const from = dayStart(query.get('from') ?? '')
  const to = dayStart(query.get('to') ?? '')
  return {
    from: from === null ? null : new Date(from).toISOString(),
    before: to === null ? null : new Date(to + dayMs).toISOString(),
  }
}

export function periodFields({ t, query }: Visit): Html {
  const dayField = (name: 'from' | 'to') =>
    inputField({ name, label: t.common[name], type: 'date', value: query.get(name) ?? '' })
  return html`${dayField('from')} ${dayField('to')}`
}

/**
 * Open where something is filtered.
 * @param path of the page, below the base
 * @param all the page without filters, where that is not `path`
 */
export function filterBox(
  { t, base }: Visit,
  {
    path,
    all = path,
    isFiltered,
    fields,
  }: { path: string; all?: string; isFiltered: boolean; fields: Piece },
): Html {
  return html`<details class="card disclosure" ${flag('open', isFiltered)}>
    <summary>${t.common.filter}</summary>
    <form class="action-body stack" method="get" action="${base}${path}" role="search">
      <div class="form-row">${fields}</div>
      <div class="form-actions">
        <button class="button button-primary">${icon('search')}${t.common.filter}</button>
        ${isFiltered && html`<a class="button button-quiet" href="${base}${all}">${t.common.clearFilters}</a>`}
      </div>
    </form>
  </details>`
}

/** @param href of the file @param note what it has at most */
export function csvLink({ t }: Visit, href: string, note?: string): Html {
  return html`<p>
    <a href="${href}">${t.common.csv}</a
    >${note !== undefined && html` <span class="small muted">${note}</span>`}
  </p>`
}

/** A table as a file, for the spreadsheets of the page's language. */
export function csvAnswer(
  { language }: Visit,
  filename: string,
  heads: Parameters<typeof csvOf>[0],
  rows: Parameters<typeof csvOf>[1],
): PageAnswer {
  return { data: csvOf(heads, rows, language), type: 'text/csv; charset=utf-8', filename }
}
