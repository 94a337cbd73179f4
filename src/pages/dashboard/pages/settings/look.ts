/** A tab of the settings: how the agency's public pages look. */
import { setLogo } from '../../../../agencies/profile.ts'
import { sizeLimits } from '../../../../limits/sizes.ts'
import { logoPath } from '../../../../listings/photos/names-and-urls.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler } from '../../forms/form-handlers.ts'
import { fieldForm, formField, postForm } from '../../forms/forms.ts'
import { card } from '../../parts/page-parts.ts'
import { getProfile, saveSettings, settingsPage, settingsPaths } from './settings.ts'
import { photoFailureText, problemsOf } from '../../forms/problems.ts'
import { agencyPages, type AgencyRequest, withFile } from '../../serving/page.ts'
import { choiceField, errorLine } from '../../../framework/fields.ts'
import { icon } from '../../../framework/icons.ts'
import { ApiError } from '../../../../platform/errors/errors.ts'
import { type Scheme, schemes, shadesOf } from '../../../../platform/web/design/accent.ts'
import { colour } from '../../../../platform/web/design/design.ts'
import { html, type Html } from '../../../../platform/web/html.ts'

const path = settingsPaths.look
const megabytes = sizeLimits.photo_bytes / 1_048_576

async function lookPage(request: AgencyRequest) {
  const { t, agency, form } = request
  const texts = t.settings
  const { accent, logo } = await getProfile(request)
  const fields = html`${choiceField({ name: 'own', value: 'yes', label: texts.ownColour, chosen: form.has('own') || accent !== null })}
  ${formField(request, { name: 'accent', label: texts.chosenColour, type: 'color', value: accent ?? colour('accent'), className: 'input-colour' })}
  ${accent !== null && html`<div class="row">${schemes.map((scheme) => sample(request, accent, scheme))}</div>`}`
  const colourForm = fieldForm(request, `${agency.path}${path}/colour`, fields, t.common.save)
  return settingsPage(
    request,
    'look',
    html`${logoCard(request, logo)}
    ${card(
      texts.colour,
      html`<p>${texts.colourText}</p>
        ${colourForm}`,
    )}`,
  )
}

function logoCard(request: AgencyRequest, logo: string | null): Html {
  const { t, agency, base, refusal } = request
  const texts = t.settings
  const action = `${agency.path}${path}/logo`
  const problem = refusal.problems['logo']
  return card(
    texts.logo,
    html`<p>${texts.logoText(megabytes)}</p>
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
          ${postForm(request, `${action}/remove`, html`<button class="button button-small">${texts.logoRemove}</button>`)}
        </div>`
      }
      ${postForm(
        request,
        action,
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
      )}`,
  )
}

/** A button in the shades that public pages show. It is a picture, because the content policy forbids inline styles. */
function sample({ t }: AgencyRequest, accent: string, scheme: Scheme): Html {
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

const saveLogo = formHandler(
  (request: AgencyRequest) =>
    request.receive(async (file) => {
      const { deps, agency, t } = request
      const refused = (text: string) =>
        lookPage({ ...request, refusal: { problems: { logo: text }, code: 'photo_ingest_failed' } })
      if (file === null) return await refused(t.photoWhy.empty)
      const why = await setLogo(deps, agency.id, file, (tx) =>
        auditRequest(tx, request, 'agency_changed', agency.id, agency.slug, { logo: true }),
      )
      if (why !== null) return await refused(photoFailureText(request, why))
      return { to: agency.path + path, flash: succeeded('profileSaved') }
    }),
  lookPage,
  (request, error) =>
    error instanceof ApiError && error.code === 'payload_too_large'
      ? { problems: { logo: request.t.photoWhy.too_large(megabytes) }, code: error.code }
      : problemsOf(request, error, { '': 'logo' }),
)

const saveColour = formHandler((request: AgencyRequest) => {
  const { form } = request
  const accent = form.has('own') ? (form.get('accent') ?? '').toLowerCase() : null
  return saveSettings(request, 'look', { accent })
}, lookPage)

export const settingsLookPages = [
  ...agencyPages('GET', path, 'owner', lookPage),
  ...withFile(agencyPages('POST', `${path}/logo`, 'owner', saveLogo)),
  ...agencyPages('POST', `${path}/logo/remove`, 'owner', (request) =>
    saveSettings(request, 'look', { logo: null }),
  ),
  ...agencyPages('POST', `${path}/colour`, 'owner', saveColour),
]
