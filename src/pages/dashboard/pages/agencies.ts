/**
 * The operator's pages of agencies: a new one, and one with its people, keys, listings and limits.
 */
import { inTransaction } from '../../../platform/db/transaction.ts'
import { agencyUrl, createAgency, getAgency, setAgencyActive } from '../../../agencies/agencies.ts'
import { listAccounts } from '../../../access/accounts/accounts.ts'
import { listKeys } from '../../../access/keys/keys.ts'
import { requestsByKey } from '../../../access/keys/request-reports.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { countListings } from '../../../listings/removed.ts'
import { note } from '../actor.ts'
import { tiles } from '../charts.ts'
import { succeeded } from '../flash.ts'
import { inputField, type Problems } from '../../framework/fields.ts'
import { notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { icon } from '../../framework/icons.ts'
import { pageHead } from '../page-parts.ts'
import { problemsOf } from '../problems.ts'
import {
  type AgencyVisit,
  operatorAgencyPage,
  type Page,
  type PageResponse,
  personPage,
  type Signed,
} from '../visit.ts'
import { limitLabels, limitsCard } from './limits-card.ts'

const home = '/dashboard/operator/agencies'
const requestDays = 30

export function agencyStatus({ t }: Signed, active: boolean): Html {
  return active
    ? html`<span class="badge badge-good badge-dot">${t.common.active}</span>`
    : html`<span class="badge badge-bad badge-dot">${t.agencies.inactive}</span>`
}

function profileFields({ t, form }: Signed, problems: Problems): Html {
  const texts = t.agencies
  return html`${inputField({ name: 'name', label: t.common.name, value: form.get('name') ?? '', problems, required: true, maxlength: 120 })}
  ${inputField({ name: 'slug', label: texts.slug, hint: texts.slugHint, value: form.get('slug') ?? '', problems, required: true, maxlength: 63 })}
  ${inputField({ name: 'email', label: t.common.email, hint: texts.emailHint, type: 'email', value: form.get('email') ?? '', problems, maxlength: 254 })}`
}

function newPage(visit: Signed, { problems, status }: Refusal = notRefused): PageResponse {
  const { t, base } = visit
  const texts = t.agencies
  return {
    title: texts.create,
    section: 'agencies',
    status,
    body: html`${pageHead(visit, { title: texts.create, crumbs: [[t.nav.agencies, home]] })}
      <div class="card">
        ${problemSummary(visit, problems)}${postForm(
          visit,
          '/dashboard/operator/new-agency',
          html`<div class="stack">
            ${profileFields(visit, problems)}
            <div class="form-actions">
              <button class="button button-primary">${texts.create}</button
              ><a class="button button-quiet" href="${base}${home}">${t.common.cancel}</a>
            </div>
          </div>`,
        )}
      </div>`,
  }
}

export async function agencyPage(
  visit: AgencyVisit,
  { problems, status }: Refusal = notRefused,
): Promise<PageResponse> {
  const { t, deps, agency, base } = visit
  const texts = t.agencies
  const [profile, counts, keys, people, byKey, limits] = await Promise.all([
    getAgency(deps.db, agency.slug),
    countListings(deps.db, agency.id),
    listKeys(deps.db, agency.id, deps.clock),
    listAccounts(deps.db, agency.id),
    requestsByKey(deps.db, agency.id, requestDays, deps.clock),
    limitsCard(visit, problems),
  ])
  const requests = byKey.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)
  const active = keys.filter((key) => key.status === 'active').length
  // Activating comes first, deactivating last.
  const activation = html`<section class="card stack">
    <h2>${profile.active ? texts.deactivate : texts.activate}</h2>
    <p class="small">${profile.active ? texts.deactivateText : texts.activateText}</p>
    ${
      profile.active
        ? html`<p>
            <a class="button button-danger" href="${base}${agency.path}/deactivate">${texts.deactivate}…</a>
          </p>`
        : postForm(
            visit,
            `${agency.path}/activate`,
            html`<button class="button button-primary">${texts.activate}</button>`,
          )
    }
  </section>`
  const url = agencyUrl(deps.config.publicBaseUrl, profile.slug)
  return {
    title: profile.name,
    section: 'agencies',
    status,
    body: html`${pageHead(visit, { title: html`${profile.name}`, subtitle: html`${agencyStatus(visit, profile.active)} <a href="${url}">${url}</a>`, crumbs: [[t.nav.agencies, home]], actions: html`<a class="button" href="${base}${agency.path}/work">${icon('check')}${t.work.page.title}</a><a class="button" href="${base}${agency.path}/test">${icon('test')}${t.test.title}</a><a class="button" href="${base}${agency.path}/settings">${icon('settings')}${t.nav.settings}</a>` })}
      <div class="stack-l">
        ${problemSummary(visit, problems, { labels: limitLabels(visit) })} ${!profile.active && activation}
        ${tiles(visit, [
          [t.nav.listings, counts.published + counts.draft + counts.disabled, `${agency.path}/listings`],
          [t.listings.tabs.removed, counts.removed, `${agency.path}/listings?status=removed`],
          [texts.activeKeys, active, `${agency.path}/keys`],
          [t.nav.people, people.length, `${agency.path}/people`],
          [texts.requests, requests, `${agency.path}/usage`],
        ])}
        ${limits} ${profile.active && activation}
      </div>`,
  }
}

function sentProfile(form: URLSearchParams) {
  const email = (form.get('email') ?? '').trim()
  return {
    name: form.get('name') ?? '',
    slug: (form.get('slug') ?? '').trim(),
    email: email === '' ? null : email,
  }
}

async function create(visit: Signed): Promise<PageResponse> {
  const { deps, form } = visit
  try {
    const agency = await inTransaction(deps.db, async (tx) => {
      const made = await createAgency(tx, sentProfile(form), deps.clock)
      await note(tx, visit, 'agency_created', made.id, made.slug, { name: made.name })
      return made
    })
    return { to: `${home}/${agency.slug}`, flash: succeeded('agencyCreated', agency.name) }
  } catch (error) {
    return newPage(visit, problemsOf(visit, error))
  }
}

/** Says what will happen, and requires the slug to be typed, so that nobody deactivates an agency by mistake. */
async function deactivatePage(
  visit: AgencyVisit,
  { problems, status }: Refusal = notRefused,
): Promise<PageResponse> {
  const { t, deps, agency, base, format } = visit
  const texts = t.console.deactivate
  const [counts, keys, people] = await Promise.all([
    countListings(deps.db, agency.id),
    listKeys(deps.db, agency.id, deps.clock),
    listAccounts(deps.db, agency.id),
  ])
  const active = keys.filter((key) => key.status === 'active').length
  const title = texts.title(agency.name)
  return {
    title,
    section: 'agencies',
    status,
    body: html`${pageHead(visit, {
        title,
        crumbs: [
          [t.nav.agencies, home],
          [agency.name, agency.path],
        ],
      })}
      <div class="card stack">
        ${problemSummary(visit, problems)}
        <h2>${texts.happens}</h2>
        <ul class="bullets">
          <li>${texts.keys(active)}</li>
          <li>${texts.listings(format.number(counts.published))}</li>
          ${people.length > 0 && html`<li>${texts.people(people.length)}</li>`}
          <li>${texts.kept}</li>
        </ul>
        ${postForm(
          visit,
          `${agency.path}/deactivate`,
          html`<div class="stack">
            ${inputField({ name: 'confirm', label: texts.confirm(agency.slug), value: '', problems, required: true, autocomplete: 'off', maxlength: 63 })}
            <div class="form-actions">
              <button class="button button-danger">${texts.now}</button
              ><a class="button button-quiet" href="${base}${agency.path}">${t.common.cancel}</a>
            </div>
          </div>`,
        )}
      </div>`,
  }
}

async function deactivate(visit: AgencyVisit): Promise<PageResponse> {
  const { form, agency, t } = visit
  if ((form.get('confirm') ?? '').trim() === agency.slug) return await switchTo(visit, false)
  const problems = { confirm: t.console.deactivate.wrong(agency.slug) }
  return await deactivatePage(visit, { problems, status: 400 })
}

async function switchTo(visit: AgencyVisit, active: boolean): Promise<PageResponse> {
  const { deps, agency } = visit
  await inTransaction(deps.db, async (tx) => {
    await setAgencyActive(tx, agency.slug, active, deps.clock)
    await note(tx, visit, active ? 'agency_activated' : 'agency_deactivated', agency.id, agency.slug)
  })
  return { to: agency.path, flash: succeeded(active ? 'agencyActivated' : 'agencyDeactivated', agency.name) }
}

export const agenciesPages: readonly Page[] = [
  personPage('GET', '/operator/new-agency', 'operator', async (visit) => newPage(visit)),
  personPage('POST', '/operator/new-agency', 'operator', create),
  operatorAgencyPage('GET', '', (visit) => agencyPage(visit)),
  operatorAgencyPage('GET', '/deactivate', (visit) => deactivatePage(visit)),
  operatorAgencyPage('POST', '/deactivate', deactivate),
  operatorAgencyPage('POST', '/activate', (visit) => switchTo(visit, true)),
]
