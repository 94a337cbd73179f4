/**
 * The first page: the state of the agency, or for operators of the service.
 */
import { listAgencies } from '../../agencies/agencies.ts'
import { listAudit } from '../../accounts/audit.ts'
import { listKeys } from '../../keys/keys.ts'
import { requestsByDay } from '../../keys/request-reports.ts'
import { html, type Html, type Piece } from '../../web/html.ts'
import { findPage } from '../../properties/list-sql.ts'
import { countListings } from '../../properties/removed.ts'
import { ownAgency } from '../access.ts'
import { dayChart } from '../charts.ts'
import { notice } from '../forms.ts'
import { icon } from '../icons.ts'
import { empty, pageHead } from '../layout.ts'
import { type AgencyVisit, type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'
import { auditTable } from './audit.ts'
import { healthChecks, healthTable } from './health.ts'
import { endsSoon, mayManage } from './keys.ts'
import { cardGrid } from './listings.ts'

const chartDays = 30

async function agencyOverview(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, base, format, session } = visit
  const { db, clock } = deps
  const texts = t.overview
  const [counts, days, keys, { listings: recent }] = await Promise.all([
    countListings(db, agency.id),
    requestsByDay(db, agency.id, null, chartDays, clock),
    listKeys(db, agency.id, clock),
    findPage(db, agency.id, { status: 'all' }, 'updated', { limit: 4, offset: 0 }),
  ])
  const tile = (label: string, value: number, query: string) =>
    html`<a class="tile" href="${base}/dashboard/listings${query}"
      ><span class="tile-label">${label}</span><span class="tile-value">${format.number(value)}</span></a
    >`
  const soon = keys.filter(endsSoon)
  const tabs = t.listings.tabs
  return {
    title: texts.title,
    section: 'overview',
    body: html`${pageHead(visit, { title: texts.hello(firstName(session.account.name)), subtitle: agency.name })}
      <div class="stack-l">
        ${!agency.active && notice('warn', t.common.agencyInactive)}
        ${soon.map((key) => notice('warn', html`${texts.keyEnds(key.name, format.plainDate(key.expires_at ?? ''))} <a href="${base}/dashboard/keys/${key.id}">${texts.seeKey}</a>`))}
        ${!session.account.has_second_factor && factorHint(visit)}
        <div class="tiles">
          ${tile(tabs.published, counts.published, '?status=published')}${tile(tabs.draft, counts.draft, '?status=draft')}${tile(tabs.disabled, counts.disabled, '?status=disabled')}${tile(tabs.removed, counts.removed, '?status=removed')}
        </div>
        <section class="card">
          <div class="card-head">
            <h2>${t.usage.perDay}</h2>
            <a href="${base}/dashboard/usage">${texts.seeUsage}</a>
          </div>
          ${
            keys.length === 0
              ? empty(
                  'keys',
                  texts.firstKey,
                  texts.firstKeyText,
                  mayManage(visit) &&
                    html`<a class="button button-primary" href="${base}/dashboard/keys/new"
                      >${icon('plus')}${t.keys.create}</a
                    >`,
                )
              : dayChart(visit, days, t.usage.perDay)
          }
        </section>
        ${
          recent.length > 0 &&
          html`<section class="stack">
            <div class="row-apart">
              <h2>${texts.recent}</h2>
              <a href="${base}/dashboard/listings?sort=updated">${texts.seeAll}</a>
            </div>
            ${cardGrid(visit, recent, true)}
          </section>`
        }
      </div>`,
  }
}

function factorHint({ t, base }: Signed): Html {
  return notice(
    'info',
    html`${t.overview.factorHint} <a href="${base}/dashboard/account/second-factor">${t.account.turnOn}</a>`,
  )
}

async function operatorOverview(visit: Signed): Promise<PageAnswer> {
  const { t, deps, base, format, session } = visit
  const texts = t.operator
  const [agencies, checks, { entries }] = await Promise.all([
    listAgencies(deps.db),
    healthChecks(visit),
    listAudit(deps.db, null, { view: 'acts', limit: 6, offset: 0 }),
  ])
  const active = agencies.filter((agency) => agency.active).length
  const wrong = checks.filter(({ ok }) => ok === false)
  const tile = (label: string, value: Piece, path: string) =>
    html`<a class="tile" href="${base}${path}"
      ><span class="tile-label">${label}</span><span class="tile-value">${value}</span></a
    >`
  return {
    title: texts.title,
    section: 'overview',
    body: html`${pageHead(visit, { title: t.overview.hello(firstName(session.account.name)), subtitle: texts.title })}
      <div class="stack-l">
        ${!session.account.has_second_factor && factorHint(visit)}
        ${wrong.length > 0 && notice('bad', texts.wrong(wrong.map(({ name }) => t.health.names[name]).join(', ')))}
        <div class="tiles">
          ${tile(texts.activeAgencies, format.number(active), '/dashboard/operator/agencies')}
          ${tile(texts.inactiveAgencies, format.number(agencies.length - active), '/dashboard/operator/agencies')}
          ${tile(t.nav.health, wrong.length === 0 ? t.health.ok : t.health.wrong, '/dashboard/operator/health')}
        </div>
        <section class="card">
          <h2 class="card-head">${t.nav.health}</h2>
          ${healthTable(visit, checks)}
        </section>
        <section class="card card-flush">
          <div class="card-head">
            <h2>${t.nav.audit}</h2>
            <a href="${base}/dashboard/operator/audit">${t.overview.seeAll}</a>
          </div>
          ${auditTable(visit, entries)}
        </section>
      </div>`,
  }
}

function firstName(name: string): string {
  return name.split(' ', 1)[0] ?? name
}

export const overviewPages: readonly Page[] = [
  personPage('GET', '', 'person', async (visit) => {
    const { agency } = visit.session
    if (agency === null) return await operatorOverview(visit)
    return await agencyOverview({ ...visit, agency: ownAgency(agency) })
  }),
]
