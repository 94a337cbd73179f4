/**
 * The operator's pages of agencies: the list, a new one, and one with its people, keys, listings and limits.
 */
import { inTransaction } from '../../db/transaction.ts'
import { agencyUrl, createAgency, getAgency, listAgencies, setAgencyActive } from '../../agencies/agencies.ts'
import { listAccounts } from '../../accounts/accounts.ts'
import { findLimits, shownLimits } from '../../limits/of-agency.ts'
import { listKeys } from '../../keys/keys.ts'
import { requestsByKey } from '../../keys/request-reports.ts'
import { html, type Html, type Piece } from '../../web/html.ts'
import { countListings } from '../../properties/removed.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import {
  inputField,
  notice,
  notRefused,
  postForm,
  type Problems,
  problemSummary,
  type Refusal,
} from '../forms.ts'
import { icon } from '../icons.ts'
import { empty, pageHead } from '../layout.ts'
import { problemsOf } from '../problems.ts'
import { tableHead } from '../tables.ts'
import {
  type AgencyVisit,
  operatorAgencyPage,
  type Page,
  type PageAnswer,
  personPage,
  type Signed,
} from '../visit.ts'
import { limitsCard } from './limits-card.ts'

const home = '/dashboard/operator/agencies'
const requestDays = 30

async function listPage(visit: Signed): Promise<PageAnswer> {
  const { t, deps, base, format } = visit
  const texts = t.agencies
  const agencies = await listAgencies(deps.db)
  return {
    title: texts.title,
    section: 'agencies',
    body: html`${pageHead(visit, {
        title: texts.title,
        subtitle: texts.subtitle,
        actions: html`<a class="button" href="${base}/dashboard/operator/people"
            >${icon('people')}${t.people.operators}</a
          ><a class="button button-primary" href="${base}/dashboard/operator/new-agency"
            >${icon('plus')}${texts.create}</a
          >`,
      })}
      <section class="card card-flush">
        ${
          agencies.length === 0
            ? empty('agencies', texts.none, texts.noneText)
            : html`<table class="table table-fold">
                ${tableHead(texts.title, [t.common.name, texts.slug, t.common.email, texts.since, t.common.status])}
                <tbody>
                  ${agencies.map(
                    (agency) =>
                      html`<tr>
                        <td class="lead">
                          <a class="row-link" href="${base}${home}/${agency.slug}">${agency.name}</a>
                        </td>
                        <td data-label="${texts.slug}"><code>${agency.slug}</code></td>
                        <td data-label="${t.common.email}">${agency.email}</td>
                        <td data-label="${texts.since}">${format.date(agency.created_at)}</td>
                        <td data-label="${t.common.status}">${agencyStatus(visit, agency.active)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>`
        }
      </section>`,
  }
}

function agencyStatus({ t }: Signed, active: boolean): Html {
  return active
    ? html`<span class="badge badge-good badge-dot">${t.agencies.active}</span>`
    : html`<span class="badge badge-bad badge-dot">${t.agencies.inactive}</span>`
}

function profileFields({ t, form }: Signed, problems: Problems): Html {
  const texts = t.agencies
  return html`${inputField({ name: 'name', label: t.common.name, value: form.get('name') ?? '', problems, required: true, maxlength: 120 })}
  ${inputField({ name: 'slug', label: texts.slug, hint: texts.slugHint, value: form.get('slug') ?? '', problems, required: true, maxlength: 63 })}
  ${inputField({ name: 'email', label: t.common.email, hint: texts.emailHint, type: 'email', value: form.get('email') ?? '', problems, maxlength: 254 })}`
}

function newPage(visit: Signed, { problems, status }: Refusal = notRefused): PageAnswer {
  const { t, base } = visit
  const texts = t.agencies
  return {
    title: texts.create,
    section: 'agencies',
    status,
    body: html`${pageHead(visit, { title: texts.create, crumbs: [[texts.title, home]] })}
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
): Promise<PageAnswer> {
  const { t, deps, agency, base, format } = visit
  const texts = t.agencies
  const [profile, counts, keys, people, byKey, limits] = await Promise.all([
    getAgency(deps.db, agency.slug),
    countListings(deps.db, agency.id),
    listKeys(deps.db, agency.id, deps.clock),
    listAccounts(deps.db, agency.id),
    requestsByKey(deps.db, agency.id, requestDays, deps.clock),
    findLimits(deps.db, agency.id, deps.config.limits, deps.clock),
  ])
  const requests = byKey.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0)
  const tile = (label: string, value: Piece, path: string) =>
    html`<a class="tile" href="${base}${agency.path}${path}"
      ><span class="tile-label">${label}</span><span class="tile-value">${value}</span></a
    >`
  const active = keys.filter((key) => key.status === 'active').length
  const url = agencyUrl(deps.config.publicBaseUrl, profile.slug)
  return {
    title: profile.name,
    section: 'agencies',
    status,
    body: html`${pageHead(visit, { title: html`${profile.name}`, subtitle: html`${agencyStatus(visit, profile.active)} <a href="${url}">${url}</a>`, crumbs: [[texts.title, home]], actions: html`<a class="button" href="${base}${agency.path}/work">${icon('check')}${t.work.page.title}</a><a class="button" href="${base}${agency.path}/test">${icon('test')}${t.test.title}</a><a class="button" href="${base}${agency.path}/settings">${icon('settings')}${t.settings.title}</a>` })}
      <div class="stack-l">
        ${problemSummary(visit, problems)} ${!profile.active && notice('warn', texts.inactiveText)}
        <div class="tiles">
          ${tile(t.nav.listings, format.number(counts.published + counts.draft + counts.disabled), '/listings')}
          ${tile(t.listings.tabs.removed, format.number(counts.removed), '/listings?status=removed')}
          ${tile(texts.activeKeys, format.number(active), '/keys')}
          ${tile(t.nav.people, format.number(people.length), '/people')}
          ${tile(texts.requests, format.number(requests), '/usage')}
        </div>
        <section class="card stack">
          <h2>${profile.active ? texts.deactivate : texts.activate}</h2>
          <p class="small">${profile.active ? texts.deactivateText : texts.activateText}</p>
          ${postForm(visit, `${agency.path}/${profile.active ? 'deactivate' : 'activate'}`, html`<button class="button ${profile.active ? 'button-danger' : 'button-primary'}">${profile.active ? texts.deactivate : texts.activate}</button>`)}
        </section>
        ${limitsCard(visit, shownLimits(limits, deps.config.limits), problems)}
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

async function create(visit: Signed): Promise<PageAnswer> {
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

function switching(name: 'activate' | 'deactivate'): Page {
  return operatorAgencyPage('POST', `/${name}`, async (visit) => {
    const { deps, agency } = visit
    const active = name === 'activate'
    await inTransaction(deps.db, async (tx) => {
      await setAgencyActive(tx, agency.slug, active, deps.clock)
      const done = active ? 'agency_activated' : 'agency_deactivated'
      await note(tx, visit, done, agency.id, agency.slug)
    })
    return {
      to: agency.path,
      flash: succeeded(active ? 'agencyActivated' : 'agencyDeactivated', agency.name),
    }
  })
}

export const agenciesPages: readonly Page[] = [
  personPage('GET', '/operator/agencies', 'operator', listPage),
  personPage('GET', '/operator/new-agency', 'operator', async (visit) => newPage(visit)),
  personPage('POST', '/operator/new-agency', 'operator', create),
  operatorAgencyPage('GET', '', (visit) => agencyPage(visit)),
  switching('activate'),
  switching('deactivate'),
]
