/**
 * A tab of the settings: how the agency's public pages look.
 */
import { colour } from '../../web/design.ts'
import { type Scheme, schemes, shadesOf } from '../../web/accent.ts'
import { html, type Html } from '../../web/html.ts'
import { choiceField, inputField, notRefused, postForm, type Refusal } from '../forms.ts'
import { problemsOf } from '../problems.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer } from '../visit.ts'
import { findProfile, saveSettings, settingsPage, settingsPaths } from './settings.ts'

async function lookPage(visit: AgencyVisit, refusal: Refusal = notRefused): Promise<PageAnswer> {
  const { t, agency, form } = visit
  const texts = t.settings
  const { accent } = await findProfile(visit)
  const value = form.get('accent') ?? accent ?? colour('accent')
  const body = html`<section class="card stack">
    <h2>${texts.colour}</h2>
    <p>${texts.colourText}</p>
    ${postForm(
      visit,
      `${agency.path}${settingsPaths.look}/colour`,
      html`<div class="stack">
        ${choiceField({ name: 'own', value: 'yes', label: texts.ownColour, chosen: form.has('own') || accent !== null })}
        ${inputField({ name: 'accent', label: texts.chosenColour, type: 'color', value, className: 'input-colour', problems: refusal.problems })}
        ${accent !== null && html`<div class="row">${schemes.map((scheme) => sample(visit, accent, scheme))}</div>`}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
  return settingsPage(visit, 'look', refusal, body)
}

/** A button in the shades that the public pages show. A picture: the policy allows no inline style. */
function sample({ t }: AgencyVisit, accent: string, scheme: Scheme): Html {
  const texts = t.settings.sample
  const { accent: shade, onAccent } = shadesOf(accent)[scheme]
  return html`<figure class="colour-sample">
    <svg viewBox="0 0 200 80" role="img" aria-label="${texts[scheme]}">
      <rect width="200" height="80" rx="10" fill="${colour('canvas', scheme)}" />
      <rect x="40" y="20" width="120" height="40" rx="20" fill="${shade}" />
      <text x="100" y="46" text-anchor="middle" font-size="17" font-weight="600" fill="${onAccent}">
        ${texts.text}
      </text>
    </svg>
    <figcaption class="small muted">${texts[scheme]}</figcaption>
  </figure>`
}

async function saveColour(visit: AgencyVisit): Promise<PageAnswer> {
  const { form } = visit
  try {
    const accent = form.has('own') ? (form.get('accent') ?? '').toLowerCase() : null
    return await saveSettings(visit, 'look', { accent })
  } catch (error) {
    return await lookPage(visit, problemsOf(visit, error))
  }
}

export const settingsLookPages: readonly Page[] = [
  ...agencyPages('GET', settingsPaths.look, 'owner', (visit) => lookPage(visit)),
  ...agencyPages('POST', `${settingsPaths.look}/colour`, 'owner', saveColour),
]
