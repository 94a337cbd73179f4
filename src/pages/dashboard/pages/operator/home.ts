/** The first page of operators: the to-do list, then figures. */
import { listAudit } from '../../../../access/audit-log/entries.ts'
import { trafficByAgency, trafficByDay } from '../../../../access/request-log/traffic-of-all-agencies.ts'
import { type Agency, listAgencies } from '../../../../agencies/agencies.ts'
import { countSetAside } from '../../../../delivery/notifications/deliveries.ts'
import { isDatabaseDown } from '../../../../platform/db/presence/is-database-down.ts'
import { requestChart, tiles } from '../../parts/charts.ts'
import { card, empty, framed, linkButton } from '../../parts/page-parts.ts'
import { isFailing } from './agency-table.ts'
import { auditPart } from '../audit.ts'
import { healthChecks } from './health.ts'
import { factorHint, firstName } from '../home/home.ts'
import { workEntry } from '../work/work-list.ts'
import { agenciesPath, type PersonRequest } from '../../serving/page.ts'
import type { IconName } from '../../../framework/icons.ts'
import { html, type Html } from '../../../../platform/web/html.ts'

const chartDays = 30
const errorDays = 7

export async function operatorHome(request: PersonRequest) {
  const { t, deps, base, session } = request
  const { db, clock } = deps
  const texts = t.operator
  const agencies = await listAgencies(db)
  const [days, { entries }, work] = await Promise.all([
    ifThere(trafficByDay(db, chartDays, clock)),
    listAudit(db, null, { view: 'acts', limit: 6, offset: 0 }),
    findOperatorWork(request, agencies),
  ])
  const active = agencies.filter((agency) => agency.active).length
  const health = work.broken.length === 0 ? t.health.ok : t.health.wrong
  return framed(
    request,
    {
      title: t.nav.operator,
      section: 'overview',
      heading: t.overview.hello(firstName(session.account.name)),
      subtitle: t.nav.operator,
    },
    html`${!session.account.has_second_factor && factorHint(request)} ${operatorWorkPart(request, work)}
    ${tiles(request, [
      [texts.activeAgencies, active, `${agenciesPath}?view=active`],
      [t.agencies.table.views.inactive, agencies.length - active, `${agenciesPath}?view=inactive`],
      [t.nav.health, health, '/dashboard/operator/health'],
    ])}
    ${card(
      t.usage.perDay,
      days === null ? html`<p>${texts.notNow}</p>` : requestChart(request, days, t.usage.perDay),
      html`<a href="${base}/dashboard/operator/traffic">${t.nav.traffic}</a>`,
    )}
    ${card(
      t.nav.audit,
      auditPart(request, entries),
      html`<a href="${base}/dashboard/operator/audit">${t.common.seeAll}</a>`,
      'card-flush',
    )}`,
  )
}

type Work = Readonly<{ broken: readonly string[]; setAside: number; failing: number }>

async function findOperatorWork(request: PersonRequest, agencies: readonly Agency[]): Promise<Work> {
  const { t, deps } = request
  const [checks, setAside, traffic] = await Promise.all([
    healthChecks(request),
    ifThere(countSetAside(deps.db)),
    ifThere(trafficByAgency(deps.db, errorDays, deps.clock)),
  ])
  const broken = checks.filter(({ ok }) => ok === false).map(({ name }) => t.health.names[name])
  const failing = agencies.filter(({ id }) =>
    isFailing(traffic?.get(id) ?? { requests: 0, failed: 0 }),
  ).length
  return { broken, setAside: setAside ?? 0, failing }
}

/** Figures of all agencies; null while a node of the database is down, so that the page can report it. */
async function ifThere<Figures>(figures: Promise<Figures>): Promise<Figures | null> {
  try {
    return await figures
  } catch (error) {
    if (isDatabaseDown(error)) return null
    throw error
  }
}

function operatorWorkPart(request: PersonRequest, { broken, setAside, failing }: Work): Html {
  const { t, format } = request
  const texts = t.operator
  const entry = (tone: 'bad' | 'warn', symbol: IconName, title: string, path: string) =>
    workEntry(tone, symbol, { title, act: linkButton(request, `/dashboard/operator${path}`, texts.see) })
  const entries = [
    broken.length > 0 && entry('bad', 'health', texts.wrong(broken.join(', ')), '/health'),
    setAside > 0 &&
      entry(
        'warn',
        'notifications',
        texts.setAside(format.number(setAside)),
        '/notifications?view=set_aside',
      ),
    failing > 0 &&
      entry('warn', 'alert', texts.failing(format.number(failing)), '/agencies?view=failing&sort=errors'),
  ].filter((one) => one !== false)
  if (entries.length === 0)
    return html`<section class="card work-done">${empty('check', texts.nothing, texts.nothingText)}</section>`
  return card(
    t.work.page.title,
    html`<ol class="work">
      ${entries}
    </ol>`,
    undefined,
    'card-flush',
  )
}
