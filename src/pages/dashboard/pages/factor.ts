/**
 * Turning the second factor on and off, and its recovery codes.
 */
import { inTransaction } from '../../../platform/db/transaction.ts'
import { notifyAccount, type NoticeEvent } from '../../../access/accounts/notices.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../../../access/accounts/second-factor.ts'
import { confirmPassword, lockVerified } from '../../../access/accounts/sign-in.ts'
import { lacksFactor } from '../../../access/accounts/sessions.ts'
import type { AuditAction } from '../../../access/accounts/audit.ts'
import type { Tx } from '../../../platform/db/connection.ts'
import { html, raw } from '../../../platform/web/html.ts'
import { accountDeps, note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { inputField } from '../../framework/fields.ts'
import { copyButton, notice, notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { icon } from '../../framework/icons.ts'
import { pageHead } from '../page-parts.ts'
import { problemsOf } from '../problems.ts'
import { type Page, type PageResponse, personPage, type Signed } from '../visit.ts'
import { signedOut } from './entrance.ts'

/** @param isAgain the secret stays, because the phone may already have it */
async function setupPage(
  visit: Signed,
  { problems, status }: Refusal = notRefused,
  isAgain = false,
): Promise<PageResponse> {
  const { t, deps, session, base } = visit
  const texts = t.factor
  if (session.account.has_second_factor) return { to: '/dashboard/account' }
  const { serviceName } = deps.config
  const enrolment =
    (isAgain ? await pendingSecondFactor(accountDeps(visit), session, serviceName) : null) ??
    (await beginSecondFactor(accountDeps(visit), session, serviceName))
  if (enrolment === null) return signedOut
  const { secret, uri } = enrolment
  const isRequired = lacksFactor(session, deps.config)
  // Loaded on demand, so that the service starts sooner.
  const { default: qrcode } = await import('qrcode')
  const picture = await qrcode.toString(uri, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' })
  return {
    title: texts.title,
    section: 'account',
    status,
    body: html`${pageHead(visit, { title: texts.title, subtitle: texts.why, crumbs: [[t.nav.account, '/dashboard/account']] })}
      <div class="card stack-l">
        ${problemSummary(visit, problems, { labels: { code: texts.code, current: t.account.currentPassword } })}
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
              >${copyButton(visit, 'totp-secret')}
            </div>
          </div>
          <div class="stack">
            <h2>${texts.step2}</h2>
            ${postForm(
              visit,
              '/dashboard/account/second-factor',
              html`<div class="stack">
                ${inputField({ name: 'code', label: texts.code, autocomplete: 'one-time-code', inputmode: 'numeric', problems, required: true, className: 'input-code', maxlength: 10 })}
                ${inputField({ name: 'current', label: t.account.currentPassword, type: 'password', autocomplete: 'current-password', problems, required: true, maxlength: 200 })}
                <div class="form-actions">
                  <button class="button button-primary">${t.account.turnOn}</button
                  >${!isRequired && html`<a class="button button-quiet" href="${base}/dashboard">${texts.later}</a>`}
                </div>
              </div>`,
            )}
          </div>
        </div>
      </div>`,
  }
}

/** Recovery codes, shown once. */
function codesPage(visit: Signed, codes: readonly string[]): PageResponse {
  const { t, base } = visit
  const texts = t.factor
  return {
    title: texts.codesTitle,
    section: 'account',
    body: html`${pageHead(visit, { title: texts.codesTitle })}
      <div class="card stack">
        ${notice('warn', texts.codesText)}
        <ul class="code-list" id="recovery-codes">
          ${codes.map((code) => html`<li>${code}</li>`)}
        </ul>
        <div class="form-actions">
          ${copyButton(visit, 'recovery-codes')}<a
            class="button button-primary no-print"
            href="${base}/dashboard"
            >${texts.codesKept}</a
          >
        </div>
      </div>`,
  }
}

/** Asks for the password again, because the screen may have been left unlocked. */
function passwordPage(
  visit: Signed,
  what: 'codes' | 'off',
  { problems, status }: Refusal = notRefused,
): PageResponse {
  const { t, base } = visit
  const [title, text, button] = what === 'codes' ? t.factor.renew : t.factor.remove
  return {
    title,
    section: 'account',
    status,
    body: html`${pageHead(visit, { title, subtitle: text, crumbs: [[t.nav.account, '/dashboard/account']] })}
      <div class="card stack">
        ${problemSummary(visit, problems)}
        ${postForm(
          visit,
          `/dashboard/account/second-factor/${what}`,
          html`<div class="stack">
            ${inputField({ name: 'current', label: t.account.currentPassword, type: 'password', autocomplete: 'current-password', problems, required: true, maxlength: 200 })}
            <div class="form-actions">
              <button class="button ${what === 'off' ? 'button-danger' : 'button-primary'}">${button}</button
              ><a class="button button-quiet" href="${base}/dashboard/account">${t.common.cancel}</a>
            </div>
          </div>`,
        )}
      </div>`,
  }
}

/** The change, its entry in the log and its mail commit together. */
async function confirmed<T>(
  visit: Signed,
  action: AuditAction,
  mail: NoticeEvent,
  act: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { form, session, deps } = visit
  const { account } = session
  const verified = await confirmPassword(
    accountDeps(visit),
    account,
    form.get('current') ?? '',
    visit.device.ip,
  )
  return await inTransaction(deps.db, async (tx) => {
    await lockVerified(tx, verified)
    const result = await act(tx)
    await note(tx, visit, action, account.agency_id, account.email)
    await notifyAccount(tx, account.id, mail, deps.clock)
    return result
  })
}

async function turnOn(visit: Signed): Promise<PageResponse> {
  const { form, session } = visit
  try {
    const codes = await confirmed(visit, 'factor_added', { kind: 'factor_on' }, (tx) =>
      confirmSecondFactor(tx, accountDeps(visit), session, form.get('code') ?? ''),
    )
    return codesPage(visit, codes)
  } catch (error) {
    return await setupPage(visit, problemsOf(visit, error), true)
  }
}

async function turnOff(visit: Signed): Promise<PageResponse> {
  const { account } = visit.session
  if (!account.has_second_factor) return { to: '/dashboard/account' }
  try {
    await confirmed(visit, 'factor_removed', { kind: 'factor_off', by: null }, (tx) =>
      removeSecondFactor(tx, account.id),
    )
    return { to: '/dashboard/account', flash: succeeded('factorRemoved') }
  } catch (error) {
    return passwordPage(visit, 'off', problemsOf(visit, error))
  }
}

async function renewCodes(visit: Signed): Promise<PageResponse> {
  const { account } = visit.session
  if (!account.has_second_factor) return { to: '/dashboard/account' }
  try {
    const codes = await confirmed(visit, 'recovery_codes_made', { kind: 'recovery_codes' }, (tx) =>
      replaceRecoveryCodes(tx, account.id),
    )
    return codesPage(visit, codes)
  } catch (error) {
    return passwordPage(visit, 'codes', problemsOf(visit, error))
  }
}

export const factorPages: readonly Page[] = [
  personPage('GET', '/account/second-factor', 'person', (visit) => setupPage(visit)),
  personPage('POST', '/account/second-factor', 'person', turnOn),
  ...(['codes', 'off'] as const).map((what) =>
    personPage('GET', `/account/second-factor/${what}`, 'person', async (visit) =>
      visit.session.account.has_second_factor ? passwordPage(visit, what) : { to: '/dashboard/account' },
    ),
  ),
  personPage('POST', '/account/second-factor/codes', 'person', renewCodes),
  personPage('POST', '/account/second-factor/off', 'person', turnOff),
]
