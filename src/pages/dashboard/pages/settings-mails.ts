/**
 * A tab of the settings: the mails on changes of state, and the form for visitors' enquiries.
 */
import { countStuckEnquiries } from '../../../agencies/enquiries.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { eventTypes } from '../../../delivery/notifications/outbox.ts'
import { getPreferences, languages, setPreferences } from '../../../delivery/notifications/preferences.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { choiceField, selectField } from '../../framework/fields.ts'
import { notice, notRefused, postForm } from '../forms.ts'
import { agencyPages, type AgencyVisit, type Page, type PageResponse } from '../visit.ts'
import { findProfile, saveSettings, settingsPage, settingsPaths } from './settings.ts'

const enquiriesPath = `${settingsPaths.mails}/enquiries`

async function mailsPage(visit: AgencyVisit): Promise<PageResponse> {
  const { t, deps, agency } = visit
  const texts = t.mailPreference
  const { changesTitle, changesText, mailsAlways } = t.settings
  const [{ email }, preferences] = await Promise.all([findProfile(visit), getPreferences(deps.db, agency.id)])
  const body = html`<section class="card stack">
      <h2>${t.settings.tabs.mails}</h2>
      ${email === null ? notice('warn', texts.noEmail) : html`<p>${texts.to(email)}</p>`}
      ${postForm(
        visit,
        agency.path + settingsPaths.mails,
        html`<div class="stack">
          ${selectField({ name: 'language', label: texts.language, value: preferences.language, choices: languages.map((one) => [one, texts.languages[one]] as const) })}
          ${choiceField({ name: 'mail', value: 'on', label: texts.mail, chosen: preferences.mail })}
          <fieldset class="stack-s">
            <legend class="legend">${changesTitle}</legend>
            <p class="hint">${changesText}</p>
            ${eventTypes.map((type) => choiceField({ name: 'events', value: type, label: t.listings.stateChanges[type], chosen: !preferences.unwanted.includes(type) }))}
          </fieldset>
          <div><button class="button button-primary">${t.common.save}</button></div>
        </div>`,
      )}
    </section>
    ${!agency.isTest && (await enquiriesPart(visit))}
    <p class="small muted">${mailsAlways}</p>`
  return settingsPage(visit, 'mails', notRefused, body)
}

/** Whether public pages have a form for enquiries. */
async function enquiriesPart(visit: AgencyVisit): Promise<Html> {
  const { t, deps, agency } = visit
  const texts = t.visits.enquiries
  const [{ takes_enquiries: takes }, stuck] = await Promise.all([
    findProfile(visit),
    countStuckEnquiries(deps.db, agency.id),
  ])
  return html`<section class="card stack">
    <h2>${texts.title}</h2>
    <p>${texts.text}</p>
    ${deps.mailer === null && notice('warn', texts.noMail)} ${stuck > 0 && notice('warn', texts.stuck(stuck))}
    ${postForm(
      visit,
      agency.path + enquiriesPath,
      html`<div class="stack">
        ${choiceField({ name: 'takes_enquiries', value: 'on', label: texts.label, chosen: takes })}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
}

async function save(visit: AgencyVisit): Promise<PageResponse> {
  const { deps, form, agency } = visit
  const wanted = form.getAll('events')
  await inTransaction(deps.db, async (tx) => {
    const { unwanted, ...preferences } = await setPreferences(tx, agency.id, {
      mail: form.has('mail'),
      language: form.get('language') ?? undefined,
      unwanted: eventTypes.filter((type) => !wanted.includes(type)),
    })
    const details = { ...preferences, ...(unwanted.length === 0 ? {} : { unwanted: unwanted.join(' ') }) }
    await note(tx, visit, 'agency_changed', agency.id, agency.slug, details)
  })
  return { to: agency.path + settingsPaths.mails, flash: succeeded('profileSaved') }
}

export const settingsMailsPages: readonly Page[] = [
  ...agencyPages('GET', settingsPaths.mails, 'owner', mailsPage),
  ...agencyPages('POST', settingsPaths.mails, 'owner', save),
  ...agencyPages('POST', enquiriesPath, 'owner', (visit) =>
    saveSettings(visit, 'mails', { takes_enquiries: visit.form.has('takes_enquiries') }),
  ),
]
