/** The first page of an agency's people: the to-do list, then figures. An agency without listings sees how to begin. */
import { requestsByDay } from '../../../../access/request-log/request-reports.ts'
import { findPage } from '../../../../listings/reading/list/list-sql.ts'
import { listingCounts } from '../../../../listings/reading/counts.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { requestChart, stateBar, states, stateTones, tiles } from '../../parts/charts.ts'
import { notice } from '../../forms/forms.ts'
import { card, empty, framed, linkButton } from '../../parts/page-parts.ts'
import type { AgencyRequest, PersonRequest } from '../../serving/page.ts'
import { findWork } from '../work/find-work.ts'
import { mayManage } from '../keys/keys.ts'
import { cardGrid } from '../listings/list/card-grid.ts'
import { workPart } from '../work/work-list.ts'

const chartDays = 30
const recentOnes = 4
const findCounts = listingCounts()

export async function agencyHome(request: AgencyRequest) {
  const { t, deps, agency, session, base } = request
  const { db, clock } = deps
  const texts = t.overview
  const [work, counts, days, { listings: recent }] = await Promise.all([
    findWork(db, clock, agency),
    findCounts(db, agency.id),
    requestsByDay(db, agency.id, null, chartDays, clock),
    findPage(db, agency.id, { filters: { status: 'all' }, sort: 'updated', limit: recentOnes, offset: 0 }),
  ])
  const heading = texts.hello(firstName(session.account.name))
  const hasNoKey = work.keys.length === 0
  const isNew = recent.length === 0 && counts.removed === 0
  const figures = () =>
    html`<section class="stack">
      <h2>${t.work.page.figures}</h2>
      ${!isNew && statePart(request, counts)}
      ${card(
        t.usage.perDay,
        hasNoKey ? firstKey(request) : requestChart(request, days, t.usage.perDay),
        html`<a href="${base}/dashboard/usage">${t.usage.see}</a>`,
      )}
    </section>`
  return framed(
    request,
    { title: t.nav.overview, section: 'overview', heading, subtitle: agency.name },
    html`${!agency.active && notice('warn', t.common.agencyInactive)}
    ${!session.account.has_second_factor && factorHint(request)}
    ${isNew ? startPart(request, hasNoKey) : workPart(request, work)} ${!(isNew && hasNoKey) && figures()}
    ${
      recent.length > 0 &&
      html`<section class="stack">
        <div class="row-apart">
          <h2>${texts.recent}</h2>
          <a href="${base}/dashboard/listings?sort=updated">${t.common.seeAll}</a>
        </div>
        ${cardGrid(request, recent, true)}
      </section>`
    }`,
  )
}

type Counts = Awaited<ReturnType<typeof findCounts>>

function statePart(request: AgencyRequest, counts: Counts): Html {
  const { tabs } = request.t.listings
  const path = '/dashboard/listings?status='
  return html`${tiles(request, [
    ...states.map((state) => [tabs[state], counts[state], path + state, stateTones[state]] as const),
    [tabs.removed, counts.removed, `${path}removed`],
  ])}
  ${states.some((state) => counts[state] > 0) && stateBar(request, counts)}`
}

/** How an agency begins: by hand, or with a system. */
function startPart(request: AgencyRequest, hasNoKey: boolean): Html {
  const { t } = request
  const texts = t.work.page.start
  const step = (title: string, text: string, action: Html) =>
    html`<div class="stack-s">
      <h3>${title}</h3>
      <p class="muted">${text}</p>
      <p>${action}</p>
    </div>`
  const { create: text } = t.listingForm
  const create = linkButton(request, '/dashboard/listings/new', text, 'plus', 'button-primary')
  return card(
    texts.title,
    html`<div class="columns halves">
      ${step(texts.listing, texts.listingText, create)}
      ${hasNoKey && mayManage(request) && step(texts.key, t.keys.subtitle, linkButton(request, '/dashboard/keys/new', t.keys.create, 'keys'))}
    </div>`,
  )
}

function firstKey(request: AgencyRequest): Html {
  const { overview, keys } = request.t
  const create = mayManage(request) && linkButton(request, '/dashboard/keys/new', keys.create, 'plus')
  return empty('keys', overview.firstKey, keys.subtitle, create)
}

export function factorHint({ t, base }: PersonRequest): Html {
  return notice(
    'info',
    html`${t.overview.factorHint} <a href="${base}/dashboard/account/second-factor">${t.account.turnOn}</a>`,
  )
}

export function firstName(name: string): string {
  return name.split(' ', 1)[0] ?? name
}
