/** A tab of the settings: the slug, which names the agency in the URLs of its pages. The old URLs redirect to the new ones. */
import { slugLength } from '../../../../limits/sizes.ts'
import { agencyUrl } from '../../../../agencies/agencies.ts'
import { type FormerSlug, listFormerSlugs } from '../../../../agencies/former-slugs.ts'
import { changeAgencyProfile } from '../../../../agencies/profile.ts'
import { take } from '../../../../limits/take.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { inOneTransaction } from '../../forms/form-handlers.ts'
import { fieldForm, formField } from '../../forms/forms.ts'
import { card } from '../../parts/page-parts.ts'
import { limitedOr } from '../../forms/problems.ts'
import { type Column, table } from '../../parts/tables.ts'
import type { AgencyRequest } from '../../serving/page.ts'
import { settingsPaths, settingsTab } from './settings.ts'

const daySeconds = 86_400

async function contents(request: AgencyRequest): Promise<Html> {
  const { t, agency, deps, session, format } = request
  const texts = t.settings
  const former = await listFormerSlugs(deps.db, agency.id, deps.clock)
  const { max, windowSeconds } = deps.limits.slug_changes_per_month
  const url = agencyUrl(deps.config.publicBaseUrl, agency.slug)
  const isLimited = session.account.role !== 'operator'
  const limit = texts.slugLimit(max, format.number(max), windowSeconds / daySeconds)
  const slug = html`${formField(request, { name: 'slug', label: t.agencies.slug, hint: t.agencies.slugHint, value: agency.slug, required: true, maxlength: slugLength, autocomplete: 'off' })}`
  return html`${card(
    texts.tabs.slug,
    html`<p>${texts.slugNow} <a href="${url}">${url}</a></p>
      <p>${texts.slugText}${isLimited && ` ${limit}`}</p>
      <p>${texts.slugSystems}</p>
      ${fieldForm(request, agency.path + settingsPaths.slug, slug, texts.change)}`,
  )}
  ${formerPart(request, former)}`
}

function formerPart({ t, deps, format }: AgencyRequest, former: readonly FormerSlug[]): Html {
  const texts = t.settings
  if (former.length === 0) return nothing
  const columns: Column<FormerSlug>[] = [
    { title: texts.tabs.slug, cell: ({ slug }) => agencyUrl(deps.config.publicBaseUrl, slug) },
    { title: texts.formerSince, cell: ({ given_up_at: at }) => format.date(at) },
    {
      title: t.common.status,
      cell: ({ is_reserved: isReserved }) => (isReserved ? texts.formerReserved : texts.formerFree),
    },
  ]
  return card(texts.former, table(columns, former, { caption: texts.former }), undefined, 'card-flush')
}

async function save(request: AgencyRequest, tx: Tx) {
  const { deps, agency, form, session } = request
  const isOperator = session.account.role === 'operator'
  const slug = (form.get('slug') ?? '').trim()
  const to = agency.path + settingsPaths.slug
  if (slug === agency.slug) return { to }
  await changeAgencyProfile(tx, agency.id, { slug }, deps.clock)
  // Charged last, so that a refused slug does not count.
  if (!isOperator) await take(tx, 'slug_changes', agency.id, 1, deps)
  await auditRequest(tx, request, 'agency_changed', agency.id, slug, { was: agency.slug })
  // An operator's pages of the agency have the slug in their paths.
  const path = isOperator ? to.replace(`/${agency.slug}/`, `/${slug}/`) : to
  return { to: path, flash: succeeded('slugChanged') }
}

export const settingsSlugPages = settingsTab('slug', contents, inOneTransaction(save), (request, error) =>
  limitedOr(request, error, 'slug', request.t.settings.slugTooOften),
)
