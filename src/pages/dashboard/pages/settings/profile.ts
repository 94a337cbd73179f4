/** The first tab of the settings: name, contact, licence and a description. A new email has to be confirmed. */
import { checkEmail } from '../../../../platform/names/email.ts'
import type { AgencyProfile } from '../../../../agencies/profile.ts'
import { emailLength, nameLength, profileSizes } from '../../../../limits/sizes.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { textareaField } from '../../../framework/fields.ts'
import { formField, postForm } from '../../forms/forms.ts'
import { limitedOr } from '../../forms/problems.ts'
import type { AgencyRequest } from '../../serving/page.ts'
import { pendingEmailPages, pendingEmailPart, startEmailChange } from './pending-email.ts'
import { inTransaction } from '../../../../platform/db/statements/transaction.ts'
import { getProfile, saveSettings, settingsPaths, settingsTab, storeChanges } from './settings.ts'

type Field = 'name' | 'email' | (typeof optional)[number]

const optional = [
  'phone',
  'whatsapp',
  'website',
  'address',
  'licence_number',
  'licence_college',
  'broker',
  'about',
] as const

async function contents(request: AgencyRequest): Promise<Html> {
  const { t, form, agency, format, refusal } = request
  const { problems } = refusal
  const texts = t.settings
  const profile = await getProfile(request)
  const field = (name: Field, label: string, hint: string, maxlength: number, more: object = {}) =>
    formField(request, { name, label, hint, value: profile[name] ?? '', maxlength, ...more })
  const group = (id: string, title: string, text: string | null, fields: readonly Html[]) =>
    html`<div class="card stack" role="group" aria-labelledby="g-${id}">
      <h2 id="g-${id}">${title}</h2>
      ${text !== null && html`<p class="small muted">${text}</p>`} ${fields}
    </div>`
  const { phone, whatsapp, website, office } = texts
  return html`${await pendingEmailPart(request, profile.email)}
  ${postForm(
    request,
    agency.path + settingsPaths.profile,
    html`<div class="stack-l">
      ${group('agency', t.common.agency, null, [
        field('name', t.common.name, texts.nameHint, nameLength, {
          required: true,
          autocomplete: 'organization',
        }),
        textareaField({
          name: 'about',
          label: texts.about,
          hint: texts.aboutHint(format.number(profileSizes.about)),
          value: form.get('about') ?? profile.about ?? '',
          problems,
          rows: 5,
        }),
      ])}
      ${group('contact', texts.contact, null, [
        html`<div class="form-row">
          ${field('phone', phone, texts.phoneHint, 30, { type: 'tel', autocomplete: 'tel' })}
          ${field('whatsapp', whatsapp, texts.whatsappHint, 30, { type: 'tel' })}
          ${field('email', t.common.email, texts.emailHint, emailLength, { type: 'email', autocomplete: 'email' })}
          ${field('website', website, texts.websiteHint, profileSizes.website, { inputmode: 'url', autocomplete: 'url' })}
        </div>`,
        field('address', office, texts.officeHint, profileSizes.address, { autocomplete: 'street-address' }),
      ])}
      ${group('licence', texts.licence, texts.licenceText, [
        html`<div class="form-row form-row-3">
          ${field('licence_college', texts.college, texts.collegeHint, profileSizes.licence_college)}
          ${field('licence_number', texts.number, texts.numberHint, profileSizes.licence_number)}
          ${field('broker', texts.broker, texts.brokerHint, profileSizes.broker)}
        </div>`,
      ])}
      <div><button class="button button-primary">${t.common.save}</button></div>
    </div>`,
  )}`
}

async function save(request: AgencyRequest) {
  const { form, deps, agency } = request
  const sent: Partial<AgencyProfile> = {}
  if (form.has('name')) sent.name = (form.get('name') ?? '').trim()
  for (const name of ['email', ...optional] as const)
    if (form.has(name)) sent[name] = (form.get(name) ?? '').trim() || null
  if (sent.about != null) sent.about = sent.about.replaceAll('\r\n', '\n')
  if (sent.phone != null) sent.phone = withCountry(sent.phone, '+54')
  if (sent.whatsapp != null) sent.whatsapp = withCountry(sent.whatsapp, '+54 9')
  if (sent.website != null) sent.website = withScheme(sent.website)
  const { mailer } = deps
  const { email, ...others } = sent
  const before = await getProfile(request)
  // Without a mail server, no email can be confirmed.
  if (email == null || email === before.email || mailer === null)
    return await saveSettings(request, 'profile', sent, before)
  checkEmail(email)
  const mail = await inTransaction(deps.db, async (tx) => {
    await storeChanges(tx, request, before, others)
    return await startEmailChange(tx, request, mailer, email)
  })
  return { to: agency.path + settingsPaths.profile, flash: await mail() }
}

/** Adds the country code to an Argentine number with an area code. */
function withCountry(number: string, country: string): string {
  const national = number.replace(/^0/, '')
  return /^[1-9]/.test(national) && national.replaceAll(/\D/g, '').length === 10
    ? `${country} ${national}`
    : number
}

/** Adds the scheme that people omit: `www.acme.example`. */
function withScheme(website: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(website) || !website.includes('.') ? website : `https://${website}`
}

export const settingsProfilePages = [
  ...settingsTab('profile', contents, save, (request, error) =>
    limitedOr(request, error, 'email', request.t.settings.pendingEmail.tooMany),
  ),
  ...pendingEmailPages,
]
