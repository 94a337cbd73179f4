/** The request log: a list with filters, the same as CSV, and errors by kind. */
import { isUuid, timeOfId } from '../../../../platform/names/ids.ts'
import { listKeys } from '../../../../access/keys/keys.ts'
import { logDays, refusalsLogged } from '../../../../access/request-log/request-log.ts'
import {
  type ErrorKind,
  errorKinds,
  findRequest,
  type FoundRequest,
  searchRequests,
} from '../../../../access/request-log/request-search.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { shareBar } from '../../parts/charts.ts'
import { filterFields, queryWith, searchForm } from '../../parts/filters.ts'
import { empty, tabs } from '../../parts/page-parts.ts'
import { atEnd, type Column, muted, tablePage, type TablePage, withCsv } from '../../parts/tables.ts'
import { agencyPages, type AgencyRequest, type PageRedirect, withTestPages } from '../../serving/page.ts'
import { filterNames, filtersOf, requestFilter } from './request-filters.ts'
import { codeLink, durationText, requestPage, statusBadge } from './request.ts'

const maxKinds = 50

/** A request, with the name of its key. */
type NamedRequest = FoundRequest & Readonly<{ key: string }>

function frameOf(request: AgencyRequest, current: 'list' | 'kinds') {
  const { t, agency } = request
  return {
    title: t.requests.title,
    section: 'usage',
    subtitle: t.requests.text(logDays, refusalsLogged),
    below: [[t.nav.usage, `${agency.path}/usage`]],
    tabs: tabsOf(request, current),
  } as const
}

function tabsOf(request: AgencyRequest, current: 'list' | 'kinds'): Html {
  const texts = request.t.requests
  const path = `${request.agency.path}/requests`
  const filterQuery = queryWith(request.query, filterNames)
  return tabs(request, texts.title, [
    [texts.list, `${path}${filterQuery}`, current === 'list'],
    [texts.kinds, `${path}/kinds${filterQuery}`, current === 'kinds'],
  ])
}

function wantedId({ query }: AgencyRequest): string {
  return (query.get('request_id') ?? '').trim().toLowerCase()
}

async function requestsTable(request: AgencyRequest): Promise<TablePage<NamedRequest>> {
  const { t, deps, agency, base, query, format } = request
  const texts = t.requests
  const path = `${agency.path}/requests`
  const wanted = wantedId(request)
  const keys = await listKeys(deps.db, agency.id, deps.clock)
  const names = new Map(keys.map((key) => [key.id, key.name]))
  const search = { name: 'request_id', label: texts.search, placeholder: 'a27a5c1e-…', maxlength: 40 }
  return {
    ...frameOf(request, 'list'),
    path,
    above: searchForm(request, path, filterFields(request, [{ ...search, value: wanted }]), texts.find),
    filters: filtersOf(request, keys),
    columns: [
      {
        title: texts.request,
        cell: ({ request_id: id, method, path: to }) =>
          html`<a class="row-link mono" href="${base}${path}/${id}">${method} ${to}</a>`,
      },
      {
        title: t.common.status,
        cell: ({ status, code }) =>
          html`<span class="row"
            >${statusBadge(status)}${code !== null && html`<code class="small">${code}</code>`}</span
          >`,
      },
      { title: t.common.at, cell: ({ at }) => format.precise(at), className: 'nowrap' },
      { title: texts.took, cell: ({ ms }) => durationText(request, ms), className: `${atEnd} nowrap` },
      {
        title: t.common.key,
        cell: ({ key_id: id, key }) => html`<a href="${base}${agency.path}/keys/${id}">${key}</a>`,
      },
    ],
    rowsPerPage: 50,
    // Pages follow each other by the last id instead of a number.
    find: async ({ limit }) => {
      if (wanted !== '') return { rows: [] }
      const filter = requestFilter(query)
      const found = await searchRequests(deps.db, agency.id, filter, limit, query.get('after'))
      const rows = found.requests.map((one) => ({ ...one, key: names.get(one.key_id) ?? one.key_id }))
      return { rows, foot: searchedPart(request, found) }
    },
    none: empty('rows', texts.none, wanted === '' ? texts.noneText : texts.goneText(logDays)),
    csv: {
      filename: `requests-${agency.slug}.csv`,
      columns: [
        [t.common.at, ({ at }) => at],
        [texts.method, ({ method }) => method],
        [texts.path, ({ path: to }) => to],
        [t.common.status, ({ status }) => status],
        [texts.code, ({ code }) => code],
        [`${texts.took} (ms)`, ({ ms }) => Math.round(ms)],
        [t.common.key, ({ key }) => key],
        [texts.id, ({ request_id: id }) => id],
      ],
    },
  }
}

type Searched = Awaited<ReturnType<typeof searchRequests>>

/** How far back the search went, and links to the latest and to earlier requests. */
function searchedPart(request: AgencyRequest, { next, isPartial }: Searched): Html {
  const { t, agency, base, query, format } = request
  const texts = t.requests
  const link = (changes = {}) => `${base}${agency.path}/requests${queryWith(query, filterNames, changes)}`
  return html`${isPartial && next !== null && html`<p class="small muted">${texts.partly(format.plainMoment(new Date(timeOfId(next)).toISOString()))}</p>`}
    <nav class="row" aria-label="${t.common.pages}">
      ${query.has('after') && html`<a class="button" href="${link()}">${texts.latest}</a>`}
      ${next !== null && html`<a class="button" rel="next" href="${link({ after: next })}">${isPartial ? texts.goOn : texts.earlier}</a>`}
    </nav>`
}

/** A redirect to the request whose id was pasted; null without such a request. */
async function redirectToRequest(request: AgencyRequest): Promise<PageRedirect | null> {
  const { deps, agency } = request
  const id = wantedId(request)
  const isThere = isUuid(id) && (await findRequest(deps.db, agency.id, id)) !== null
  return isThere ? { to: `${agency.path}/requests/${id}` } : null
}

async function kindsPage(request: AgencyRequest) {
  const { t, deps, agency, query } = request
  const { keyId, from } = requestFilter(query)
  const kinds = await errorKinds(deps.db, agency.id, { keyId, from }, maxKinds)
  return tablePage(request, {
    ...frameOf(request, 'kinds'),
    title: t.requests.kinds,
    heading: t.requests.title,
    path: `${agency.path}/requests/kinds`,
    columns: kindColumns(request, kinds[0]?.requests ?? 1),
    find: async () => ({ rows: kinds }),
    none: empty('check', t.usage.noErrors, t.requests.noneText),
  })
}

/** @param max the number of requests of the most frequent kind */
function kindColumns(request: AgencyRequest, max: number): Column<ErrorKind>[] {
  const { t, format, base, agency, query } = request
  const texts = t.requests
  const path = `${base}${agency.path}/requests`
  const allOf = ({ code, method, parameter }: ErrorKind) =>
    queryWith(query, filterNames, { code, method, parameter, path: null, status: null })
  return [
    { title: texts.kind, cell: ({ code }) => codeLink(request, code) },
    { title: texts.request, cell: ({ method, endpoint }) => html`<code>${method} ${endpoint}</code>` },
    {
      title: texts.parameter,
      cell: ({ parameter }) => (parameter === null ? muted() : html`<code>${parameter}</code>`),
    },
    {
      title: texts.times,
      cell: ({ code, requests }) =>
        html`<span class="number">${format.number(requests)}</span>
          ${shareBar(0, max, `${code}: ${format.number(requests)}`, requests)}`,
    },
    { title: texts.last, cell: ({ last_at: at }) => format.ago(at) },
    {
      title: t.common.seeAll,
      cell: (kind) =>
        html`<span class="row"
          ><a href="${path}/${kind.request_id}">${texts.example}</a>
          <a href="${path}${allOf(kind)}">${t.common.seeAll}</a></span
        >`,
      hidesTitle: true,
    },
  ]
}

export const requestPages = withTestPages([
  ...withCsv(
    requestsTable,
    (ending, handle) => agencyPages('GET', `/requests${ending}`, 'agency', handle),
    redirectToRequest,
  ),
  ...agencyPages('GET', '/requests/kinds', 'agency', kindsPage),
  ...agencyPages('GET', '/requests/:request', 'agency', requestPage),
])
