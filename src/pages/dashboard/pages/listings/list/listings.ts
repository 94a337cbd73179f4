/** The agency's listings, as a table or as cards, filtered and paged with the API's functions. */
import type { TObject } from 'typebox'
import { queryReader } from '../../../../../http/input/validation.ts'
import { staleDays } from '../../../../../limits/sizes.ts'
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
import { chosenValue, queryWith } from '../../../parts/filters.ts'
import { notice } from '../../../forms/forms.ts'
import { empty, framed, linkButton, pager, tabs } from '../../../parts/page-parts.ts'
import { cardGrid } from './card-grid.ts'
import { filterForm, filterNames, filtersOf, typed } from './filter-form.ts'
import { listingTable } from './listing-table.ts'
import { mayChangeListings } from '../../../requested-listing.ts'
import { agencyPages, type AgencyRequest, withTestPages } from '../../../serving/page.ts'
import { noProblems, type FieldProblems } from '../../../../framework/fields.ts'
import type { Clock } from '../../../../../platform/time/clock.ts'
import { ApiError, checked } from '../../../../../platform/errors/errors.ts'
import { html, type Html } from '../../../../../platform/web/html.ts'
import { typedCurrencies, typedMoney } from '../../../../../platform/web/language/typed-money.ts'
import { currentRevision } from '../../../../../writing/revisions.ts'

const perPage = 20
const querySchema: TObject = listQuery
const readQuery = queryReader(querySchema)
const totals = totalsMemory()
const statusTabs = ['all', 'published', 'draft', 'disabled', 'removed'] as const
/** Parameters whose values people type in their own way: `250.000`, `$ 450 000`, `60,5`. */
const typedNumbers = ['min_price', 'max_price', 'min_m2', 'max_m2']

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

/** The URL with some parameters changed; null removes one. */
function urlWith(request: AgencyRequest, change: Readonly<Record<string, string | null>>): string {
  const names = [...parameters, ...filterNames(request), 'page']
  return `${request.agency.path}/listings${queryWith(request.query, names, change)}`
}

/** The tab and the filters that the URL names. */
function choiceOf(request: AgencyRequest) {
  const { query } = request
  const isStale = query.get('stale') === '1'
  const status = isStale ? 'published' : (chosenValue(query, 'status', statusTabs) ?? 'all')
  const isFiltered = isStale || filterNames(request).some((name) => typed(query, name) !== '')
  return { status, isStale, isFiltered, isCards: query.get('view') === 'cards' }
}

type Choice = ReturnType<typeof choiceOf>

async function listPage(request: AgencyRequest) {
  const { t, agency } = request
  const texts = t.listings
  const choice = choiceOf(request)
  const { status, isFiltered, isCards } = choice
  const found = await find(request, status, choice.isStale)
  const { listings, total, problems } = found
  if (listings.length === 0 && total > 0) {
    const last = Math.min(lastListPage, Math.ceil(total / perPage))
    return { to: urlWith(request, { page: String(last) }) }
  }
  const isRefused = Object.keys(problems).length > 0
  const hasNone = total === 0 && status === 'all' && !isFiltered && !isRefused
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
    html`${tabsPart(request, choice)}
    ${status === 'removed' ? notice('info', texts.removedText) : !hasNone && filterForm(request, found, isFiltered ? status : null)}
    ${
      // Without listings there is nothing to search or to switch.
      !hasNone && countLine(request, choice, total)
    }
    ${
      listings.length === 0
        ? html`<section class="card">${nothingThere(request, status, isFiltered)}</section>`
        : isCards
          ? cardGrid(request, listings)
          : html`<section class="card card-flush">${listingTable(request, listings)}</section>`
    }
    ${pageLinks(request, found)}`,
  )
}

/** Leaves the stale listings, and returns to the first page. */
const cleared = { stale: null, page: null }

/** The tabs of the states, and a notice about stale listings if only they are shown. */
function tabsPart(request: AgencyRequest, { status, isStale }: Choice): Html {
  const { t, base } = request
  const urlOf = (tab: string) => urlWith(request, { ...cleared, status: tab === 'all' ? null : tab })
  const entries = statusTabs.map((tab) => [t.listings.tabs[tab], urlOf(tab), tab === status] as const)
  return html`${tabs(request, t.common.status, entries)}
  ${isStale && notice('info', html`${t.listingForm.staleText(staleDays)} <a href="${base}${urlWith(request, cleared)}">${t.common.seeAll}</a>`)}`
}

/** The number of listings found, and links to stale ones and to the other view. */
function countLine(request: AgencyRequest, { status, isStale, isCards }: Choice, total: number): Html {
  const { t, format } = request
  const [view, symbol, viewText] = isCards
    ? ([null, 'rows', t.usage.asTable] as const)
    : (['cards', 'grid', t.listings.asCards] as const)
  const staleUrl = urlWith(request, { stale: '1', status: null, page: null })
  return html`<div class="row-apart">
    <p class="muted" role="status">${t.listings.listingCount(format.number(total))}</p>
    <div class="row">
      ${!isStale && status !== 'removed' && linkButton(request, staleUrl, t.listingForm.stale(staleDays), undefined, 'button-small')}
      ${linkButton(request, urlWith(request, { view }), viewText, symbol, 'button-small')}
    </div>
  </div>`
}

/** Links to the previous and the next page, if there is more than one. */
function pageLinks(request: AgencyRequest, { total, sent: { page = 1 } }: FoundListings): Html | null {
  const { t, format, base } = request
  if (page === 1 && total <= perPage) return null
  const first = (page - 1) * perPage
  const [from, to] = [first + 1, first + perPage].map((position) => format.number(Math.min(position, total)))
  const text = t.listings.range(from ?? '', to ?? '', format.number(total))
  const hasNext = first + perPage < total && page < lastListPage
  const urlOf = (target: number) => base + urlWith(request, { page: String(target) })
  return pager(request, page, hasNext, text, urlOf)
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

export const listingsPages = withTestPages(agencyPages('GET', '/listings', 'agency', listPage))
