/**
 * A tab of the settings: how the agency's public pages look.
 */
import { ApiError } from '../../../platform/errors.ts'
import { sizeLimits } from '../../../limits/table.ts'
import { logoPath } from '../../../listings/photos/names-and-urls.ts'
import { setLogo } from '../../../agencies/logo.ts'
import { colour } from '../../../platform/web/design.ts'
import { type Scheme, schemes, shadesOf } from '../../../platform/web/accent.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { choiceField, errorLine, inputField } from '../../framework/fields.ts'
import { notRefused, postForm, type Refusal } from '../forms.ts'
import { icon } from '../icons.ts'
import { photoFailureText } from '../photo-failure.ts'
import { problemsOf } from '../problems.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer, withFile } from '../visit.ts'
import { findProfile, saveSettings, settingsPage, settingsPaths } from './settings.ts'

const megabytes = sizeLimits.photo_bytes / 1_048_576

async function lookPage(visit: AgencyVisit, refusal: Refusal = notRefused): Promise<PageAnswer> {
  const { t, agency, form } = visit
  const texts = t.settings
  const { accent, logo } = await findProfile(visit)
  const value = form.get('accent') ?? accent ?? colour('accent')
  const body = html`${logoPart(visit, logo, refusal)}
    <section class="card stack">
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

/** The current logo, and a form for another. */
function logoPart(visit: AgencyVisit, logo: string | null, { problems }: Refusal): Html {
  const { t, agency, base } = visit
  const texts = t.settings
  const path = `${agency.path}${settingsPaths.look}/logo`
  const problem = problems['logo']
  return html`<section class="card stack">
    <h2>${texts.logo}</h2>
    <p>${texts.logoText(megabytes)}</p>
    ${
      logo !== null &&
      html`<div class="row">
        <img
          class="logo-shown"
          src="${base}${logoPath(agency.id, logo, 'small.webp')}"
          width="128"
          height="64"
          alt="${texts.logoNow}"
        />
        ${postForm(visit, `${path}/remove`, html`<button class="button button-small">${texts.logoRemove}</button>`)}
      </div>`
    }
    ${postForm(
      visit,
      path,
      html`<div class="stack">
        <div class="field logo-file">
          <label for="f-logo">${texts.logoFile}</label>
          <input
            class="photo-input"
            type="file"
            id="f-logo"
            name="logo"
            accept="image/jpeg,image/png,image/webp"
            required
            ${problem !== undefined && html` aria-invalid="true" aria-describedby="f-logo-error"`}
          />
          ${errorLine('f-logo', problem)}
        </div>
        <div><button class="button button-primary">${icon('upload')}${texts.logoUpload}</button></div>
      </div>`,
      html`enctype="multipart/form-data"`,
    )}
  </section>`
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

async function saveLogo(visit: AgencyVisit): Promise<PageAnswer> {
  const { deps, agency, t } = visit
  const refused = (text: string, status = 422) => lookPage(visit, { problems: { logo: text }, status })
  try {
    return await visit.receive(async (file) => {
      if (file === null) return await refused(t.photoWhy.empty)
      const why = await setLogo(deps, agency.id, file, (tx) =>
        note(tx, visit, 'agency_changed', agency.id, agency.slug, { logo: true }),
      )
      if (why !== null) return await refused(photoFailureText(visit, why))
      return { to: agency.path + settingsPaths.look, flash: succeeded('profileSaved') }
    })
  } catch (error) {
    if (error instanceof ApiError && error.status === 413)
      return await refused(t.photoWhy.too_large(megabytes), error.status)
    return await lookPage(visit, problemsOf(visit, error, { '': 'logo' }))
  }
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
  ...withFile(agencyPages('POST', `${settingsPaths.look}/logo`, 'owner', saveLogo)),
  ...agencyPages('POST', `${settingsPaths.look}/logo/remove`, 'owner', (visit) =>
    saveSettings(visit, 'look', { logo: null }),
  ),
  ...agencyPages('POST', `${settingsPaths.look}/colour`, 'owner', saveColour),
]
