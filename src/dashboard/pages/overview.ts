/**
 * The first page: for operators the state of the service, for people of an agency what there is to do.
 */
import { listAgencies } from '../../agencies/agencies.ts'
import { listAudit } from '../../accounts/audit.ts'
import { html, type Piece } from '../../web/html.ts'
import { ownAgency } from '../access.ts'
import { notice } from '../forms.ts'
import { pageHead } from '../layout.ts'
import { type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'
import { auditTable } from './audit.ts'
import { agencyHome, factorHint, firstName } from './home.ts'
import { healthChecks, healthTable } from './health.ts'

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

export const overviewPages: readonly Page[] = [
  personPage('GET', '', 'person', async (visit) => {
    const { agency } = visit.session
    if (agency === null) return await operatorOverview(visit)
    return await agencyHome({ ...visit, agency: ownAgency(agency) })
  }),
]
