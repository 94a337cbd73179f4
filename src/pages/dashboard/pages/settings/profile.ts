/** The first tab of the settings: name, contact, licence, a description, and a new email to confirm. */
import { checkEmail } from '../../../../platform/email.ts'
import type { AgencyProfile } from '../../../../agencies/profile.ts'
import { profileSizes } from '../../../../limits/table.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { failed, type Flash, succeeded } from '../../flash.ts'
import { textareaField } from '../../../framework/fields.ts'
import { formField, notice, postForm } from '../../forms.ts'
import { limitedOr, refusalText } from '../../problems.ts'
import { agencyPages, type AgencyRequest } from '../../page.ts'
import { findProfile, saveSettings, settingsPaths, settingsTab } from './settings.ts'
import { endEmailLink, findPendingEmail } from '../../../../access/accounts/email-links.ts'
import { takeInvitation } from '../../../../access/accounts/attempts.ts'
import type { Tx } from '../../../../platform/db/connection.ts'
import { inTransaction } from '../../../../platform/db/transaction.ts'
import { type LinkOutcome, prepareEmailLink } from '../../../../delivery/mails/link-mails.ts'
import type { Mailer } from '../../../../delivery/mails/mailer.ts'
import { domainDeps, note } from '../../actor.ts'
import { inOneTransaction } from '../../form-handlers.ts'
import { card } from '../../page-parts.ts'

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
  const profile = await findProfile(request)
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
        field('name', t.common.name, texts.nameHint, 120, { required: true, autocomplete: 'organization' }),
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
          ${field('email', t.common.email, texts.emailHint, 254, { type: 'email', autocomplete: 'email' })}
          ${field('website', website, texts.websiteHint, 300, { inputmode: 'url', autocomplete: 'url' })}
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
  const { form, deps } = request
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
  const isSame = email === undefined || email === (await findProfile(request)).email
  // Without a mail server, no email can be confirmed.
  if (isSame || email === null || mailer === null) return await saveSettings(request, 'profile', sent)
  checkEmail(email)
  let send: () => Promise<Flash> = async () => succeeded('profileSaved')
  const saved = await saveSettings(request, 'profile', others, async (tx) => {
    send = await startEmailChange(tx, request, mailer, email)
  })
  return { ...saved, flash: await send() }
}

/** Adds the country code to an Argentine number with an area code. */
export function withCountry(number: string, country: string): string {
  const national = number.replace(/^0/, '')
  return /^[1-9]/.test(national) && national.replaceAll(/\D/g, '').length === 10
    ? `${country} ${national}`
    : number
}

/** `www.acme.example`, as people write it. */
export function withScheme(website: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(website) || !website.includes('.') ? website : `https://${website}`
}

const emailPath = `${settingsPaths.profile}/email`

async function pendingEmailPart(request: AgencyRequest, current: string | null): Promise<Html> {
  const { t, deps, agency } = request
  const texts = t.settings.pendingEmail
  const email = await findPendingEmail(deps.db, agency.id, deps.clock)
  if (email === null) return nothing
  const button = (below: string, text: string, look = '') =>
    postForm(
      request,
      `${agency.path}${emailPath}/${below}`,
      html`<button class="button ${look}">${text}</button>`,
    )
  return card(
    texts.title,
    html`${notice('info', texts.text(email, current))}
      <div class="form-actions">
        ${deps.mailer !== null && button('again', texts.again)}${button('cancel', texts.cancel, 'button-quiet')}
      </div>`,
  )
}

/**
 * Makes the link that confirms the email, which counts as an invitation.
 * @returns a function that mails the link, to call after the commit; it returns the message to show
 * @throws ApiError `rate_limited`
 */
async function startEmailChange(tx: Tx, request: AgencyRequest, mailer: Mailer, email: string) {
  const { deps, agency, session } = request
  if (session.account.role !== 'operator')
    await takeInvitation({ ...domainDeps(request), db: tx }, agency.id, email)
  await note(tx, request, 'agency_email_asked', agency.id, email)
  const send = await prepareEmailLink(tx, { ...deps, mailer }, session.account, agency.id, email)
  return async () => flashes[await send()](email)
}

const flashes: Readonly<Record<LinkOutcome, (email: string) => Flash>> = {
  sent: (email) => succeeded('emailLinkSent', email),
  waits: (email) => succeeded('emailWaits', email),
  unsent: (email) => failed('emailUnsent', email),
}

async function again(request: AgencyRequest) {
  const { deps, agency } = request
  const { mailer } = deps
  const to = agency.path + settingsPaths.profile
  const email = await findPendingEmail(deps.db, agency.id, deps.clock)
  if (email === null || mailer === null) return { to }
  try {
    const send = await inTransaction(deps.db, (tx) => startEmailChange(tx, request, mailer, email))
    return { to, flash: await send() }
  } catch (error) {
    return { to, flash: failed('refused', refusalText(request, error)) }
  }
}

async function cancel(request: AgencyRequest, tx: Tx) {
  const { deps, agency } = request
  const to = agency.path + settingsPaths.profile
  const email = await findPendingEmail(tx, agency.id, deps.clock)
  if (email === null) return { to }
  if (await endEmailLink(tx, agency.id)) await note(tx, request, 'agency_email_cancelled', agency.id, email)
  return { to, flash: succeeded('emailCancelled', email) }
}

export const settingsProfilePages = [
  ...settingsTab('profile', contents, save, (request, error) =>
    limitedOr(request, error, 'email', request.t.settings.pendingEmail.tooMany),
  ),
  ...agencyPages('POST', `${emailPath}/again`, 'owner', again),
  ...agencyPages('POST', `${emailPath}/cancel`, 'owner', inOneTransaction(cancel)),
]
