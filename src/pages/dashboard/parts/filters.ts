/** The filters of a list: the fields of their form, and their values in the URL. */
import { dayMs, dayStart } from '../../../platform/time/days.ts'
import { flag, html, type Html, type Piece } from '../../../platform/web/html.ts'
import { inputField, noProblems, selectField } from '../../framework/fields.ts'
import { icon } from '../../framework/icons.ts'
import { hiddenField } from '../forms/forms.ts'
import type { PageRequest } from '../serving/page.ts'

/** A field of the form: a select if it has choices, otherwise an input. */
export type Filter = Parameters<typeof inputField>[0] &
  Readonly<{ choices?: readonly (readonly [string, string])[] }>

export function filterFields({ query }: PageRequest, filters: readonly Filter[], problems = noProblems) {
  return filters.map((filter) => {
    const options = { value: query.get(filter.name) ?? '', problems, ...filter }
    return filter.choices === undefined
      ? inputField(options)
      : selectField({ ...options, choices: filter.choices })
  })
}

export function isFiltered({ query }: PageRequest, filters: readonly Filter[]): boolean {
  return filters.some(({ name }) => (query.get(name) ?? '') !== '')
}

export function periodFilters({ t }: PageRequest): Filter[] {
  return (['from', 'to'] as const).map((name) => ({ name, label: t.common[name], type: 'date' }))
}

/** The period from the start of one day to the end of another, in Argentina. An invalid day sets no bound. */
export function typedPeriod(query: URLSearchParams): { from: string | null; before: string | null } {
  const from = dayStart(query.get('from') ?? '')
  const to = dayStart(query.get('to') ?? '')
  return {
    from: from === null ? null : new Date(from).toISOString(),
    before: to === null ? null : new Date(to + dayMs).toISOString(),
  }
}

export function typedText(query: URLSearchParams, name: string): string | null {
  return query.get(name)?.trim().slice(0, 200) || null
}

/** The parameter's value if it is one of `values`, otherwise null. */
export function chosenValue<V extends string>(query: URLSearchParams, name: string, values: readonly V[]) {
  return values.find((value) => value === query.get(name)) ?? null
}

/** The query with these parameters of the current URL, some of them changed; null omits one. Begins with `?`, or is empty. */
export function queryWith(
  query: URLSearchParams,
  names: readonly string[],
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const params = new URLSearchParams()
  for (const name of new Set([...names, ...Object.keys(changes)])) {
    const value = name in changes ? changes[name] : query.get(name)
    if (value) params.set(name, value)
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** Hidden fields that keep parameters of the current URL. */
export function hiddenQueryFields({ query }: PageRequest, names: readonly string[]): Html {
  return html`${names.filter((name) => query.has(name)).map((name) => hiddenField(name, query.get(name) ?? ''))}`
}

/** The form of the most frequent search, always visible. */
export function searchForm({ t, base }: PageRequest, path: string, fields: Piece, label = t.common.search) {
  return html`<form class="card filters" method="get" action="${base}${path}" role="search">
    <div class="filters-main">${fields}<button class="button">${icon('search')}${label}</button></div>
  </form>`
}

/**
 * The filters, open if one of them is set.
 * @param path of the page, below the base
 * @param others names of other parameters to keep
 */
export function filterBox(
  request: PageRequest,
  path: string,
  filters: readonly Filter[],
  others: readonly string[] = [],
): Html {
  const { t, base, query } = request
  const isSet = isFiltered(request, filters)
  return html`<details class="card disclosure" ${flag('open', isSet)}>
    <summary>${t.common.filter}</summary>
    <form class="action-body stack" method="get" action="${base}${path}" role="search">
      <div class="form-row">${hiddenQueryFields(request, others)}${filterFields(request, filters)}</div>
      <div class="form-actions">
        <button class="button button-primary">${icon('search')}${t.common.filter}</button>
        ${isSet && html`<a class="button button-quiet" href="${base}${path}${queryWith(query, others)}">${t.common.clearFilters}</a>`}
      </div>
    </form>
  </details>`
}
