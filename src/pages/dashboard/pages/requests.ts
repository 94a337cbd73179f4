/**
 * The request log: a list with filters, the same as CSV, and errors by kind.
 */
import { isUuid } from '../../../platform/ids.ts'
import { listKeys } from '../../../access/keys/keys.ts'
import { logDays, refusalsKept } from '../../../access/keys/request-log.ts'
import {
  type ErrorKind,
  errorKinds,
  findRequest,
  type FoundRequest,
  searchRequests,
} from '../../../access/keys/request-search.ts'
import { mostInCsv } from '../../../limits/table.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { shareBar } from '../charts.ts'
import { csvAnswer, csvLink } from '../filters.ts'
import { inputField } from '../../framework/fields.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, empty, pageHead, sectionOf, tabs } from '../page-parts.ts'
import { tableHead } from '../tables.ts'
import { agencyPages, type AgencyVisit, asData, type Page, type PageAnswer, withTestPages } from '../visit.ts'
import { filterForm, filterQuery, requestFilter } from './request-filters.ts'
import { codeLink, requestPage, statusBadge } from './request.ts'

const perPage = 50
const mostKinds = 50

function head(visit: AgencyVisit, current: 'list' | 'kinds'): Html {
  const { t, agency, query } = visit
  const texts = t.requests
  const path = `${agency.path}/requests`
  const kept = filterQuery(query)
  return html`${pageHead(visit, { title: texts.title, subtitle: texts.text(logDays, refusalsKept), crumbs: [...agencyCrumbs(visit), [t.usage.title, `${agency.path}/usage`]] })}
  ${tabs(visit, texts.title, [
    [texts.list, `${path}${kept}`, current === 'list'],
    [texts.kinds, `${path}/kinds${kept}`, current === 'kinds'],
  ])}`
}

async function listPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, base, query, format } = visit
  const texts = t.requests
  const path = `${agency.path}/requests`
  const wanted = (query.get('request_id') ?? '').trim().toLowerCase()
  if (isUuid(wanted) && (await findRequest(deps.db, agency.id, wanted)) !== null)
    return { to: `${path}/${wanted}` }
  const after = query.get('after')
  const [keys, { requests, next, isPartial }] = await Promise.all([
    listKeys(deps.db, agency.id, deps.clock),
    wanted === ''
      ? searchRequests(deps.db, agency.id, requestFilter(query), perPage, after)
      : { requests: [], next: null, isPartial: false },
  ])
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? id
  return {
    title: texts.title,
    section: sectionOf(visit, 'usage'),
    body: html`<div class="stack-l">
      ${head(visit, 'list')}
      <form class="card filters" method="get" action="${base}${path}" role="search">
        <div class="filters-main">
          ${inputField({ name: 'request_id', label: texts.search, value: wanted, placeholder: 'a27a5c1e-…', maxlength: 40 })}
          <button class="button">${icon('search')}${texts.find}</button>
        </div>
      </form>
      ${filterForm(visit, path, keys)}
      <section class="card card-flush">
        ${
          requests.length === 0
            ? empty('rows', texts.none, wanted === '' ? texts.noneText : texts.goneText(logDays))
            : requestTable(visit, requests, nameOf)
        }
      </section>
      ${isPartial && next !== null && html`<p class="small muted">${texts.partly(format.plainMoment(momentOf(next)))}</p>`}
      <nav class="row-apart" aria-label="${t.common.pages}">
        <div class="row">
          ${after !== null && html`<a class="button" href="${base}${path}${filterQuery(query)}">${texts.latest}</a>`}
          ${next !== null && html`<a class="button" rel="next" href="${base}${path}${filterQuery(query, { after: next })}">${isPartial ? texts.goOn : texts.earlier}</a>`}
        </div>
        ${requests.length > 0 && csvLink(visit, `${base}${path}.csv${filterQuery(query)}`, t.common.csvNote(format.number(mostInCsv)))}
      </nav>
    </div>`,
  }
}

/** When a request with that id came. */
function momentOf(id: string): string {
  return new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString()
}

function requestTable(
  visit: AgencyVisit,
  requests: readonly FoundRequest[],
  nameOf: (id: string) => string,
): Html {
  const { t, format, base, agency } = visit
  const texts = t.requests
  return html`<div class="table-scroll">
    <table class="table table-fold">
      ${tableHead(texts.title, [texts.request, texts.status, texts.at, { label: texts.took, className: 'end' }, texts.key])}
      <tbody>
        ${requests.map(
          (one) =>
            html`<tr>
              <td class="lead">
                <a class="row-link mono" href="${base}${agency.path}/requests/${one.request_id}"
                  >${one.method} ${one.path}</a
                >
              </td>
              <td data-label="${texts.status}">
                <span class="row"
                  >${statusBadge(one.status)}${one.code !== null && html`<code class="small">${one.code}</code>`}</span
                >
              </td>
              <td data-label="${texts.at}" class="nowrap">${format.precise(one.at)}</td>
              <td data-label="${texts.took}" class="end number nowrap">
                ${format.number(Math.round(one.ms * 10) / 10)} ms
              </td>
              <td data-label="${texts.key}">
                <a href="${base}${agency.path}/keys/${one.key_id}">${nameOf(one.key_id)}</a>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

async function csvPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, query } = visit
  const texts = t.requests
  const [keys, { requests }] = await Promise.all([
    listKeys(deps.db, agency.id, deps.clock),
    searchRequests(deps.db, agency.id, requestFilter(query), mostInCsv),
  ])
  const names = new Map(keys.map((key) => [key.id, key.name]))
  const heads = [
    texts.at,
    texts.method,
    texts.path,
    texts.status,
    texts.code,
    `${texts.took} (ms)`,
    texts.key,
    texts.id,
  ]
  const rows = requests.map((one) => [
    one.at,
    one.method,
    one.path,
    one.status,
    one.code,
    Math.round(one.ms),
    names.get(one.key_id) ?? one.key_id,
    one.request_id,
  ])
  return csvAnswer(visit, `requests-${agency.slug}.csv`, heads, rows)
}

async function kindsPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, query } = visit
  const texts = t.requests
  const { keyId, from } = requestFilter(query)
  const kinds = await errorKinds(deps.db, agency.id, { keyId, from }, mostKinds)
  return {
    title: texts.kinds,
    section: sectionOf(visit, 'usage'),
    body: html`<div class="stack-l">
      ${head(visit, 'kinds')}
      <section class="card card-flush">
        ${kinds.length === 0 ? empty('check', t.usage.noErrors, texts.noneText) : kindTable(visit, kinds)}
      </section>
    </div>`,
  }
}

function kindTable(visit: AgencyVisit, kinds: readonly ErrorKind[]): Html {
  const { t, format, base, agency } = visit
  const texts = t.requests
  const most = kinds[0]?.requests ?? 1
  const allOf = ({ code, method, parameter }: ErrorKind) =>
    filterQuery(visit.query, { code, method, parameter, path: null, status: null })
  return html`<div class="table-scroll">
    <table class="table table-fold">
      ${tableHead(texts.kinds, [texts.kind, texts.request, texts.parameter, texts.times, texts.last, { label: texts.all, isHidden: true }])}
      <tbody>
        ${kinds.map(
          (kind) =>
            html`<tr>
              <td class="lead">${codeLink(visit, kind.code)}</td>
              <td data-label="${texts.request}"><code>${kind.method} ${kind.endpoint}</code></td>
              <td data-label="${texts.parameter}">
                ${kind.parameter === null ? html`<span class="muted">–</span>` : html`<code>${kind.parameter}</code>`}
              </td>
              <td data-label="${texts.times}">
                <span class="number">${format.number(kind.requests)}</span>
                ${shareBar(0, most, `${kind.code}: ${format.number(kind.requests)}`, kind.requests)}
              </td>
              <td data-label="${texts.last}">${format.ago(kind.last_at)}</td>
              <td>
                <span class="row"
                  ><a href="${base}${agency.path}/requests/${kind.request_id}">${texts.example}</a>
                  <a href="${base}${agency.path}/requests${allOf(kind)}">${texts.all}</a></span
                >
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

export const requestPages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/requests', 'agency', listPage),
  ...asData(agencyPages('GET', '/requests.csv', 'agency', csvPage)),
  ...agencyPages('GET', '/requests/kinds', 'agency', kindsPage),
  ...agencyPages('GET', '/requests/:request', 'agency', requestPage),
])
