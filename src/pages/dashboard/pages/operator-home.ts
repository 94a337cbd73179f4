/**
 * The operators' first page: the to-do list, then figures.
 */
import { listAudit } from '../../../access/accounts/audit.ts'
import { type Agency, listAgencies } from '../../../agencies/agencies.ts'
import { isDatabaseDown } from '../../../http/responses/error-handler.ts'
import { trafficByAgency, trafficByDay } from '../../../access/keys/operator-search.ts'
import { countSetAside } from '../../../delivery/notifications/deliveries.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { dayChart, tiles } from '../charts.ts'
import { empty, pageHead } from '../page-parts.ts'
import type { PageResponse, Signed } from '../visit.ts'
import { isFailing } from './agency-table.ts'
import { auditPart } from './audit.ts'
import { notificationsPath } from './delivery-parts.ts'
import { healthChecks } from './health.ts'
import { factorHint, firstName } from './home.ts'
import { workEntry } from './work-list.ts'

const chartDays = 30
const errorDays = 7

export async function operatorHome(visit: Signed): Promise<PageResponse> {
  const { t, deps, base, session } = visit
  const { db, clock } = deps
  const texts = t.operator
  const agencies = await listAgencies(db)
  const [days, { entries }, work] = await Promise.all([
    ifThere(trafficByDay(db, chartDays, clock)),
    listAudit(db, null, { view: 'acts', limit: 6, offset: 0 }),
    findWork(visit, agencies),
  ])
  const active = agencies.filter((agency) => agency.active).length
  const home = '/dashboard/operator/agencies'
  return {
    title: t.nav.operator,
    section: 'overview',
    body: html`${pageHead(visit, { title: t.overview.hello(firstName(session.account.name)), subtitle: t.nav.operator })}
      <div class="stack-l">
        ${!session.account.has_second_factor && factorHint(visit)} ${workPart(visit, work)}
        ${tiles(visit, [
          [texts.activeAgencies, active, `${home}?view=active`],
          [t.console.table.views.inactive, agencies.length - active, `${home}?view=inactive`],
          [
            t.nav.health,
            work.broken.length === 0 ? t.health.ok : t.health.wrong,
            '/dashboard/operator/health',
          ],
        ])}
        <section class="card">
          <div class="card-head">
            <h2>${t.usage.perDay}</h2>
            <a href="${base}/dashboard/operator/traffic">${t.nav.traffic}</a>
          </div>
          ${days === null ? html`<p>${t.console.home.notNow}</p>` : dayChart(visit, days, t.usage.perDay)}
        </section>
        <section class="card card-flush">
          <div class="card-head">
            <h2>${t.nav.audit}</h2>
            <a href="${base}/dashboard/operator/audit">${t.common.seeAll}</a>
          </div>
          ${auditPart(visit, entries)}
        </section>
      </div>`,
  }
}

type Work = Readonly<{ broken: readonly string[]; setAside: number; failing: number }>

async function findWork(visit: Signed, agencies: readonly Agency[]): Promise<Work> {
  const { t, deps } = visit
  const [checks, setAside, traffic] = await Promise.all([
    healthChecks(visit),
    ifThere(countSetAside(deps.db)),
    ifThere(trafficByAgency(deps.db, errorDays, deps.clock)),
  ])
  const broken = checks.filter(({ ok }) => ok === false).map(({ name }) => t.health.names[name])
  const failing = agencies.filter(({ id }) =>
    isFailing(traffic?.get(id) ?? { requests: 0, failed: 0 }),
  ).length
  return { broken, setAside: setAside ?? 0, failing }
}

/** Figures of all agencies; null while a node of the database is away, which this page reports instead of failing. */
async function ifThere<Figures>(figures: Promise<Figures>): Promise<Figures | null> {
  try {
    return await figures
  } catch (error) {
    if (isDatabaseDown(error)) return null
    throw error
  }
}

function workPart({ t, base, format }: Signed, { broken, setAside, failing }: Work): Html {
  const texts = t.console.home
  const see = (path: string) => html`<a class="button" href="${base}${path}">${texts.see}</a>`
  const entries = [
    broken.length > 0 &&
      workEntry('bad', 'health', {
        title: t.operator.wrong(broken.join(', ')),
        act: see('/dashboard/operator/health'),
      }),
    setAside > 0 &&
      workEntry('warn', 'notifications', {
        title: texts.setAside(format.number(setAside)),
        act: see(`${notificationsPath}?view=set_aside`),
      }),
    failing > 0 &&
      workEntry('warn', 'alert', {
        title: texts.failing(format.number(failing)),
        act: see('/dashboard/operator/agencies?view=failing&sort=errors'),
      }),
  ].filter((entry) => entry !== false)
  if (entries.length === 0)
    return html`<section class="card work-done">${empty('check', texts.nothing, texts.nothingText)}</section>`
  return html`<section class="card card-flush">
    <div class="card-head"><h2>${t.work.page.title}</h2></div>
    <ol class="work">
      ${entries}
    </ol>
  </section>`
}
