/**
 * A tab of the settings: the slug, which names the agency in the URLs of its pages. The old URLs redirect to the new ones.
 */
import { agencyUrl } from '../../../agencies/agencies.ts'
import { type FormerSlug, listFormerSlugs } from '../../../agencies/former-slugs.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { take } from '../../../limits/take.ts'
import { changeAgencyProfile } from '../../../agencies/profile.ts'
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { inputField } from '../../framework/fields.ts'
import { notRefused, postForm, type Refusal } from '../forms.ts'
import { limitedOr } from '../problems.ts'
import { type Column, table } from '../tables.ts'
import { agencyPages, type AgencyVisit, type Page, type PageResponse } from '../visit.ts'
import { settingsPage, settingsPaths } from './settings.ts'

const daySeconds = 86_400

async function addressPage(visit: AgencyVisit, refusal: Refusal = notRefused): Promise<PageResponse> {
  const { t, agency, deps, form, session, format } = visit
  const texts = t.settings
  const former = await listFormerSlugs(deps.db, agency.id, deps.clock)
  const { max, windowSeconds } = deps.config.limits.slug_changes_per_month
  const url = agencyUrl(deps.config.publicBaseUrl, agency.slug)
  const isLimited = session.account.role !== 'operator'
  const body = html`<section class="card stack">
      <h2>${texts.tabs.address}</h2>
      <p>${texts.addressNow} <a href="${url}">${url}</a></p>
      <p>
        ${texts.addressText}${isLimited && html` ${texts.addressLimit(max, format.number(max), windowSeconds / daySeconds)}`}
      </p>
      <p>${texts.addressSystems}</p>
      ${postForm(
        visit,
        agency.path + settingsPaths.address,
        html`<div class="stack">
          ${inputField({ name: 'slug', label: t.agencies.slug, hint: t.agencies.slugHint, value: form.get('slug') ?? agency.slug, problems: refusal.problems, required: true, maxlength: 63, autocomplete: 'off' })}
          <div><button class="button button-primary">${texts.change}</button></div>
        </div>`,
      )}
    </section>
    ${formerPart(visit, former)}`
  return settingsPage(visit, 'address', refusal, body)
}

function formerPart({ t, deps, format }: AgencyVisit, former: readonly FormerSlug[]): Html {
  const texts = t.settings
  if (former.length === 0) return nothing
  const columns: Column<FormerSlug>[] = [
    { title: texts.tabs.address, cell: ({ slug }) => agencyUrl(deps.config.publicBaseUrl, slug) },
    { title: texts.formerSince, cell: ({ given_up_at: at }) => format.date(at) },
    {
      title: t.common.status,
      cell: ({ is_kept: isKept }) => (isKept ? texts.formerKept : texts.formerFree),
    },
  ]
  return html`<section class="card card-flush">
    <h2 class="card-head">${texts.former}</h2>
    ${table(columns, former, { caption: texts.former })}
  </section>`
}

async function save(visit: AgencyVisit): Promise<PageResponse> {
  const { deps, agency, form, session, t } = visit
  const slug = (form.get('slug') ?? '').trim()
  const to = agency.path + settingsPaths.address
  if (slug === agency.slug) return { to }
  try {
    await inTransaction(deps.db, async (tx) => {
      await changeAgencyProfile({ db: tx, clock: deps.clock }, agency.id, { slug })
      // Charged last, so that a refused slug does not count.
      if (session.account.role !== 'operator')
        await take(tx, 'slug_changes', agency.id, 1, deps.config.limits, deps.clock)
      await note(tx, visit, 'agency_changed', agency.id, slug, { was: agency.slug })
    })
  } catch (error) {
    return await addressPage(visit, limitedOr(visit, error, 'slug', t.settings.addressTooOften))
  }
  // An operator's pages of the agency have the slug in their paths.
  return {
    to: session.account.role === 'operator' ? to.replace(`/${agency.slug}/`, `/${slug}/`) : to,
    flash: succeeded('addressChanged'),
  }
}

export const settingsAddressPages: readonly Page[] = [
  ...agencyPages('GET', settingsPaths.address, 'owner', (visit) => addressPage(visit)),
  ...agencyPages('POST', settingsPaths.address, 'owner', save),
]
