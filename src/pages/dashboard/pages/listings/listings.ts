/** The agency's listings, as a table or as cards, filtered and paged by the functions of the API. */
import type { TObject } from 'typebox'
import { queryReader } from '../../../../http/input/validation.ts'
import { staleDays } from '../../../../limits/table.ts'
import {
  lastListPage,
  listQuery,
  readFilters,
  type SentListQuery,
} from '../../../../listings/list/list-parameters.ts'
import type { Filters, Sort } from '../../../../listings/list/list-sql.ts'
import { listListings, totalsMemory } from '../../../../listings/list/list.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { listRemoved } from '../../../../listings/removed.ts'
import { currencies, operations, types } from '../../../../listings/vocabulary.ts'
import { chosenValue, type Filter, filterFields, keptFields, queryWith } from '../../filters.ts'
import { notice } from '../../forms.ts'
import { empty, framed, linkButton, pager, tabs } from '../../page-parts.ts'
import { cover, priceShown, statusBadges, summaryText, titleText } from './parts.ts'
import { listingTable } from './rows.ts'
import { mayWrite } from '../../requested-listing.ts'
import { agencyPages, type AgencyVisit, withTestPages } from '../../visit.ts'
import { noProblems, type Problems } from '../../../framework/fields.ts'
import { icon } from '../../../framework/icons.ts'
import type { Clock } from '../../../../platform/clock.ts'
import { ApiError, checked } from '../../../../platform/errors.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { typedCurrencies, typedMoney } from '../../../../platform/web/typed-money.ts'
import { currentRevision } from '../../../../platform/writing/under-lock.ts'

const perPage = 20
const querySchema: TObject = listQuery
const readQuery = queryReader(querySchema)
const totals = totalsMemory()
const statusTabs = ['all', 'published', 'draft', 'disabled', 'removed'] as const
/** Parameters whose values people type in their own way: `250.000`, `$ 450 000`, `60,5`. */
const typedNumbers = ['min_price', 'max_price', 'min_m2', 'max_m2']

/** Filters that are always shown, and others that open on a click. */
function filtersOf({ t, query }: AgencyVisit, sent: SentListQuery = {}): { main: Filter[]; more: Filter[] } {
  const texts = t.listings
  const money = { inputmode: 'decimal', maxlength: 30 }
  const count = { type: 'number', inputmode: 'numeric', min: '0' }
  const ofType = types.map((one) => [one, texts.types[one]?.[0] ?? one] as const)
  const ofOperation = operations.map((one) => [one, texts.operations[one]] as const)
  const ofCurrency = [['', texts.anyCurrency], ...currencies.map((one) => [one, one] as const)] as const
  const currency = sent.currency ?? query.get('currency') ?? ''
  return {
    main: [
      { name: 'q', label: t.common.search, placeholder: texts.searchHint, type: 'search', maxlength: 80 },
      { name: 'operation', label: texts.operation, choices: [['', texts.anyOperation], ...ofOperation] },
      { name: 'type', label: texts.type, choices: [['', texts.anyType], ...ofType] },
    ],
    more: [
      { name: 'city', label: texts.city, maxlength: 80 },
      { name: 'currency', label: texts.currency, value: currency, choices: ofCurrency },
      { name: 'min_price', label: texts.minPrice, ...money },
      { name: 'max_price', label: texts.maxPrice, ...money },
      { name: 'bedrooms', label: texts.minBedrooms, ...count },
      { name: 'bathrooms', label: texts.minBathrooms, ...count },
      { name: 'min_m2', label: texts.minArea, ...money },
      { name: 'max_m2', label: texts.maxArea, ...money },
      { name: 'external_id', label: texts.externalId, maxlength: 64 },
    ],
  }
}

/** Parameters of the list beside its filters. */
const parameters = ['status', 'stale', 'sort', 'view']

type Found = { listings: Listing[]; total: number; problems: Problems; sent: SentListQuery }

async function find(visit: AgencyVisit, status: string, isStale: boolean): Promise<Found> {
  const { query, agency, deps } = visit
  const wanted = new Map<string, string>()
  for (const name of [...filterNames(visit), 'sort', 'page']) {
    const value = typed(query, name)
    if (value !== '')
      wanted.set(name, typedNumbers.includes(name) ? String(typedMoney(value) ?? value) : value)
  }
  const [named, another] = typedCurrencies([query.get('min_price'), query.get('max_price')])
  if (named !== undefined) wanted.set('currency', named)
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
    const found = await listListings(deps.db, totals, counted, filters, sort as Sort, page, perPage)
    return { ...found, problems: noProblems, sent }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_parameter') throw error
    const { t } = visit
    const text = error.parameter === 'currency' ? t.listings.needsCurrency : t.refusals.invalid
    return { listings: [], total: 0, problems: { [error.parameter ?? '']: text }, sent }
  }
}

/** Rounded to the minute, so that the remembered total serves the following pages. */
function staleSince({ offsetMs }: Clock): string {
  const minute = 60_000
  const now = Math.floor((Date.now() + offsetMs) / minute) * minute
  return new Date(now - staleDays * 1_440 * minute).toISOString()
}

function typed(query: URLSearchParams, name: string): string {
  return (query.get(name) ?? '').trim()
}

function filterNames(visit: AgencyVisit): string[] {
  const { main, more } = filtersOf(visit)
  return [...main, ...more].map(({ name }) => name)
}

/** The URL with some parameters changed; null removes one. */
function urlWith(visit: AgencyVisit, change: Readonly<Record<string, string | null>>): string {
  const names = [...parameters, ...filterNames(visit), 'page']
  return `${visit.agency.path}/listings${queryWith(visit.query, names, change)}`
}

async function listPage(visit: AgencyVisit) {
  const { t, format, query, base, agency } = visit
  const texts = t.listings
  const isStale = query.get('stale') === '1'
  const status = isStale ? 'published' : (chosenValue(query, 'status', statusTabs) ?? 'all')
  const isCards = query.get('view') === 'cards'
  const { listings, total, problems, sent } = await find(visit, status, isStale)
  const page = sent.page ?? 1
  if (listings.length === 0 && total > 0) {
    const last = Math.min(lastListPage, Math.ceil(total / perPage))
    return { to: urlWith(visit, { page: String(last) }) }
  }
  const isFiltered = isStale || filterNames(visit).some((name) => typed(query, name) !== '')
  const first = (page - 1) * perPage
  const isRefused = Object.keys(problems).length > 0
  const hasNone = total === 0 && status === 'all' && !isFiltered && !isRefused
  const cleared = { stale: null, page: null }
  const tabUrl = (one: string) => urlWith(visit, { ...cleared, status: one === 'all' ? null : one })
  const tabEntries = statusTabs.map((one) => [texts.tabs[one], tabUrl(one), one === status] as const)
  const [view, symbol, viewText] = isCards
    ? ([null, 'rows', t.usage.asTable] as const)
    : (['cards', 'grid', texts.asCards] as const)
  const range = [first + 1, first + perPage].map((place) => format.number(Math.min(place, total)))
  const hasNext = first + perPage < total && page < lastListPage
  const all = [...filtersOf(visit).main, ...filtersOf(visit).more]
  return framed(
    { ...visit, refusal: { problems, status: isRefused ? 400 : 200 } },
    {
      title: t.nav.listings,
      section: 'listings',
      subtitle: agency.path === '/dashboard' ? texts.subtitle : agency.name,
      actions: html`${linkButton(visit, `${agency.path}/visits`, t.visits.title, 'usage')}${newButton(visit)}`,
      labels: {
        sort: texts.sort,
        ...Object.fromEntries(all.map(({ name, label }) => [name, String(label)])),
      },
    },
    html`${tabs(visit, t.common.status, tabEntries)}
    ${isStale && notice('info', html`${t.listingForm.staleText(staleDays)} <a href="${base}${urlWith(visit, cleared)}">${t.common.seeAll}</a>`)}
    ${status === 'removed' ? notice('info', texts.removedText) : !hasNone && filterForm(visit, { problems, sent }, isFiltered ? status : null)}
    ${
      // Without listings there is nothing to search or to switch.
      !hasNone &&
      html`<div class="row-apart">
        <p class="muted" role="status">${texts.found(format.number(total), total)}</p>
        <div class="row">
          ${!isStale && status !== 'removed' && linkButton(visit, urlWith(visit, { stale: '1', status: null, page: null }), t.listingForm.stale(staleDays), undefined, 'button-small')}
          ${linkButton(visit, urlWith(visit, { view }), viewText, symbol, 'button-small')}
        </div>
      </div>`
    }
    ${
      listings.length === 0
        ? html`<section class="card">${nothingThere(visit, status, isFiltered)}</section>`
        : isCards
          ? cardGrid(visit, listings)
          : html`<section class="card card-flush">${listingTable(visit, listings)}</section>`
    }
    ${(page > 1 || total > perPage) && pager(visit, page, hasNext, texts.range(range[0] ?? '', range[1] ?? '', format.number(total)), (target) => base + urlWith(visit, { page: String(target) }))}`,
  )
}

function newButton(visit: AgencyVisit): Html | null {
  const { t, agency } = visit
  if (!mayWrite(visit)) return null
  return linkButton(visit, `${agency.path}/listings/new`, t.listingForm.create, 'plus', 'button-primary')
}

/** Why the list is empty. */
function nothingThere(visit: AgencyVisit, status: string, isFiltered: boolean): Html {
  const texts = visit.t.listings
  if (isFiltered) return empty('listings', texts.noneFound, texts.noneFoundText)
  if (status === 'all') return empty('listings', texts.none, texts.noneText, newButton(visit))
  return empty('listings', texts.noneOfThese, texts.noneOfTheseText)
}

/** @param clearedStatus the tab that clearing the filters leads to; null if no filter is set */
function filterForm(
  visit: AgencyVisit,
  { problems, sent }: Pick<Found, 'problems' | 'sent'>,
  clearedStatus: string | null,
): Html {
  const { t, query, base, agency } = visit
  const texts = t.listings
  const { main, more } = filtersOf(visit, sent)
  const sort: Filter = {
    name: 'sort',
    label: texts.sort,
    choices: Object.entries(texts.sorts),
    more: html` data-auto`,
  }
  const count = more.filter(({ name }) => (query.get(name) ?? '') !== '').length
  return html`<form class="card filters" method="get" action="${base}${agency.path}/listings" role="search">
    ${keptFields(visit, ['status', 'view', 'stale'])}
    <div class="filters-main">
      ${filterFields(visit, [...main, sort], problems)}
      <button class="button button-primary">${icon('search')}${t.common.search}</button>
    </div>
    <details class="disclosure" ${Object.keys(problems).length > 0 && html` open`}>
      <summary>
        ${texts.moreFilters}${count > 0 && html` <span class="badge badge-info">${count}</span>`}
      </summary>
      <div class="filters-more">${filterFields(visit, more, problems)}</div>
    </details>
    ${clearedStatus !== null && html`<p class="small"><a href="${base}${agency.path}/listings${clearedStatus === 'all' ? '' : `?status=${clearedStatus}`}">${t.common.clearFilters}</a></p>`}
  </form>`
}

/** Listings as cards. @param isSmall on a page that also shows other things */
export function cardGrid(visit: AgencyVisit, listings: readonly Listing[], isSmall = false): Html {
  const { base, agency } = visit
  return html`<ul class="cards ${isSmall && 'cards-small'}">
    ${listings.map(
      (listing) =>
        html`<li class="card listing-card">
          ${cover(visit, listing, 'medium')}
          <div class="listing-card-body">
            ${statusBadges(visit, listing)}
            <p class="price">${priceShown(visit, listing)}</p>
            <p>
              <a href="${base}${agency.path}/listings/${listing.public_id}">${titleText(visit, listing)}</a>
            </p>
            <p class="small muted">${summaryText(visit, listing)}</p>
          </div>
        </li>`,
    )}
  </ul>`
}

export const listingsPages = withTestPages(agencyPages('GET', '/listings', 'agency', listPage))
