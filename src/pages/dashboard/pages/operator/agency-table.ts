/** The table of all agencies with their figures, which operators can search, sort and filter. */
import { type Agency, listAgencies } from '../../../../agencies/agencies.ts'
import { lastUseByAgency, trafficByAgency } from '../../../../access/request-log/traffic-of-all-agencies.ts'
import { findOwnLimits } from '../../../../limits/of-agency.ts'
import { countListingsByAgency } from '../../../../listings/reading/counts.ts'
import { foldForSearch } from '../../../../listings/addresses/fold.ts'
import { html } from '../../../../platform/web/html.ts'
import { chosenValue, filterFields, hiddenQueryFields, queryWith, searchForm } from '../../parts/filters.ts'
import { empty, linkButton } from '../../parts/page-parts.ts'
import { agoOrNever, atEnd, type Column, type CsvFile, type TablePage, withCsv } from '../../parts/tables.ts'
import { agenciesPath, personPage, type PersonRequest } from '../../serving/page.ts'
import { agencyStatus } from './agencies.ts'

const parameters = ['q', 'view', 'sort']
const days = 7
/** An agency is listed under "with errors" if it has at least this number of requests, and a higher share of errors. */
const failing = { min: 20, share: 0.2 }

type AgencyRow = Agency &
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
  name: (a, b) => (foldForSearch(a.name) < foldForSearch(b.name) ? -1 : 1),
  listings: (a, b) => b.listings - a.listings,
  requests: (a, b) => b.requests - a.requests,
  errors: (a, b) => shareOf(b) - shareOf(a),
  last: (a, b) => ((a.lastUse ?? '') < (b.lastUse ?? '') ? 1 : -1),
  created: (a, b) => (a.created_at < b.created_at ? 1 : -1),
} as const satisfies Record<string, (a: AgencyRow, b: AgencyRow) => number>
type Sort = keyof typeof sorts

export function isFailing(row: Pick<AgencyRow, 'requests' | 'failed'>): boolean {
  return row.requests >= failing.min && shareOf(row) > failing.share
}

function shareOf({ requests, failed }: Pick<AgencyRow, 'requests' | 'failed'>): number {
  return requests === 0 ? 0 : failed / requests
}

/** Every agency with its figures, in five statements for any number of agencies. */
async function agencyRows({ deps }: PersonRequest): Promise<AgencyRow[]> {
  const { db, clock } = deps
  const [agencies, counts, traffic, lastUse, own] = await Promise.all([
    listAgencies(db),
    countListingsByAgency(db),
    trafficByAgency(db, days, clock),
    lastUseByAgency(db),
    findOwnLimits(db),
  ])
  return agencies.map((agency) => {
    const { published = 0, total: listings = 0 } = counts.get(agency.id) ?? {}
    const { requests = 0, failed = 0 } = traffic.get(agency.id) ?? {}
    const others = { lastUse: lastUse.get(agency.id) ?? null, hasOwnLimits: own.has(agency.id) }
    return { ...agency, published, listings, requests, failed, ...others }
  })
}

function sortOf({ query }: PersonRequest): Sort {
  return chosenValue(query, 'sort', Object.keys(sorts) as Sort[]) ?? 'name'
}

async function wantedRows(request: PersonRequest): Promise<AgencyRow[]> {
  const folded = foldForSearch((request.query.get('q') ?? '').trim())
  const isInView = views[chosenValue(request.query, 'view', Object.keys(views) as View[]) ?? 'all']
  const order = sorts[sortOf(request)]
  const rows = await agencyRows(request)
  return rows
    .filter((row) => isInView(row) && (foldForSearch(row.name).includes(folded) || row.slug.includes(folded)))
    .sort((a, b) => order(a, b) || (a.slug < b.slug ? -1 : 1))
}

async function agenciesTable(request: PersonRequest): Promise<TablePage<AgencyRow>> {
  const { t, format } = request
  const texts = t.agencies.table
  const rows = await wantedRows(request)
  const search = filterFields(request, [
    { name: 'q', label: texts.search, maxlength: 120 },
    { name: 'view', label: texts.show, choices: Object.entries(texts.views), more: html` data-auto` },
  ])
  return {
    title: t.nav.agencies,
    section: 'agencies',
    path: agenciesPath,
    subtitle: texts.count(format.number(rows.length)),
    actions: html`${linkButton(request, '/dashboard/operator/people', t.people.operators, 'people')}${linkButton(request, '/dashboard/operator/new-agency', t.agencies.create, 'plus', 'button-primary')}`,
    above: searchForm(request, agenciesPath, html`${search}${hiddenQueryFields(request, ['sort'])}`),
    parameters,
    columns: columnsOf(request),
    rowsPerPage: 50,
    find: async ({ limit, offset }) => ({
      rows: rows.slice(offset, offset + limit),
      hasNext: rows.length > offset + limit,
    }),
    none: empty('agencies', texts.none, texts.noneText),
    csv: { filename: 'agencies.csv', columns: csvColumns, isWhole: true },
  }
}

function columnsOf(request: PersonRequest): Column<AgencyRow>[] {
  const { t, base, format, query } = request
  const texts = t.agencies.table
  const by = (name: Sort, title: string) => ({
    title,
    sort: {
      href: `${base}${agenciesPath}${queryWith(query, parameters, { sort: name })}`,
      label: texts.sortBy(title),
      direction: name === 'name' ? ('ascending' as const) : ('descending' as const),
      isCurrent: name === sortOf(request),
    },
  })
  return [
    {
      ...by('name', t.common.agency),
      cell: ({ slug, name }) =>
        html`<a class="row-link" href="${base}${agenciesPath}/${slug}">${name}</a>
          <p class="small muted">${slug}</p>`,
    },
    {
      ...by('listings', texts.listings),
      cell: ({ published, listings }) => `${format.number(published)} / ${format.number(listings)}`,
      className: atEnd,
    },
    {
      ...by('requests', texts.requests),
      cell: ({ slug, requests }) =>
        html`<a href="${base}${agenciesPath}/${slug}/usage">${format.number(requests)}</a>`,
      className: atEnd,
    },
    {
      ...by('errors', texts.errors),
      cell: (row) => {
        const share = row.requests === 0 ? '–' : format.percent(shareOf(row))
        return isFailing(row) ? html`<span class="badge badge-warn">${share}</span>` : share
      },
      className: atEnd,
    },
    { ...by('last', texts.lastUse), cell: ({ lastUse }) => agoOrNever(request, lastUse) },
    { ...by('created', t.common.created), cell: (row) => format.date(row.created_at) },
    {
      title: t.common.status,
      cell: ({ active, hasOwnLimits }) =>
        html`${agencyStatus(request, active)}
        ${hasOwnLimits && html`<span class="badge">${texts.ownLimits}</span>`}`,
    },
  ]
}

/** The names are the same in every language, because programs read them. */
const csvColumns: CsvFile<AgencyRow>['columns'] = [
  ['name', ({ name }) => name],
  ['slug', ({ slug }) => slug],
  ['email', ({ email }) => email],
  ['active', ({ active }) => active],
  ['published', ({ published }) => published],
  ['listings', ({ listings }) => listings],
  ['requests_7_days', ({ requests }) => requests],
  ['errors_7_days', ({ failed }) => failed],
  ['last_use', ({ lastUse }) => lastUse],
  ['created_at', (row) => row.created_at],
]

export const agencyTablePages = withCsv(agenciesTable, (ending, handle) => [
  personPage('GET', `/operator/agencies${ending}`, 'operator', handle),
])
