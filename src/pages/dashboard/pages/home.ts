/**
 * The first page of an agency's people: the to-do list, then figures. An agency without listings sees how to begin.
 */
import { requestsByDay } from '../../../access/keys/request-reports.ts'
import { findPage } from '../../../listings/list/list-sql.ts'
import { listingCounts } from '../../../listings/removed.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { dayChart, stateBar, states, stateTones, tiles } from '../charts.ts'
import { notice } from '../forms.ts'
import { icon } from '../../framework/icons.ts'
import { empty, pageHead } from '../page-parts.ts'
import type { AgencyVisit, PageResponse, Signed } from '../visit.ts'
import { findWork } from './find-work.ts'
import { mayManage } from './keys.ts'
import { cardGrid } from './listings.ts'
import { workPart } from './work-list.ts'

const chartDays = 30
const recentOnes = 4
const findCounts = listingCounts()

export async function agencyHome(visit: AgencyVisit): Promise<PageResponse> {
  const { t, deps, agency, session } = visit
  const { db, clock } = deps
  const texts = t.overview
  const [work, counts, days, { listings: recent }] = await Promise.all([
    findWork(db, clock, agency),
    findCounts(db, agency.id),
    requestsByDay(db, agency.id, null, chartDays, clock),
    findPage(db, agency.id, { status: 'all' }, 'updated', { limit: recentOnes, offset: 0 }),
  ])
  const isNew = recent.length === 0 && counts.removed === 0
  return {
    title: t.nav.overview,
    section: 'overview',
    body: html`${pageHead(visit, { title: texts.hello(firstName(session.account.name)), subtitle: agency.name })}
      <div class="stack-l">
        ${!agency.active && notice('warn', t.common.agencyInactive)}
        ${!session.account.has_second_factor && factorHint(visit)}
        ${isNew ? startPart(visit, work.keys.length === 0) : workPart(visit, work)}
        ${
          !(isNew && work.keys.length === 0) &&
          html`<section class="stack">
            <h2>${t.work.page.figures}</h2>
            ${!isNew && statePart(visit, counts)}
            <section class="card">
              <div class="card-head">
                <h3>${t.usage.perDay}</h3>
                <a href="${visit.base}/dashboard/usage">${t.usage.see}</a>
              </div>
              ${work.keys.length === 0 ? firstKey(visit) : dayChart(visit, days, t.usage.perDay)}
            </section>
          </section>`
        }
        ${
          recent.length > 0 &&
          html`<section class="stack">
            <div class="row-apart">
              <h2>${texts.recent}</h2>
              <a href="${visit.base}/dashboard/listings?sort=updated">${t.common.seeAll}</a>
            </div>
            ${cardGrid(visit, recent, true)}
          </section>`
        }
      </div>`,
  }
}

type Counts = Awaited<ReturnType<typeof findCounts>>

function statePart(visit: AgencyVisit, counts: Counts): Html {
  const { tabs } = visit.t.listings
  const path = '/dashboard/listings?status='
  return html`${tiles(visit, [
    ...states.map((state) => [tabs[state], counts[state], path + state, stateTones[state]] as const),
    [tabs.removed, counts.removed, `${path}removed`],
  ])}
  ${states.some((state) => counts[state] > 0) && stateBar(visit, counts)}`
}

/** How an agency begins: by hand, or with a system. */
function startPart(visit: AgencyVisit, hasNoKey: boolean): Html {
  const { t, base } = visit
  const texts = t.work.page.start
  const step = (title: string, text: string, action: Html) =>
    html`<div class="stack-s">
      <h3>${title}</h3>
      <p class="muted">${text}</p>
      <p>${action}</p>
    </div>`
  return html`<section class="card stack">
    <h2>${texts.title}</h2>
    <div class="columns halves">
      ${step(
        texts.listing,
        texts.listingText,
        html`<a class="button button-primary" href="${base}/dashboard/listings/new"
          >${icon('plus')}${t.listingForm.create}</a
        >`,
      )}
      ${
        hasNoKey &&
        mayManage(visit) &&
        step(
          texts.key,
          t.keys.subtitle,
          html`<a class="button" href="${base}/dashboard/keys/new">${icon('keys')}${t.keys.create}</a>`,
        )
      }
    </div>
  </section>`
}

function firstKey(visit: AgencyVisit): Html {
  const { t, base } = visit
  return empty(
    'keys',
    t.overview.firstKey,
    t.keys.subtitle,
    mayManage(visit) &&
      html`<a class="button" href="${base}/dashboard/keys/new">${icon('plus')}${t.keys.create}</a>`,
  )
}

export function factorHint({ t, base }: Signed): Html {
  return notice(
    'info',
    html`${t.overview.factorHint} <a href="${base}/dashboard/account/second-factor">${t.account.turnOn}</a>`,
  )
}

export function firstName(name: string): string {
  return name.split(' ', 1)[0] ?? name
}
