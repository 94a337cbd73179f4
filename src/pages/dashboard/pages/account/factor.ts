/** Turning the second factor on and off, and its recovery codes. */
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../../../../access/accounts/sign-in/second-factor.ts'
import { missingProtection } from '../../../../access/accounts/sign-in/sessions.ts'
import { html, nothing, raw } from '../../../../platform/web/html.ts'
import { inputField } from '../../../framework/fields.ts'
import { icon } from '../../../framework/icons.ts'
import { confirmed, confirmedForm, confirmScripts } from '../../forms/confirmation.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler } from '../../forms/form-handlers.ts'
import { copyButton, notice, notRefused } from '../../forms/forms.ts'
import { framed } from '../../parts/page-parts.ts'
import { personPage, type PersonRequest } from '../../serving/page.ts'
import { signedOut } from './entrance.ts'

const account = '/dashboard/account'
const path = `${account}/second-factor`

async function setupPage(request: PersonRequest) {
  const { t, deps, session, base, refusal } = request
  const texts = t.factor
  if (session.account.has_second_factor) return { to: account }
  const { serviceName } = deps.config
  // After a refusal the secret stays, because the phone may already have it.
  const isAgain = refusal !== notRefused
  const enrolment =
    (isAgain ? await pendingSecondFactor(deps, session, serviceName) : null) ??
    (await beginSecondFactor(deps, session, serviceName))
  if (enrolment === null) return signedOut
  const { secret, uri } = enrolment
  const isRequired = missingProtection(session, deps.config) === 'factor'
  // Loaded on demand, so that the service starts sooner.
  const { default: qrcode } = await import('qrcode')
  const picture = await qrcode.toString(uri, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' })
  const fields = html`${inputField({ name: 'code', label: texts.code, autocomplete: 'one-time-code', inputmode: 'numeric', problems: refusal.problems, required: true, className: 'input-code', maxlength: 10 })}`
  const later = html`<a class="button button-quiet" href="${base}/dashboard">${texts.later}</a>`
  return framed(
    request,
    {
      title: texts.title,
      section: 'account',
      subtitle: texts.why,
      crumbs: [[t.nav.account, account]],
      labels: { code: texts.code, current: t.account.currentPassword },
      scripts: confirmScripts(request),
    },
    html`<div class="card stack-l">
      ${isRequired && notice('warn', texts.required)}
      <div class="columns halves">
        <div class="stack">
          <h2>${texts.step1}</h2>
          <p>${texts.step1Text}</p>
          <div class="qr" role="img" aria-label="${texts.picture}">${raw(picture)}</div>
          <p><a class="button" href="${uri}">${icon('open')}${texts.openApp}</a></p>
          <p class="small muted">${texts.byHand}</p>
          <div class="row">
            <code id="totp-secret" class="mono">${secret.match(/.{1,4}/g)?.join(' ')}</code
            >${copyButton(request, 'totp-secret')}
          </div>
        </div>
        <div class="stack">
          <h2>${texts.step2}</h2>
          ${confirmedForm(request, path, fields, t.account.turnOn)} ${!isRequired && html`<p>${later}</p>`}
        </div>
      </div>
    </div>`,
  )
}

function codesPage(request: PersonRequest, codes: readonly string[]) {
  const { t, base } = request
  const texts = t.factor
  return framed(
    request,
    { title: texts.codesTitle, section: 'account' },
    html`<div class="card stack">
      ${notice('warn', texts.codesText)}
      <ul class="code-list" id="recovery-codes">
        ${codes.map((code) => html`<li>${code}</li>`)}
      </ul>
      <div class="form-actions">
        ${copyButton(request, 'recovery-codes')}<a
          class="button button-primary no-print"
          href="${base}/dashboard"
          >${texts.codesKept}</a
        >
      </div>
    </div>`,
  )
}

/** Requests confirmation before new recovery codes are made, or the second factor is turned off. */
const confirmPage = (act: 'codes' | 'off') => (request: PersonRequest) => {
  const { t, session } = request
  if (!session.account.has_second_factor) return { to: account }
  const [title, text, button] = act === 'codes' ? t.factor.renew : t.factor.remove
  const options = { look: act === 'off' ? 'button-danger' : 'button-primary', cancel: account }
  const form = confirmedForm(request, `${path}/${act}`, nothing, button, options)
  return framed(
    request,
    {
      title,
      section: 'account',
      subtitle: text,
      crumbs: [[t.nav.account, account]],
      scripts: confirmScripts(request),
    },
    html`<div class="card">${form}</div>`,
  )
}

async function turnOn(request: PersonRequest) {
  const { form, session } = request
  const codes = await confirmed(request, 'factor_added', { kind: 'factor_on' }, (tx) =>
    confirmSecondFactor(tx, request.deps, session, form.get('code') ?? ''),
  )
  return codesPage(request, codes)
}

async function turnOff(request: PersonRequest) {
  const { has_second_factor: isOn, id } = request.session.account
  if (!isOn) return { to: account }
  await confirmed(request, 'factor_removed', { kind: 'factor_off', by: null }, (tx) =>
    removeSecondFactor(tx, id),
  )
  return { to: account, flash: succeeded('factorRemoved') }
}

async function renewCodes(request: PersonRequest) {
  const { has_second_factor: isOn, id } = request.session.account
  if (!isOn) return { to: account }
  const codes = await confirmed(request, 'recovery_codes_made', { kind: 'recovery_codes' }, (tx) =>
    replaceRecoveryCodes(tx, id),
  )
  return codesPage(request, codes)
}

export const factorPages = [
  personPage('GET', '/account/second-factor', 'person', setupPage),
  personPage('POST', '/account/second-factor', 'person', formHandler(turnOn, setupPage)),
  ...Object.entries({ codes: renewCodes, off: turnOff }).flatMap(([act, save]) => {
    const show = confirmPage(act as 'codes' | 'off')
    return [
      personPage('GET', `/account/second-factor/${act}`, 'person', show),
      personPage('POST', `/account/second-factor/${act}`, 'person', formHandler(save, show)),
    ]
  }),
]
