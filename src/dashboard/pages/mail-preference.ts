/**
 * Whether an agency gets mails on changes of state, and in which language; for its owners and for operators.
 */
import { getAgency } from '../../agencies/agencies.ts'
import { getPreferences, languages, setPreferences } from '../../notifications/preferences.ts'
import { html, type Html } from '../../web/html.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { choiceField, postForm, selectField } from '../forms.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer } from '../visit.ts'

/** The form, as a part of a page. */
export async function mailPreferencePart(visit: AgencyVisit): Promise<Html> {
  const { t, deps, agency } = visit
  const texts = t.mailPreference
  const [{ email }, preferences] = await Promise.all([
    getAgency(deps.db, agency.slug),
    getPreferences(deps.db, agency.id),
  ])
  return html`<section class="card">
    <h2 class="card-head">${texts.title}</h2>
    ${postForm(
      visit,
      `${agency.path}/mail-preference`,
      html`<div class="stack">
        <p>${email === null ? texts.noEmail : texts.to(email)}</p>
        ${choiceField({ name: 'mail', value: 'on', label: texts.mail, chosen: preferences.mail })}
        ${selectField({ name: 'language', label: texts.language, value: preferences.language, choices: languages.map((one) => [one, texts.languages[one]] as const) })}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
}

async function save(visit: AgencyVisit): Promise<PageAnswer> {
  const { deps, form, agency } = visit
  const preferences = await setPreferences(deps.db, agency.id, {
    mail: form.has('mail'),
    language: form.get('language') ?? undefined,
  })
  await note(deps.db, visit, 'agency_changed', agency.id, agency.slug, preferences)
  return { to: `${agency.path}/people`, flash: succeeded('profileSaved') }
}

export const mailPreferencePages: readonly Page[] = agencyPages('POST', '/mail-preference', 'owner', save)
