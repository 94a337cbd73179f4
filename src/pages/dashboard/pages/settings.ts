/**
 * Shared by the pages of an agency's settings: the frame with its tabs, and saving. For owners and operators.
 */
import { agencyUrl, getAgency } from '../../../agencies/agencies.ts'
import { getAgencyDetails } from '../../../agencies/details.ts'
import type { Tx } from '../../../platform/db/connection.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { type AgencyProfile, changeAgencyProfile, changeEmail } from '../../../agencies/profile.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import type { Problems } from '../../framework/fields.ts'
import { problemSummary } from '../forms.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, pageHead, sectionOf, tabs } from '../page-parts.ts'
import type { AgencyVisit, PageAnswer } from '../visit.ts'

/** The tabs, and the paths of their pages below the agency's. */
export const settingsPaths = {
  profile: '/settings',
  hours: '/settings/hours',
  look: '/settings/look',
  address: '/settings/address',
  mails: '/settings/mails',
} as const

export type SettingsTab = keyof typeof settingsPaths

/** The whole page of a tab. */
export function settingsPage(
  visit: AgencyVisit,
  tab: SettingsTab,
  { problems, status }: Readonly<{ problems: Problems; status: number }>,
  body: Html,
): PageAnswer {
  const { t, agency, deps } = visit
  const texts = t.settings
  const names = Object.keys(settingsPaths) as SettingsTab[]
  return {
    title: `${texts.tabs[tab]} · ${t.nav.settings}`,
    section: sectionOf(visit, 'settings'),
    status,
    body: html`${pageHead(visit, {
        title: t.nav.settings,
        subtitle: texts.subtitle,
        crumbs: agencyCrumbs(visit),
        actions: html`<a class="button" href="${agencyUrl(deps.config.publicBaseUrl, agency.slug)}"
          >${icon('open')}${texts.publicPage}</a
        >`,
      })}
      <div class="stack-l">
        ${tabs(
          visit,
          t.nav.settings,
          names.map((name) => [texts.tabs[name], agency.path + settingsPaths[name], name === tab]),
        )}
        ${problemSummary(visit, problems)}${body}
      </div>`,
  }
}

/** All settings, as stored. */
export async function findProfile({ deps, agency }: AgencyVisit): Promise<AgencyProfile> {
  const [{ name, slug, email }, details] = await Promise.all([
    getAgency(deps.db, agency.slug),
    getAgencyDetails(deps.db, agency.slug),
  ])
  return { name, slug, email, ...details }
}

/**
 * Stores what differs from before, with its entry in the audit log.
 * @param also runs in the same transaction
 * @throws ApiError 400; as `also` does
 */
export async function saveSettings(
  visit: AgencyVisit,
  tab: SettingsTab,
  sent: Partial<AgencyProfile>,
  also: ((tx: Tx) => Promise<void>) | null = null,
): Promise<PageAnswer> {
  const { deps, agency, session } = visit
  const before = await findProfile(visit)
  const changed = Object.entries(sent).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof AgencyProfile]),
  )
  const change: Partial<AgencyProfile> = Object.fromEntries(changed)
  await inTransaction(deps.db, async (tx) => {
    const at = { db: tx, clock: deps.clock }
    const { email } = change
    if (email !== undefined) await changeEmail(at, agency.id, session.account.id, { ...change, email })
    else if (changed.length > 0) await changeAgencyProfile(at, agency.id, change)
    if (changed.length > 0)
      await note(tx, visit, 'agency_changed', agency.id, agency.slug, detailsOf(changed))
    await also?.(tx)
  })
  return { to: agency.path + settingsPaths[tab], flash: succeeded('profileSaved') }
}

/** For the log: short values as they are, of long ones only that they changed. `address` is an IP there. */
function detailsOf(changed: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const shown = changed.map(([name, value]) => [
    name === 'address' ? 'office' : name,
    value === null ? '–' : ['hours', 'about', 'logo'].includes(name) ? true : value,
  ])
  return Object.fromEntries(shown) as Record<string, unknown>
}

/** A field of the form; null where it was left empty. */
export function sentText(form: URLSearchParams, name: string): string | null {
  const text = (form.get(name) ?? '').trim()
  return text === '' ? null : text
}
