/**
 * The test environment: its contents, and the button that empties and refills it. Its listings, keys and requests have the same
 * pages as the agency's own, below `/test`.
 */
import { agencyUrl } from '../../../agencies/agencies.ts'
import { resetTwin } from '../../../samples/test-environment.ts'
import { findTwin } from '../../../agencies/twins.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { take } from '../../../limits/take.ts'
import { countListingsByStatus } from '../../../listings/reading/counts.ts'
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import { icon } from '../../framework/icons.ts'
import { twinOf } from '../serving/access.ts'
import { auditRequest } from '../actor.ts'
import { states, tiles } from '../parts/charts.ts'
import { failed, succeeded } from '../serving/flash.ts'
import { postForm } from '../forms/forms.ts'
import { card, empty, framed } from '../parts/page-parts.ts'
import { refusalText } from '../forms/problems.ts'
import { agencyPages, type AgencyRequest } from '../serving/page.ts'
import { activeKeys, keyTable, mayManage } from './keys/keys.ts'
import { limitLabels, limitsCard } from './operator/limits-card.ts'

/** @param request of a page about the agency, or about its twin after its form was refused */
export async function environmentPage(request: AgencyRequest) {
  const { t, agency, session } = request
  const texts = t.test
  const twin = agency.isTest ? agency : await twinOf(request, agency)
  const about = twin === null ? null : { ...request, agency: twin }
  return framed(
    request,
    { title: texts.title, section: 'test', subtitle: texts.subtitle, labels: limitLabels(request) },
    html`<section class="card"><p class="prose">${texts.what}</p></section>
      ${
        about === null
          ? html`<section class="card">
              ${empty('test', texts.none, mayManage(request) ? texts.noneText : texts.noneMember, createLink(request))}
            </section>`
          : await contents(about)
      }
      ${about !== null && session.account.role === 'operator' && (await limitsCard(about))}`,
  )
}

function createLink(request: AgencyRequest): Html {
  const { t, base, agency } = request
  if (!mayManage(request)) return nothing
  return html`<a class="button button-primary" href="${base}${agency.realPath}/keys/new?kind=test"
    >${icon('plus')}${t.test.createKey}</a
  >`
}

/** @param request of a page about the twin */
async function contents(request: AgencyRequest): Promise<Html> {
  const { t, deps, agency, base } = request
  const texts = t.test
  const [counts, keys] = await Promise.all([
    countListingsByStatus(deps.db, agency.id),
    activeKeys(request, agency),
  ])
  const { tabs } = t.listings
  const button = (below: string, label: string) =>
    html`<a class="button" href="${base}${agency.path}${below}">${label}</a>`
  return html`${tiles(request, [
      ...states.map(
        (state) => [tabs[state], counts[state], `${agency.path}/listings?status=${state}`] as const,
      ),
      [texts.keys, keys.length, `${agency.path}/keys`],
    ])}
    <div class="row">
      ${button('/work', t.work.page.title)}${button('/listings', texts.seeListings)}${button('/keys', texts.seeKeys)}${button('/usage', t.usage.see)}<a
        class="button"
        href="${agencyUrl(deps.config.publicBaseUrl, agency.slug)}"
        >${icon('open')}${t.settings.publicPage}</a
      >
    </div>
    ${card(
      texts.keysTitle,
      keys.length === 0
        ? empty('keys', t.keys.none, t.keys.noneText)
        : keyTable(request, keys, texts.keysTitle),
      createLink(request),
      'card-flush',
    )}
    ${
      agency.active &&
      card(
        texts.reset,
        html`<p class="small">${texts.resetText}</p>
          <details class="action">
            <summary class="button button-danger">${icon('rotate')}${texts.reset}</summary>
            <div class="action-body">
              ${postForm(request, `${agency.path}/reset`, html`<button class="button button-danger">${texts.resetNow}</button>`)}
            </div>
          </details>`,
      )
    }`
}

async function reset(request: AgencyRequest) {
  const { deps, agency, format } = request
  const to = `${agency.path}/test`
  const twin = await findTwin(deps.db, agency.id)
  if (twin === null) throw new ApiError('not_found', { message: 'There is no such page.' })
  try {
    await inTransaction(deps.db, (tx) => take(tx, 'test_resets', twin.id, 1, deps))
    const { listings } = await resetTwin(deps, twin, (tx) =>
      auditRequest(tx, request, 'test_reset', agency.id, twin.slug),
    )
    return { to, flash: succeeded('testReset', format.number(listings)) }
  } catch (error) {
    return { to, flash: failed('refused', refusalText(request, error)) }
  }
}

export const testEnvironmentPages = [
  ...agencyPages('GET', '/test', 'agency', environmentPage),
  ...agencyPages('POST', '/test/reset', 'agency', reset),
]
