/** The agency's listings, as a table or as cards, filtered and paged with the API's functions. */
import type { TObject } from 'typebox'
import { queryReader } from '../../../../../http/input/validation.ts'
import { externalIdLength, staleDays, textLimits } from '../../../../../limits/sizes.ts'
import {
  lastListPage,
  listQuery,
  readFilters,
  type SentListQuery,
} from '../../../../../listings/reading/list/list-parameters.ts'
import type { Filters } from '../../../../../listings/reading/list/list-filters.ts'
import type { Sort } from '../../../../../listings/reading/list/list-sql.ts'
import { listListings, totalsMemory } from '../../../../../listings/reading/list/list.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { listRemoved } from '../../../../../listings/reading/removed.ts'
import { currencies, operations, types } from '../../../../../listings/fields/vocabulary.ts'
import {
  chosenValue,
  type Filter,
  filterFields,
  hiddenQueryFields,
  queryWith,
} from '../../../parts/filters.ts'
import { notice } from '../../../forms/forms.ts'
import { empty, framed, linkButton, pager, tabs } from '../../../parts/page-parts.ts'
import { cover, priceShown, statusBadges, summaryText, titleText } from '../parts.ts'
import { listingTable } from './listing-table.ts'
import { mayChangeListings } from '../../../requested-listing.ts'
import { agencyPages, type AgencyRequest, withTestPages } from '../../../serving/page.ts'
import { noProblems, type FieldProblems } from '../../../../framework/fields.ts'
import { icon } from '../../../../framework/icons.ts'
import type { Clock } from '../../../../../platform/time/clock.ts'
import { ApiError, checked } from '../../../../../platform/errors/errors.ts'
import { html, type Html } from '../../../../../platform/web/html.ts'
import { typedCurrencies, typedMoney } from '../../../../../platform/web/language/typed-money.ts'
import { currentRevision } from '../../../../../platform/writing/revisions.ts'

const perPage = 20
const querySchema: TObject = listQuery
const readQuery = queryReader(querySchema)
const totals = totalsMemory()
const statusTabs = ['all', 'published', 'draft', 'disabled', 'removed'] as const
/** Parameters whose values people type in their own way: `250.000`, `$ 450 000`, `60,5`. */
const typedNumbers = ['min_price', 'max_price', 'min_m2', 'max_m2']

/** Filters that are always shown, and others that open on a click. */
function filtersOf({ t, query }: AgencyRequest, sent: SentListQuery = {}): Record<'main' | 'more', Filter[]> {
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
        maxlength: textLimits.place,
      },
      { name: 'operation', label: texts.operation, choices: [['', texts.anyOperation], ...ofOperation] },
      { name: 'type', label: texts.type, choices: [['', texts.anyType], ...ofType] },
    ],
    more: [
      { name: 'city', label: texts.city, maxlength: textLimits.place },
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

/** Parameters of the list beside its filters. */
const parameters = ['status', 'stale', 'sort', 'view']

type FoundListings = { listings: Listing[]; total: number; problems: FieldProblems; sent: SentListQuery }

async function find(request: AgencyRequest, status: string, isStale: boolean): Promise<FoundListings> {
  const { query, agency, deps } = request
  const wanted = new Map<string, string>()
  for (const name of [...filterNames(request), 'sort', 'page']) {
    const value = typed(query, name)
    if (value !== '')
      wanted.set(name, typedNumbers.includes(name) ? String(typedMoney(value) ?? value) : value)
  }
  const [named, another] = typedCurrencies([query.get('min_price'), query.get('max_price')])
  if (named !== undefined) wanted.set('currency', named)
  // Two currencies: the query rejects the text as typed, and the problem appears beside its field.
  if (another !== undefined) wanted.set('max_price', query.get('max_price') ?? '')
  let sent: SentListQuery = {}
  try {
    sent = checked((wrong) => readQuery(wanted, wrong)) as SentListQuery
    const { page = 1, sort = isStale ? 'updated' : 'recent' } = sent
    if (status === 'removed') {
      const window = { limit: perPage, offset: (page - 1) * perPage }
      return { ...(await listRemoved(deps.db, agency.id, window)), problems: noProblems, sent }
    }
    const filters = readFilters({ ...sent, status: status as Filters['status'] })
    if (filters.q !== undefined) filters.by_code = true
    if (isStale) filters.updated_before = staleSince(deps.clock)
    const counted = { id: agency.id, revision: await currentRevision(deps.db, agency.id) }
    const query = { filters, sort: sort as Sort, page, perPage }
    const found = await listListings(deps.db, totals, counted, query)
    return { ...found, problems: noProblems, sent }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_parameter') throw error
    const { t } = request
    const text = error.parameter === 'currency' ? t.listings.needsCurrency : t.refusals.invalid
    return { listings: [], total: 0, problems: { [error.parameter ?? '']: text }, sent }
  }
}

/** Rounded to the minute, so that the cached total serves the following pages. */
function staleSince({ offsetMs }: Clock): string {
  const minute = 60_000
  const now = Math.floor((Date.now() + offsetMs) / minute) * minute
  return new Date(now - staleDays * 1_440 * minute).toISOString()
}

function typed(query: URLSearchParams, name: string): string {
  return (query.get(name) ?? '').trim()
}

function filterNames(request: AgencyRequest): string[] {
  const { main, more } = filtersOf(request)
  return [...main, ...more].map(({ name }) => name)
}

/** The URL with some parameters changed; null removes one. */
function urlWith(request: AgencyRequest, change: Readonly<Record<string, string | null>>): string {
  const names = [...parameters, ...filterNames(request), 'page']
  return `${request.agency.path}/listings${queryWith(request.query, names, change)}`
}

async function listPage(request: AgencyRequest) {
  const { t, format, query, base, agency } = request
  const texts = t.listings
  const isStale = query.get('stale') === '1'
  const status = isStale ? 'published' : (chosenValue(query, 'status', statusTabs) ?? 'all')
  const isCards = query.get('view') === 'cards'
  const { listings, total, problems, sent } = await find(request, status, isStale)
  const page = sent.page ?? 1
  if (listings.length === 0 && total > 0) {
    const last = Math.min(lastListPage, Math.ceil(total / perPage))
    return { to: urlWith(request, { page: String(last) }) }
  }
  const isFiltered = isStale || filterNames(request).some((name) => typed(query, name) !== '')
  const first = (page - 1) * perPage
  const isRefused = Object.keys(problems).length > 0
  const hasNone = total === 0 && status === 'all' && !isFiltered && !isRefused
  const cleared = { stale: null, page: null }
  const tabUrl = (one: string) => urlWith(request, { ...cleared, status: one === 'all' ? null : one })
  const tabEntries = statusTabs.map((one) => [texts.tabs[one], tabUrl(one), one === status] as const)
  const [view, symbol, viewText] = isCards
    ? ([null, 'rows', t.usage.asTable] as const)
    : (['cards', 'grid', texts.asCards] as const)
  const range = [first + 1, first + perPage].map((place) => format.number(Math.min(place, total)))
  const hasNext = first + perPage < total && page < lastListPage
  const { main, more } = filtersOf(request)
  const labels = Object.fromEntries([...main, ...more].map(({ name, label }) => [name, String(label)]))
  return framed(
    { ...request, refusal: { problems, code: isRefused ? 'invalid_parameter' : null } },
    {
      title: t.nav.listings,
      section: 'listings',
      subtitle: agency.path === '/dashboard' ? texts.subtitle : agency.name,
      actions: html`${linkButton(request, `${agency.path}/visits`, t.visits.kinds.views, 'usage')}${newButton(request)}`,
      labels: { sort: texts.sort, ...labels },
    },
    html`${tabs(request, t.common.status, tabEntries)}
    ${isStale && notice('info', html`${t.listingForm.staleText(staleDays)} <a href="${base}${urlWith(request, cleared)}">${t.common.seeAll}</a>`)}
    ${status === 'removed' ? notice('info', texts.removedText) : !hasNone && filterForm(request, { problems, sent }, isFiltered ? status : null)}
    ${
      // Without listings there is nothing to search or to switch.
      !hasNone &&
      html`<div class="row-apart">
        <p class="muted" role="status">${texts.found(format.number(total), total)}</p>
        <div class="row">
          ${!isStale && status !== 'removed' && linkButton(request, urlWith(request, { stale: '1', status: null, page: null }), t.listingForm.stale(staleDays), undefined, 'button-small')}
          ${linkButton(request, urlWith(request, { view }), viewText, symbol, 'button-small')}
        </div>
      </div>`
    }
    ${
      listings.length === 0
        ? html`<section class="card">${nothingThere(request, status, isFiltered)}</section>`
        : isCards
          ? cardGrid(request, listings)
          : html`<section class="card card-flush">${listingTable(request, listings)}</section>`
    }
    ${(page > 1 || total > perPage) && pager(request, page, hasNext, texts.range(range[0] ?? '', range[1] ?? '', format.number(total)), (target) => base + urlWith(request, { page: String(target) }))}`,
  )
}

function newButton(request: AgencyRequest): Html | null {
  const { t, agency } = request
  if (!mayChangeListings(request)) return null
  return linkButton(request, `${agency.path}/listings/new`, t.listingForm.create, 'plus', 'button-primary')
}

function nothingThere(request: AgencyRequest, status: string, isFiltered: boolean): Html {
  const texts = request.t.listings
  if (isFiltered) return empty('listings', texts.noneFound, texts.noneFoundText)
  if (status === 'all') return empty('listings', texts.none, texts.noneText, newButton(request))
  return empty('listings', texts.noneOfThese, texts.noneOfTheseText)
}

/** @param clearedStatus the tab that clearing the filters leads to; null if no filter is set */
function filterForm(
  request: AgencyRequest,
  { problems, sent }: Pick<FoundListings, 'problems' | 'sent'>,
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

/** Listings as cards. @param isSmall on a page that also shows other things */
export function cardGrid(request: AgencyRequest, listings: readonly Listing[], isSmall = false): Html {
  const { base, agency } = request
  return html`<ul class="cards ${isSmall && 'cards-small'}">
    ${listings.map(
      (listing) =>
        html`<li class="card listing-card">
          ${cover(request, listing, 'medium')}
          <div class="listing-card-body">
            ${statusBadges(request, listing)}
            <p class="price">${priceShown(request, listing)}</p>
            <p>
              <a href="${base}${agency.path}/listings/${listing.public_id}">${titleText(request, listing)}</a>
            </p>
            <p class="small muted">${summaryText(request, listing)}</p>
          </div>
        </li>`,
    )}
  </ul>`
}

export const listingsPages = withTestPages(agencyPages('GET', '/listings', 'agency', listPage))
