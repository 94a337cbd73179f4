/**
 * Whether an agency gets mails on changes of state, and in which language; for its owners and for operators.
 */
import { getAgency } from '../../agencies/agencies.ts'
import { getPreferences, languages, setPreferences } from '../../notifications/preferences.ts'
import { html, type Html } from '../../web/html.ts'
import { note } from '../actor.ts'
import { told } from '../flash.ts'
import { choiceField, postForm, selectField } from '../forms.ts'
import { agencyPages, type Outcome, type Page, type Scoped } from '../visit.ts'

/** The form, as a part of a page. */
export async function mailPreferencePart(visit: Scoped): Promise<Html> {
  const { t, deps, scope } = visit
  const texts = t.mailPreference
  const [{ email }, preferences] = await Promise.all([
    getAgency(deps.db, scope.slug),
    getPreferences(deps.db, scope.id),
  ])
  return html`<section class="card">
    <h2 class="card-head">${texts.title}</h2>
    ${postForm(
      visit,
      `${scope.path}/mail-preference`,
      html`<div class="stack">
        <p>${email === null ? texts.noEmail : texts.to(email)}</p>
        ${choiceField({ name: 'mail', value: 'on', label: texts.mail, chosen: preferences.mail })}
        ${selectField({ name: 'language', label: texts.language, value: preferences.language, choices: languages.map((one) => [one, texts.languages[one]] as const) })}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
}

async function save(visit: Scoped): Promise<Outcome> {
  const { deps, form, scope } = visit
  const preferences = await setPreferences(deps.db, scope.id, {
    mail: form.has('mail'),
    language: form.get('language') ?? undefined,
  })
  await note(visit, 'agency_changed', scope.id, scope.slug, preferences)
  return { to: `${scope.path}/people`, flash: told('profileSaved') }
}

export const mailPreferencePages: readonly Page[] = agencyPages('POST', '/mail-preference', 'owner', save)
