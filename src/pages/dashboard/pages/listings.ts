/**
 * The agency's listings, as a table or as cards, filtered and paged by the functions of the API.
 */
import type { TObject } from 'typebox'
import type { Clock } from '../../../platform/clock.ts'
import { ApiError, checked } from '../../../platform/errors.ts'
import { queryReader } from '../../../http/input/validation.ts'
import { staleDays } from '../../../limits/table.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { typedCurrencies, typedMoney } from '../../../platform/web/typed-money.ts'
import {
  lastListPage,
  listQuery,
  readFilters,
  type SentListQuery,
} from '../../../listings/list/list-parameters.ts'
import type { Filters, Sort } from '../../../listings/list/list-sql.ts'
import { listListings, totalsMemory } from '../../../listings/list/list.ts'
import type { Listing } from '../../../listings/listing.ts'
import { listRemoved } from '../../../listings/removed.ts'
import { currencies, operations, types } from '../../../listings/vocabulary.ts'
import { currentRevision } from '../../../platform/writing/agency-lock.ts'
import { inputField, noProblems, notice, problemSummary, type Problems, selectField } from '../forms.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, empty, pageHead, pager, sectionOf, tabs } from '../layout.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer, withTestPages } from '../visit.ts'
import { cover, priceShown, statusBadges, summaryText, titleText } from './listing-parts.ts'
import { listingTable } from './listing-rows.ts'
import { mayWrite } from './listing-state.ts'

const perPage = 20
const querySchema: TObject = listQuery
const readQuery = queryReader(querySchema)
const totals = totalsMemory()
const statusTabs = ['all', 'published', 'draft', 'disabled', 'removed'] as const
/** The fields of the filter form; the rest of the query is tab, view, order and page. */
const filterNames = [
  'q',
  'operation',
  'type',
  'city',
  'currency',
  'min_price',
  'max_price',
  'bedrooms',
  'bathrooms',
  'min_m2',
  'max_m2',
  'external_id',
] as const

/** Read as people write them: `250.000`, `$ 450 000`, `60,5`. */
const typedNumbers: ReadonlySet<string> = new Set(['min_price', 'max_price', 'min_m2', 'max_m2'])

type Found = { listings: Listing[]; total: number; problems: Problems; sent: SentListQuery }

async function find(visit: AgencyVisit, status: string, isStale: boolean): Promise<Found> {
  const { query, agency, deps } = visit
  const parameters = new Map<string, string>()
  for (const name of [...filterNames, 'sort', 'page']) {
    const value = (query.get(name) ?? '').trim()
    if (value !== '')
      parameters.set(name, typedNumbers.has(name) ? String(typedMoney(value) ?? value) : value)
  }
  const [named, another] = typedCurrencies([query.get('min_price'), query.get('max_price')])
  if (named !== undefined) parameters.set('currency', named)
  if (another !== undefined) parameters.set('max_price', query.get('max_price') ?? '')
  let sent: SentListQuery = {}
  try {
    sent = checked((wrong) => readQuery(parameters, wrong)) as SentListQuery
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

/** To the minute, so that its total is remembered for the pages that are looked at. */
function staleSince({ offsetMs }: Clock): string {
  const minute = 60_000
  const now = Math.floor((Date.now() + offsetMs) / minute) * minute
  return new Date(now - staleDays * 1_440 * minute).toISOString()
}

/** The URL with some parameters changed; null removes one. */
function urlWith({ query, agency }: AgencyVisit, change: Readonly<Record<string, string | null>>): string {
  const next = new URLSearchParams()
  for (const name of ['status', 'stale', ...filterNames, 'sort', 'view', 'page']) {
    const value = name in change ? change[name] : query.get(name)
    if (value !== null && value !== undefined && value !== '') next.set(name, value)
  }
  const text = next.toString()
  return `${agency.path}/listings${text === '' ? '' : `?${text}`}`
}

async function listPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, format, query, base } = visit
  const texts = t.listings
  const isStale = query.get('stale') === '1'
  const status = isStale ? 'published' : (statusTabs.find((one) => one === query.get('status')) ?? 'all')
  const view = query.get('view') === 'cards' ? 'cards' : 'table'
  const { listings, total, problems, sent } = await find(visit, status, isStale)
  const page = sent.page ?? 1
  if (listings.length === 0 && total > 0) {
    const last = Math.min(lastListPage, Math.ceil(total / perPage))
    return { to: urlWith(visit, { page: String(last) }) }
  }
  const isFiltered = isStale || filterNames.some((name) => (query.get(name) ?? '').trim() !== '')
  const first = (page - 1) * perPage
  /** Nothing to search in, or to look at otherwise. */
  const hasNone = total === 0 && status === 'all' && !isFiltered && Object.keys(problems).length === 0
  return {
    title: texts.title,
    section: sectionOf(visit, 'listings'),
    status: Object.keys(problems).length > 0 ? 400 : 200,
    body: html`${pageHead(visit, { title: texts.title, subtitle: visit.agency.path === '/dashboard' ? texts.subtitle : visit.agency.name, crumbs: agencyCrumbs(visit), actions: html`<a class="button" href="${visit.base}${visit.agency.path}/visits">${icon('usage')}${t.visits.title}</a>${newButton(visit)}` })}
      <div class="stack-l">
        ${tabs(
          visit,
          t.common.status,
          statusTabs.map((one) => [
            texts.tabs[one],
            urlWith(visit, { status: one === 'all' ? null : one, stale: null, page: null }),
            one === status,
          ]),
        )}
        ${isStale && notice('info', html`${t.listingForm.staleText(staleDays)} <a href="${base}${urlWith(visit, { stale: null, page: null })}">${t.listingForm.allListings}</a>`)}
        ${status === 'removed' ? notice('info', texts.removedText) : !hasNone && filterForm(visit, status, view, { problems, sent }, isFiltered)}
        ${
          !hasNone &&
          html`<div class="row-apart">
            <p class="muted" role="status">${texts.found(format.number(total), total)}</p>
            <div class="row">
              ${!isStale && status !== 'removed' && html`<a class="button button-small" href="${base}${urlWith(visit, { stale: '1', status: null, page: null })}">${t.listingForm.stale(staleDays)}</a>`}
              <a
                class="button button-small"
                href="${base}${urlWith(visit, { view: view === 'cards' ? null : 'cards' })}"
                >${icon(view === 'cards' ? 'rows' : 'grid')}${view === 'cards' ? texts.asTable : texts.asCards}</a
              >
            </div>
          </div>`
        }
        ${
          listings.length === 0
            ? html`<section class="card">${nothingThere(visit, status, isFiltered)}</section>`
            : view === 'cards'
              ? cardGrid(visit, listings)
              : html`<section class="card card-flush">${listingTable(visit, listings)}</section>`
        }
        ${
          (page > 1 || total > perPage) &&
          pager(
            visit,
            page,
            first + perPage < total && page < lastListPage,
            texts.range(
              format.number(Math.min(first + 1, total)),
              format.number(Math.min(first + perPage, total)),
              format.number(total),
            ),
            (target) => `${base}${urlWith(visit, { page: String(target) })}`,
          )
        }
      </div>`,
  }
}

function newButton(visit: AgencyVisit): Html | null {
  const { t, base, agency } = visit
  if (!mayWrite(visit)) return null
  const path = `${base}${agency.path}/listings/new`
  return html`<a class="button button-primary" href="${path}">${icon('plus')}${t.listingForm.create}</a>`
}

/** Why the list is empty. */
function nothingThere(visit: AgencyVisit, status: string, isFiltered: boolean): Html {
  const texts = visit.t.listings
  if (isFiltered) return empty('listings', texts.noneFound, texts.noneFoundText)
  if (status === 'all') return empty('listings', texts.none, texts.noneText, newButton(visit))
  return empty('listings', texts.noneOfThese, texts.noneOfTheseText)
}

function filterForm(
  visit: AgencyVisit,
  status: string,
  view: string,
  { problems, sent }: Pick<Found, 'problems' | 'sent'>,
  isFiltered: boolean,
): Html {
  const { t, query, base, agency } = visit
  const texts = t.listings
  const value = (name: string) => query.get(name) ?? ''
  const number = (name: keyof typeof labels) =>
    inputField({
      name,
      label: labels[name],
      value: value(name),
      ...(typedNumbers.has(name)
        ? { inputmode: 'decimal', maxlength: 30 }
        : { type: 'number', inputmode: 'numeric', min: '0' }),
      problems,
    })

  const labels = {
    q: texts.search,
    operation: texts.operation,
    type: texts.type,
    sort: texts.sort,
    city: texts.city,
    currency: texts.currency,
    min_price: texts.minPrice,
    max_price: texts.maxPrice,
    bedrooms: texts.minBedrooms,
    bathrooms: texts.minBathrooms,
    min_m2: texts.minArea,
    max_m2: texts.maxArea,
    external_id: texts.externalId,
  }
  const more = filterNames.slice(3).filter((name) => value(name) !== '').length
  return html`<form class="card filters" method="get" action="${base}${agency.path}/listings" role="search">
    ${problemSummary(visit, problems, { labels })}
    <input type="hidden" name="status" value="${status === 'all' ? '' : status}" /><input
      type="hidden"
      name="view"
      value="${view === 'cards' ? view : ''}"
    />
    ${visit.query.get('stale') === '1' && html`<input type="hidden" name="stale" value="1" />`}
    <div class="filters-main">
      ${inputField({ name: 'q', label: texts.search, placeholder: texts.searchHint, value: value('q'), type: 'search', maxlength: 80, problems })}
      ${selectField({ name: 'operation', label: texts.operation, value: value('operation'), choices: [['', texts.anyOperation], ...operations.map((one) => [one, texts.operations[one]] as const)], problems })}
      ${selectField({ name: 'type', label: texts.type, value: value('type'), choices: [['', texts.anyType], ...types.map((one) => [one, texts.types[one]?.[0] ?? one] as const)], problems })}
      ${selectField({ name: 'sort', label: texts.sort, value: value('sort'), choices: Object.entries(texts.sorts), problems, more: html` data-auto` })}
      <button class="button button-primary">${icon('search')}${t.common.search}</button>
    </div>
    <details class="disclosure" ${Object.keys(problems).length > 0 && html` open`}>
      <summary>
        ${texts.moreFilters}${more > 0 && html` <span class="badge badge-info">${more}</span>`}
      </summary>
      <div class="filters-more">
        ${inputField({ name: 'city', label: texts.city, value: value('city'), maxlength: 80, problems })}
        ${selectField({ name: 'currency', label: texts.currency, value: sent.currency ?? value('currency'), choices: [['', texts.anyCurrency], ...currencies.map((one) => [one, one] as const)], problems })}
        ${number('min_price')}${number('max_price')}${number('bedrooms')}${number('bathrooms')}${number('min_m2')}${number('max_m2')}
        ${inputField({ name: 'external_id', label: texts.externalId, value: value('external_id'), maxlength: 64, problems })}
      </div>
    </details>
    ${isFiltered && html`<p class="small"><a href="${base}${agency.path}/listings${status === 'all' ? '' : `?status=${status}`}">${t.common.clearFilters}</a></p>`}
  </form>`
}

/** Cards, smaller where the page shows other things too. */
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

export const listingsPages: readonly Page[] = withTestPages(
  agencyPages('GET', '/listings', 'agency', listPage),
)
