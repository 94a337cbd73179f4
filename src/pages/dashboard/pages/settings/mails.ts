/** A tab of the settings: the mails on changes of state, and the form for visitors' enquiries. */
import { countStuckEnquiries } from '../../../../agencies/enquiries.ts'
import { eventTypes } from '../../../../delivery/notifications/outbox.ts'
import {
  getPreferences,
  mailLanguages,
  setPreferences,
} from '../../../../delivery/notifications/preferences.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { choiceField, selectField } from '../../../framework/fields.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { inOneTransaction } from '../../forms/form-handlers.ts'
import { fieldForm, notice } from '../../forms/forms.ts'
import { card } from '../../parts/page-parts.ts'
import { agencyPages, type AgencyRequest } from '../../serving/page.ts'
import { getProfile, saveSettings, settingsPaths, settingsTab } from './settings.ts'

const enquiriesPath = `${settingsPaths.mails}/enquiries`

async function contents(request: AgencyRequest): Promise<Html> {
  const { t, deps, agency } = request
  const texts = t.mailPreference
  const { changesTitle, changesText, mailsAlways, tabs } = t.settings
  const [{ email, takes_enquiries: takes }, preferences] = await Promise.all([
    getProfile(request),
    getPreferences(deps.db, agency.id),
  ])
  const choices = mailLanguages.map((one) => [one, texts.languages[one]] as const)
  const fields = html`${selectField({ name: 'language', label: texts.language, value: preferences.language, choices })}
    ${choiceField({ name: 'mail', value: 'on', label: texts.mail, chosen: preferences.mail })}
    <fieldset class="stack-s">
      <legend class="legend">${changesTitle}</legend>
      <p class="hint">${changesText}</p>
      ${eventTypes.map((type) => choiceField({ name: 'events', value: type, label: t.listings.stateChanges[type], chosen: !preferences.unwanted.includes(type) }))}
    </fieldset>`
  return html`${card(
      tabs.mails,
      html`${email === null ? notice('warn', texts.noEmail) : html`<p>${texts.to(email)}</p>`}
      ${fieldForm(request, agency.path + settingsPaths.mails, fields, t.common.save)}`,
    )}
    ${!agency.isTest && (await enquiriesCard(request, takes))}
    <p class="small muted">${mailsAlways}</p>`
}

async function enquiriesCard(request: AgencyRequest, takes: boolean): Promise<Html> {
  const { t, deps, agency } = request
  const texts = t.visits.enquiries
  const stuck = await countStuckEnquiries(deps.db, agency.id)
  const choice = choiceField({ name: 'takes_enquiries', value: 'on', label: texts.label, chosen: takes })
  return card(
    texts.title,
    html`<p>${texts.text}</p>
      ${deps.mailer === null && notice('warn', texts.noMail)}
      ${stuck > 0 && notice('warn', texts.stuck(stuck))}
      ${fieldForm(request, agency.path + enquiriesPath, choice, t.common.save)}`,
  )
}

async function save(request: AgencyRequest, tx: Tx) {
  const { form, agency } = request
  const wanted = form.getAll('events')
  const { unwanted, ...preferences } = await setPreferences(tx, agency.id, {
    mail: form.has('mail'),
    language: form.get('language') ?? undefined,
    unwanted: eventTypes.filter((type) => !wanted.includes(type)),
  })
  const details = { ...preferences, ...(unwanted.length === 0 ? {} : { unwanted: unwanted.join(' ') }) }
  await auditRequest(tx, request, 'agency_changed', agency.id, agency.slug, details)
  return { to: agency.path + settingsPaths.mails, flash: succeeded('profileSaved') }
}

export const settingsMailsPages = [
  ...settingsTab('mails', contents, inOneTransaction(save)),
  ...agencyPages('POST', enquiriesPath, 'owner', (request) =>
    saveSettings(request, 'mails', { takes_enquiries: request.form.has('takes_enquiries') }),
  ),
]
