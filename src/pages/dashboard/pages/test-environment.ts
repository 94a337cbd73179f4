/**
 * The test environment: its contents, and the button that empties and refills it. Its listings, keys and requests are on the
 * pages of the agency's own, below `/test`.
 */
import { agencyUrl } from '../../../agencies/agencies.ts'
import { findTwin } from '../../../agencies/twins.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { resetTwin } from '../../../operations/demo/test-environment.ts'
import { ApiError } from '../../../platform/errors.ts'
import { take } from '../../../limits/take.ts'
import { countListings } from '../../../listings/removed.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { testAgencyOf } from '../access.ts'
import { note } from '../actor.ts'
import { tiles } from '../charts.ts'
import { failed, succeeded } from '../flash.ts'
import { notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { icon } from '../../framework/icons.ts'
import { agencyCrumbs, empty, pageHead, sectionOf } from '../page-parts.ts'
import { refusalText } from '../problems.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAgency, type PageResponse } from '../visit.ts'
import { activeKeys, keyTable, mayManage } from './keys.ts'
import { limitLabels, limitsCard } from './limits-card.ts'

export async function environmentPage(
  visit: AgencyVisit,
  { problems, status }: Refusal = notRefused,
): Promise<PageResponse> {
  const { t, agency } = visit
  const texts = t.test
  const twin = await testAgencyOf(visit, agency)
  return {
    title: texts.title,
    section: sectionOf(visit, 'test'),
    status,
    body: html`${pageHead(visit, { title: texts.title, subtitle: texts.subtitle, crumbs: agencyCrumbs(visit) })}
      <div class="stack-l">
        ${problemSummary(visit, problems, { labels: limitLabels(visit) })}
        <section class="card"><p class="prose">${texts.what}</p></section>
        ${
          twin === null
            ? html`<section class="card">
                ${empty('test', texts.none, mayManage(visit) ? texts.noneText : texts.noneMember, createLink(visit))}
              </section>`
            : html`${await contents({ ...visit, agency: twin }, agency)}
              ${visit.session?.account.role === 'operator' && (await limitsCard({ ...visit, agency: twin }, problems))}`
        }
      </div>`,
  }
}

function createLink(visit: AgencyVisit): Html {
  const { t, base, agency } = visit
  const path = agency.isTest ? agency.path.slice(0, -'/test'.length) : agency.path
  return html`${
    mayManage(visit) &&
    html`<a class="button button-primary" href="${base}${path}/keys/new?kind=test"
      >${icon('plus')}${t.test.createKey}</a
    >`
  }`
}

/** @param visit as of the twin's pages */
async function contents(visit: AgencyVisit, { path }: PageAgency): Promise<Html> {
  const { t, deps, agency, base } = visit
  const texts = t.test
  const [counts, keys] = await Promise.all([countListings(deps.db, agency.id), activeKeys(visit, agency)])
  const { tabs } = t.listings
  const button = (below: string, label: string) =>
    html`<a class="button" href="${base}${agency.path}${below}">${label}</a>`
  return html`${tiles(visit, [
      [tabs.published, counts.published, `${agency.path}/listings?status=published`],
      [tabs.draft, counts.draft, `${agency.path}/listings?status=draft`],
      [tabs.disabled, counts.disabled, `${agency.path}/listings?status=disabled`],
      [texts.keys, keys.length, `${agency.path}/keys`],
    ])}
    <div class="row">
      ${button('/work', t.work.page.title)}${button('/listings', texts.seeListings)}${button('/keys', texts.seeKeys)}${button('/usage', t.usage.see)}<a
        class="button"
        href="${agencyUrl(deps.config.publicBaseUrl, agency.slug)}"
        >${icon('open')}${t.settings.publicPage}</a
      >
    </div>
    <section class="card card-flush">
      <div class="card-head">
        <h2>${texts.keysTitle}</h2>
        ${createLink(visit)}
      </div>
      ${keys.length === 0 ? empty('keys', t.keys.none, t.keys.noneText) : keyTable(visit, keys, texts.keysTitle)}
    </section>
    ${
      agency.active &&
      html`<section class="card stack">
        <h2>${texts.reset}</h2>
        <p class="small">${texts.resetText}</p>
        <details class="action">
          <summary class="button button-danger">${icon('rotate')}${texts.reset}</summary>
          <div class="action-body">
            ${postForm(visit, `${path}/test/reset`, html`<button class="button button-danger">${texts.resetNow}</button>`)}
          </div>
        </details>
      </section>`
    }`
}

/** The environment's limits are its own. Only operators see and change them. @param visit as of the twin's pages */
async function reset(visit: AgencyVisit): Promise<PageResponse> {
  const { deps, agency, format } = visit
  const { db, config, clock } = deps
  const to = `${agency.path}/test`
  const twin = await findTwin(db, agency.id)
  if (twin === null) throw new ApiError('not_found', { message: 'There is no such page.' })
  try {
    await inTransaction(db, (tx) => take(tx, 'test_resets', twin.id, 1, config.limits, clock))
    const { listings } = await resetTwin(deps, twin, (tx) =>
      note(tx, visit, 'test_reset', agency.id, twin.slug),
    )
    return { to, flash: succeeded('testReset', format.number(listings)) }
  } catch (error) {
    return { to, flash: failed('refused', refusalText(visit, error)) }
  }
}

export const testEnvironmentPages: readonly Page[] = [
  ...agencyPages('GET', '/test', 'agency', (visit) => environmentPage(visit)),
  ...agencyPages('POST', '/test/reset', 'agency', reset),
]
