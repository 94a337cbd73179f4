/**
 * The agencies with what they have and do, searched, sorted and filtered, for an operator of hundreds.
 */
import { type Agency, listAgencies } from '../../../agencies/agencies.ts'
import { lastUseByAgency, trafficByAgency } from '../../../access/keys/find-key-anywhere.ts'
import { findOwnLimits } from '../../../limits/of-agency.ts'
import { countListingsByAgency } from '../../../listings/search-all-agencies.ts'
import { fold } from '../../../listings/list/search-text.ts'
import { flag, html, type Html } from '../../../platform/web/html.ts'
import { csvAnswer, csvLink } from '../filters.ts'
import { inputField, selectField } from '../forms.ts'
import { icon } from '../icons.ts'
import { empty, pageAsked, pageHead, pager } from '../layout.ts'
import { asData, type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'
import { agencyStatus } from './agencies.ts'

const home = '/dashboard/operator/agencies'
const perPage = 50
const days = 7
/** From so many requests on, and that share of errors, an agency shows under "with errors". */
const failing = { least: 20, share: 0.2 }

export type AgencyRow = Agency &
  Readonly<{
    published: number
    listings: number
    requests: number
    failed: number
    lastUse: string | null
    hasOwnLimits: boolean
  }>

const views = {
  all: () => true,
  active: ({ active }) => active,
  inactive: ({ active }) => !active,
  failing: isFailing,
  silent: ({ active, requests }) => active && requests === 0,
  limits: ({ hasOwnLimits }) => hasOwnLimits,
} as const satisfies Record<string, (row: AgencyRow) => boolean>
type View = keyof typeof views

const sorts = {
  name: (a, b) => (fold(a.name) < fold(b.name) ? -1 : 1),
  listings: (a, b) => b.listings - a.listings,
  requests: (a, b) => b.requests - a.requests,
  errors: (a, b) => shareOf(b) - shareOf(a),
  last: (a, b) => ((a.lastUse ?? '') < (b.lastUse ?? '') ? 1 : -1),
  created: (a, b) => (a.created_at < b.created_at ? 1 : -1),
} as const satisfies Record<string, (a: AgencyRow, b: AgencyRow) => number>
type Sort = keyof typeof sorts

export function isFailing(row: Pick<AgencyRow, 'requests' | 'failed'>): boolean {
  return row.requests >= failing.least && shareOf(row) > failing.share
}

function shareOf({ requests, failed }: Pick<AgencyRow, 'requests' | 'failed'>): number {
  return requests === 0 ? 0 : failed / requests
}

/** Every agency with its figures: four statements, whatever their number. */
async function agencyRows({ deps }: Signed): Promise<AgencyRow[]> {
  const { db, clock } = deps
  const [agencies, counts, traffic, lastUse, own] = await Promise.all([
    listAgencies(db),
    countListingsByAgency(db),
    trafficByAgency(db, days, clock),
    lastUseByAgency(db),
    findOwnLimits(db),
  ])
  return agencies.map((agency) => {
    const { published = 0, total = 0 } = counts.get(agency.id) ?? {}
    const { requests = 0, failed = 0 } = traffic.get(agency.id) ?? {}
    const figures = { published, listings: total, requests, failed }
    return {
      ...agency,
      ...figures,
      lastUse: lastUse.get(agency.id) ?? null,
      hasOwnLimits: own.has(agency.id),
    }
  })
}

function asked({ query }: Signed): { text: string; view: View; sort: Sort } {
  const view = query.get('view') ?? ''
  const sort = query.get('sort') ?? ''
  return {
    text: (query.get('q') ?? '').trim(),
    view: Object.hasOwn(views, view) ? (view as View) : 'all',
    sort: Object.hasOwn(sorts, sort) ? (sort as Sort) : 'name',
  }
}

async function wantedRows(visit: Signed): Promise<AgencyRow[]> {
  const { text, view, sort } = asked(visit)
  const folded = fold(text)
  const rows = await agencyRows(visit)
  return rows
    .filter((row) => views[view](row) && (fold(row.name).includes(folded) || row.slug.includes(folded)))
    .sort((a, b) => sorts[sort](a, b) || (a.slug < b.slug ? -1 : 1))
}

function queryOf(visit: Signed, changes: Readonly<Record<string, string>> = {}): string {
  const { text, view, sort } = asked(visit)
  const wanted = { q: text, view, sort, ...changes }
  return `?${new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')).toString()}`
}

async function tablePage(visit: Signed): Promise<PageAnswer> {
  const { t, base, format } = visit
  const texts = t.console.table
  const { text, view, sort } = asked(visit)
  const rows = await wantedRows(visit)
  const page = pageAsked(visit.query)
  const shown = rows.slice((page - 1) * perPage, page * perPage)
  return {
    title: t.agencies.title,
    section: 'agencies',
    body: html`${pageHead(visit, {
        title: t.agencies.title,
        subtitle: texts.count(format.number(rows.length)),
        actions: html`<a class="button" href="${base}/dashboard/operator/people"
            >${icon('people')}${t.people.operators}</a
          ><a class="button button-primary" href="${base}/dashboard/operator/new-agency"
            >${icon('plus')}${t.agencies.create}</a
          >`,
      })}
      <div class="stack-l">
        <form class="card filters" method="get" action="${base}${home}" role="search">
          <div class="filters-main">
            ${inputField({ name: 'q', label: texts.search, value: text, maxlength: 120 })}
            ${selectField({ name: 'view', label: texts.show, value: view, choices: Object.entries(texts.views), more: html` data-auto` })}
            <input type="hidden" name="sort" value="${sort}" />
            <button class="button">${icon('search')}${t.common.search}</button>
          </div>
        </form>
        <section class="card card-flush">
          ${shown.length === 0 ? empty('agencies', texts.none, texts.noneText) : table(visit, shown, sort)}
        </section>
        ${rows.length > perPage && pager(visit, page, rows.length > page * perPage, t.common.page(page), (target) => `${base}${home}${queryOf(visit, { page: String(target) })}`)}
        ${csvLink(visit, `${base}${home}.csv${queryOf(visit)}`)}
      </div>`,
  }
}

function table(visit: Signed, rows: readonly AgencyRow[], sort: Sort): Html {
  const { t, base, format } = visit
  const texts = t.console.table
  const head = (name: Sort, label: string, className = '') =>
    html`<th
      scope="col"
      class="${className}"
      ${flag(`aria-sort="${name === 'name' ? 'ascending' : 'descending'}"`, name === sort)}
    >
      <a href="${base}${home}${queryOf(visit, { sort: name })}" title="${texts.sortBy(label)}">${label}</a>
    </th>`
  return html`<div class="table-scroll">
    <table class="table table-fold">
      <caption class="visually-hidden">
        ${t.agencies.title}
      </caption>
      <thead>
        <tr>
          ${head('name', texts.name)} ${head('listings', texts.listings, 'end')}
          ${head('requests', texts.requests, 'end')} ${head('errors', texts.errors, 'end')}
          ${head('last', texts.lastUse)} ${head('created', texts.created)}
          <th scope="col">${texts.status}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td class="lead">
                <a class="row-link" href="${base}${home}/${row.slug}">${row.name}</a>
                <p class="small muted">${row.slug}</p>
              </td>
              <td data-label="${texts.listings}" class="end number">
                ${format.number(row.published)} / ${format.number(row.listings)}
              </td>
              <td data-label="${texts.requests}" class="end number">
                <a href="${base}${home}/${row.slug}/usage">${format.number(row.requests)}</a>
              </td>
              <td data-label="${texts.errors}" class="end number">
                ${isFailing(row) ? html`<span class="badge badge-warn">${percent(visit, row)}</span>` : percent(visit, row)}
              </td>
              <td data-label="${texts.lastUse}">
                ${row.lastUse === null ? html`<span class="muted">${texts.never}</span>` : format.ago(row.lastUse)}
              </td>
              <td data-label="${texts.created}">${format.date(row.created_at)}</td>
              <td data-label="${texts.status}">
                ${agencyStatus(visit, row.active)}
                ${row.hasOwnLimits && html`<span class="badge">${texts.ownLimits}</span>`}
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function percent({ format }: Signed, row: AgencyRow): string {
  return row.requests === 0 ? '–' : format.percent(shareOf(row))
}

async function csvPage(visit: Signed): Promise<PageAnswer> {
  const rows = await wantedRows(visit)
  const heads = [
    'name',
    'slug',
    'email',
    'active',
    'published',
    'listings',
    'requests_7_days',
    'errors_7_days',
    'last_use',
    'created_at',
  ]
  const cells = rows.map((row) => [
    row.name,
    row.slug,
    row.email,
    row.active,
    row.published,
    row.listings,
    row.requests,
    row.failed,
    row.lastUse,
    row.created_at,
  ])
  return csvAnswer(visit, 'agencies.csv', heads, cells)
}

export const agencyTablePages: readonly Page[] = [
  personPage('GET', '/operator/agencies', 'operator', tablePage),
  ...asData([personPage('GET', '/operator/agencies.csv', 'operator', csvPage)]),
]
