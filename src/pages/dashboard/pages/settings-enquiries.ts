/**
 * Below the mails in the settings: whether the public pages have a form for visitors' enquiries.
 */
import { countStuckEnquiries } from '../../../agencies/enquiries.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { choiceField } from '../../framework/fields.ts'
import { notice, postForm } from '../forms.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer } from '../visit.ts'
import { findProfile, saveSettings, settingsPaths } from './settings.ts'

const path = `${settingsPaths.mails}/enquiries`

export async function enquiriesPart(visit: AgencyVisit): Promise<Html> {
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
      agency.path + path,
      html`<div class="stack">
        ${choiceField({ name: 'takes_enquiries', value: 'on', label: texts.label, chosen: takes })}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
}

export const settingsEnquiriesPages: readonly Page[] = [
  ...agencyPages('POST', path, 'owner', async (visit): Promise<PageAnswer> =>
    saveSettings(visit, 'mails', { takes_enquiries: visit.form.has('takes_enquiries') }),
  ),
]
