/** The operators' pages for a new agency, and for one agency with its people, keys, listings and limits. */
import { emailLength, nameLength, slugLength } from '../../../../limits/sizes.ts'
import { listAccounts } from '../../../../access/accounts/accounts.ts'
import { requestsByKey } from '../../../../access/request-log/request-reports.ts'
import { agencyUrl, createAgency, getAgency, setAgencyActive } from '../../../../agencies/agencies.ts'
import { countListingsByStatus } from '../../../../listings/reading/counts.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { auditRequest } from '../../actor.ts'
import { tiles } from '../../parts/charts.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler, inOneTransaction } from '../../forms/form-handlers.ts'
import { buttonForm, fieldForm, formField } from '../../forms/forms.ts'
import { card, framed, linkButton, stateBadge } from '../../parts/page-parts.ts'
import {
  agenciesPath,
  type AgencyRequest,
  operatorAgencyPage,
  personPage,
  type PersonRequest,
} from '../../serving/page.ts'
import { activeKeys } from '../keys/keys.ts'
import { limitLabels, limitsCard } from './limits-card.ts'

const newAgency = '/dashboard/operator/new-agency'
const requestDays = 30

export function agencyStatus({ t }: PersonRequest, active: boolean): Html {
  return active ? stateBadge('good', t.common.active) : stateBadge('bad', t.agencies.inactive)
}

function newPage(request: PersonRequest) {
  const { t } = request
  const texts = t.agencies
  const fields = html`${formField(request, { name: 'name', label: t.common.name, required: true, maxlength: nameLength })}
  ${formField(request, { name: 'slug', label: texts.slug, hint: texts.slugHint, required: true, maxlength: slugLength })}
  ${formField(request, { name: 'email', label: t.common.email, hint: texts.emailHint, type: 'email', maxlength: emailLength })}`
  return framed(
    request,
    { title: texts.create, section: 'agencies', below: [[t.nav.agencies, agenciesPath]] },
    html`<div class="card">
      ${fieldForm(request, newAgency, fields, texts.create, { cancel: agenciesPath })}
    </div>`,
  )
}

export async function agencyPage(request: AgencyRequest) {
  const { t, deps, agency } = request
  const texts = t.agencies
  const [profile, counts, keys, people, byKey, limits] = await Promise.all([
    getAgency(deps.db, agency.slug),
    countListingsByStatus(deps.db, agency.id),
    activeKeys(request, agency),
    listAccounts(deps.db, agency.id),
    requestsByKey(deps.db, agency.id, requestDays, deps.clock),
    limitsCard(request),
  ])
  const requests = byKey.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)
  const url = agencyUrl(deps.config.publicBaseUrl, profile.slug)
  return framed(
    request,
    {
      title: profile.name,
      section: 'agencies',
      subtitle: html`${agencyStatus(request, profile.active)} <a href="${url}">${url}</a>`,
      crumbs: [[t.nav.agencies, agenciesPath]],
      actions: html`${linkButton(request, `${agency.path}/work`, t.work.page.title, 'check')}${linkButton(request, `${agency.path}/test`, t.test.title, 'test')}${linkButton(request, `${agency.path}/settings`, t.nav.settings, 'settings')}`,
      labels: limitLabels(request),
    },
    html`${!profile.active && switchCard(request, true)}
    ${tiles(request, [
      [t.nav.listings, counts.published + counts.draft + counts.disabled, `${agency.path}/listings`],
      [t.listings.tabs.removed, counts.removed, `${agency.path}/listings?status=removed`],
      [texts.activeKeys, keys.length, `${agency.path}/keys`],
      [t.nav.people, people.length, `${agency.path}/people`],
      [texts.requests, requests, `${agency.path}/usage`],
    ])}
    ${limits} ${profile.active && switchCard(request, false)}`,
  )
}

/** Activating comes first on the page, deactivating last, behind a confirmation. */
function switchCard(request: AgencyRequest, active: boolean): Html {
  const { t, agency } = request
  const texts = t.agencies
  const [title, text] = active
    ? [texts.activate, texts.activateText]
    : [texts.deactivate, texts.deactivateText]
  const action = active
    ? buttonForm(request, `${agency.path}/activate`, {}, title, 'button-primary')
    : html`<p>
        ${linkButton(request, `${agency.path}/deactivate`, `${title}…`, undefined, 'button-danger')}
      </p>`
  return card(
    title,
    html`<p class="small">${text}</p>
      ${action}`,
  )
}

async function create(request: PersonRequest, tx: Tx) {
  const { deps, form } = request
  const sent = (name: string) => (form.get(name) ?? '').trim()
  const profile = { name: form.get('name') ?? '', slug: sent('slug'), email: sent('email') || null }
  const made = await createAgency(tx, profile, deps.clock)
  await auditRequest(tx, request, 'agency_created', made.id, made.slug, { name: made.name })
  return { to: `${agenciesPath}/${made.slug}`, flash: succeeded('agencyCreated', made.name) }
}

/** Says what will happen, and requires the slug to be typed, so that nobody deactivates an agency by mistake. */
async function deactivatePage(request: AgencyRequest) {
  const { t, deps, agency, format } = request
  const texts = t.agencies.deactivation
  const [counts, keys, people] = await Promise.all([
    countListingsByStatus(deps.db, agency.id),
    activeKeys(request, agency),
    listAccounts(deps.db, agency.id),
  ])
  return framed(
    request,
    { title: texts.title(agency.name), section: 'agencies' },
    card(
      texts.happens,
      html`<ul class="bullets">
          <li>${keys.length === 0 ? texts.noKeys : texts.keys(keys.length)}</li>
          <li>${texts.listings(format.number(counts.published))}</li>
          ${people.length > 0 && html`<li>${texts.people(people.length)}</li>`}
          <li>${texts.kept}</li>
        </ul>
        ${fieldForm(request, `${agency.path}/deactivate`, formField(request, { name: 'confirm', label: texts.confirm(agency.slug), required: true, autocomplete: 'off', maxlength: slugLength }), texts.now, { look: 'button-danger', cancel: agency.path })}`,
    ),
  )
}

async function deactivate(request: AgencyRequest) {
  const { form, agency, t } = request
  if ((form.get('confirm') ?? '').trim() === agency.slug) return await switchTo(false)(request)
  const problems = { confirm: t.agencies.deactivation.wrong(agency.slug) }
  return await deactivatePage({ ...request, refusal: { problems, code: 'invalid_parameter' } })
}

const switchTo = (active: boolean) =>
  inOneTransaction(async (request: AgencyRequest, tx) => {
    const { deps, agency } = request
    await setAgencyActive(tx, agency.slug, active, deps.clock)
    await auditRequest(
      tx,
      request,
      active ? 'agency_activated' : 'agency_deactivated',
      agency.id,
      agency.slug,
    )
    const flash = succeeded(active ? 'agencyActivated' : 'agencyDeactivated', agency.name)
    return { to: agency.path, flash }
  })

export const agenciesPages = [
  personPage('GET', '/operator/new-agency', 'operator', newPage),
  personPage('POST', '/operator/new-agency', 'operator', formHandler(inOneTransaction(create), newPage)),
  operatorAgencyPage('GET', '', agencyPage),
  operatorAgencyPage('GET', '/deactivate', deactivatePage),
  operatorAgencyPage('POST', '/deactivate', deactivate),
  operatorAgencyPage('POST', '/activate', switchTo(true)),
]
