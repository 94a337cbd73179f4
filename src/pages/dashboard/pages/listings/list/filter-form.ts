/** The filters of the agency's listings, and the form that sets them. */
import { externalIdLength, textLimits } from '../../../../../limits/sizes.ts'
import type { SentListQuery } from '../../../../../listings/reading/list/list-parameters.ts'
import { currencies, operations, types } from '../../../../../listings/fields/vocabulary.ts'
import { html, type Html } from '../../../../../platform/web/html.ts'
import type { FieldProblems } from '../../../../framework/fields.ts'
import { icon } from '../../../../framework/icons.ts'
import { type Filter, filterFields, hiddenQueryFields } from '../../../parts/filters.ts'
import type { AgencyRequest } from '../../../serving/page.ts'

/** Filters that are always shown, and others that open on a click. */
export function filtersOf(
  { t, query }: AgencyRequest,
  sent: SentListQuery = {},
): Record<'main' | 'more', Filter[]> {
  const texts = t.listings
  const money = { inputmode: 'decimal', maxlength: 30 }
  const count = { type: 'number', inputmode: 'numeric', min: '0' }
  const ofType = types.map((one) => [one, texts.types[one]?.[0] ?? one] as const)
  const ofOperation = operations.map((one) => [one, texts.operations[one]] as const)
  const ofCurrency = [['', texts.anyCurrency], ...currencies.map((one) => [one, one] as const)] as const
  const currency = sent.currency ?? query.get('currency') ?? ''
  return {
    main: [
      {
        name: 'q',
        label: t.common.search,
        placeholder: texts.searchHint,
        type: 'search',
        maxlength: textLimits.locality,
      },
      { name: 'operation', label: texts.operation, choices: [['', texts.anyOperation], ...ofOperation] },
      { name: 'type', label: texts.type, choices: [['', texts.anyType], ...ofType] },
    ],
    more: [
      { name: 'city', label: texts.city, maxlength: textLimits.locality },
      { name: 'currency', label: texts.currency, value: currency, choices: ofCurrency },
      { name: 'min_price', label: texts.minPrice, ...money },
      { name: 'max_price', label: texts.maxPrice, ...money },
      { name: 'bedrooms', label: texts.minBedrooms, ...count },
      { name: 'bathrooms', label: texts.minBathrooms, ...count },
      { name: 'min_m2', label: texts.minArea, ...money },
      { name: 'max_m2', label: texts.maxArea, ...money },
      { name: 'external_id', label: texts.externalId, maxlength: externalIdLength },
    ],
  }
}

/** The parameter's text, trimmed; empty if it is absent. */
export function typed(query: URLSearchParams, name: string): string {
  return (query.get(name) ?? '').trim()
}

export function filterNames(request: AgencyRequest): string[] {
  const { main, more } = filtersOf(request)
  return [...main, ...more].map(({ name }) => name)
}

/** @param clearedStatus the tab that clearing the filters leads to; null if no filter is set */
export function filterForm(
  request: AgencyRequest,
  { problems, sent }: { problems: FieldProblems; sent: SentListQuery },
  clearedStatus: string | null,
): Html {
  const { t, query, base, agency } = request
  const texts = t.listings
  const { main, more } = filtersOf(request, sent)
  const sort: Filter = {
    name: 'sort',
    label: texts.sort,
    choices: Object.entries(texts.sorts),
    more: html` data-auto`,
  }
  const count = more.filter(({ name }) => (query.get(name) ?? '') !== '').length
  return html`<form class="card filters" method="get" action="${base}${agency.path}/listings" role="search">
    ${hiddenQueryFields(request, ['status', 'view', 'stale'])}
    <div class="filters-main">
      ${filterFields(request, [...main, sort], problems)}
      <button class="button button-primary">${icon('search')}${t.common.search}</button>
    </div>
    <details class="disclosure" ${Object.keys(problems).length > 0 && html` open`}>
      <summary>
        ${texts.moreFilters}${count > 0 && html` <span class="badge badge-info">${count}</span>`}
      </summary>
      <div class="filters-more">${filterFields(request, more, problems)}</div>
    </details>
    ${clearedStatus !== null && html`<p class="small"><a href="${base}${agency.path}/listings${clearedStatus === 'all' ? '' : `?status=${clearedStatus}`}">${t.common.clearFilters}</a></p>`}
  </form>`
}
