/** The frame of an agency's settings, with a tab for each page, and saving. For owners and operators. */
import { agencyUrl, getAgency } from '../../../../agencies/agencies.ts'
import { getAgencyDetails } from '../../../../agencies/details.ts'
import { type AgencyProfile, changeAgencyProfile, changeEmail } from '../../../../agencies/profile.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler } from '../../forms/form-handlers.ts'
import { framed, tabs } from '../../parts/page-parts.ts'
import { agencyPages, type AgencyRequest, type Handle, type PageDocument } from '../../serving/page.ts'
import { icon } from '../../../framework/icons.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { inTransaction } from '../../../../platform/db/statements/transaction.ts'
import { html, type Piece } from '../../../../platform/web/html.ts'

/** The tabs, and the paths of their pages below the agency's. */
export const settingsPaths = {
  profile: '/settings',
  hours: '/settings/hours',
  look: '/settings/look',
  slug: '/settings/address',
  mails: '/settings/mails',
} as const

type SettingsTab = keyof typeof settingsPaths

/** The pages of a tab: one shows it, the other receives its form. */
export function settingsTab(
  tab: SettingsTab,
  contents: (request: AgencyRequest) => Promise<Piece>,
  save: Handle<AgencyRequest>,
  refusalOf?: Parameters<typeof formHandler<AgencyRequest>>[2],
) {
  const path = settingsPaths[tab]
  const show = async (request: AgencyRequest) => settingsPage(request, tab, await contents(request))
  const saving = formHandler(save, show, refusalOf)
  return [...agencyPages('GET', path, 'owner', show), ...agencyPages('POST', path, 'owner', saving)]
}

export function settingsPage(request: AgencyRequest, tab: SettingsTab, contents: Piece): PageDocument {
  const { t, agency, deps } = request
  const texts = t.settings
  const names = Object.keys(settingsPaths) as SettingsTab[]
  const url = agencyUrl(deps.config.publicBaseUrl, agency.slug)
  return framed(
    request,
    {
      title: `${texts.tabs[tab]} · ${t.nav.settings}`,
      section: 'settings',
      heading: t.nav.settings,
      subtitle: texts.subtitle,
      actions: html`<a class="button" href="${url}">${icon('open')}${texts.publicPage}</a>`,
    },
    html`${tabs(
      request,
      t.nav.settings,
      names.map((name) => [texts.tabs[name], agency.path + settingsPaths[name], name === tab]),
    )}
    ${contents}`,
  )
}

export async function getProfile({ deps, agency }: AgencyRequest): Promise<AgencyProfile> {
  const [{ name, slug, email }, details] = await Promise.all([
    getAgency(deps.db, agency.slug),
    getAgencyDetails(deps.db, agency.id),
  ])
  return { name, slug, email, ...details }
}

/** Saves a tab and shows it again. @param known the profile, if it was read @throws ApiError 400 */
export async function saveSettings(
  request: AgencyRequest,
  tab: SettingsTab,
  sent: Partial<AgencyProfile>,
  known?: AgencyProfile,
) {
  const { deps, agency } = request
  const before = known ?? (await getProfile(request))
  await inTransaction(deps.db, (tx) => storeChanges(tx, request, before, sent))
  return { to: agency.path + settingsPaths[tab], flash: succeeded('profileSaved') }
}

/** Stores the values that changed, with an entry in the audit log. @throws ApiError 400 */
export async function storeChanges(
  tx: Tx,
  request: AgencyRequest,
  before: AgencyProfile,
  sent: Partial<AgencyProfile>,
): Promise<void> {
  const { deps, agency, session } = request
  const changed = Object.entries(sent).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof AgencyProfile]),
  )
  if (changed.length === 0) return
  const change: Partial<AgencyProfile> = Object.fromEntries(changed)
  const { email } = change
  if (email === undefined) await changeAgencyProfile(tx, agency.id, change, deps.clock)
  else await changeEmail(tx, agency.id, session.account.id, { ...change, email }, null, deps.clock)
  await auditRequest(tx, request, 'agency_changed', agency.id, agency.slug, detailsOf(changed))
}

/** Details for the audit log. Long values are logged by name only. The office's address is renamed: in sign-ins, `address` is the IP. */
function detailsOf(changed: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const shown = changed.map(([name, value]) => [
    name === 'address' ? 'office' : name,
    value === null ? '–' : ['hours', 'about', 'logo'].includes(name) ? true : value,
  ])
  return Object.fromEntries(shown) as Record<string, unknown>
}
