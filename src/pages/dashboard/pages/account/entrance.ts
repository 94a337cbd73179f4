/** The pages before signing in: sign in, second factor, and a link for a new password. */
import { emailLength } from '../../../../limits/sizes.ts'
import { type Account, changeProfile, findAccountByEmail } from '../../../../access/accounts/accounts.ts'
import { takeReset } from '../../../../access/accounts/sign-in/attempts.ts'
import { takeInvitation } from '../../../../access/accounts/person-limits.ts'
import { endSession } from '../../../../access/accounts/sign-in/sessions.ts'
import { logResetRequest } from '../../../../access/accounts/sign-in/sign-in-log.ts'
import { signInByPasskey } from '../../../../access/accounts/passkeys/passkey-sign-in.ts'
import { passSecondFactor, signIn } from '../../../../access/accounts/sign-in/sign-in.ts'
import { requestOptions } from '../../../../access/accounts/passkeys/webauthn.ts'
import { deliverLink } from '../../../../delivery/mails/link-mails.ts'
import { safeNext } from '../../serving/access.ts'
import { passkeyDeps } from '../../actor.ts'
import { failed } from '../../serving/flash.ts'
import { formHandler } from '../../forms/form-handlers.ts'
import {
  fieldForm,
  formField,
  hiddenField,
  notice,
  passwordField,
  postForm,
  problemSummary,
} from '../../forms/forms.ts'
import { limitedOr } from '../../forms/problems.ts'
import {
  asData,
  jsonResponse,
  openPage,
  type PageDocument,
  personPage,
  type PersonRequest,
  type PageRequest,
  statusOf,
} from '../../serving/page.ts'
import { passkeyForm, passkeyScripts } from '../../forms/passkey-form.ts'
import { inputField } from '../../../framework/fields.ts'
import { inTransaction } from '../../../../platform/db/statements/transaction.ts'
import type { ErrorCode } from '../../../../platform/errors/error-catalogue.ts'
import { html, type Html, type Piece } from '../../../../platform/web/html.ts'
import { isLanguage } from '../../../../platform/web/language/language.ts'

/** A page outside the frame: one card. @param options.text below the heading @param options.scripts as in `PageDocument` */
export function outsidePage(
  { refusal }: PageRequest,
  title: string,
  contents: Piece,
  {
    text,
    code = refusal.code,
    scripts,
  }: Readonly<{ text?: string; code?: ErrorCode | null; scripts?: readonly string[] }> = {},
): PageDocument {
  const body = html`<div class="card ${text === undefined ? 'stack' : 'stack-l'}">
    <div>
      <h1>${title}</h1>
      ${text !== undefined && html`<p class="muted">${text}</p>`}
    </div>
    ${contents}
  </div>`
  return { title, status: statusOf(code), headers: refusal.headers, body, scripts }
}

/** The form of a page outside the frame. Its one button is as wide as the card. */
function outsideForm(request: PageRequest, path: string, fields: Html, button: string): Html {
  return html`${problemSummary(request, request.refusal.problems, { focused: false })}
  ${fieldForm(request, path, fields, button, { look: 'button-primary button-wide' })}`
}

const passkeyPath = '/dashboard/sign-in/passkey'

/** The page to go to after signing in. */
const nextField = ({ form, query }: PageRequest) =>
  hiddenField('next', form.get('next') ?? query.get('next') ?? '')

const emailField = (request: PageRequest, autofocus: boolean) =>
  html`${formField(request, { name: 'email', label: request.t.common.email, type: 'email', autocomplete: 'username', required: true, autofocus, maxlength: emailLength })}`

function signInPage(request: PageRequest) {
  const { t, form, base, deps } = request
  const texts = t.entrance
  const byPasskey = () =>
    passkeyForm(request, passkeyPath, { get: passkeyPath }, nextField(request), t.passkeys.signIn, {
      look: 'button-wide',
    })
  const isFresh = !form.get('email')
  const fields = html`${nextField(request)} ${emailField(request, isFresh)}
  ${passwordField(request, 'password', t.common.password, 'current-password', { autofocus: !isFresh })}`
  const contents = html`${outsideForm(request, '/dashboard/sign-in', fields, texts.signIn)}
    ${deps.config.relyingParty !== null && byPasskey()}
    <p class="small"><a href="${base}/dashboard/forgot">${texts.forgot}</a></p>`
  return outsidePage(request, texts.signIn, contents, { text: texts.signInText, scripts: passkeyScripts })
}

async function signInNow(request: PageRequest) {
  const { form, session, device, deps } = request
  const { token, stage } = await signIn(deps, form.get('email') ?? '', form.get('password') ?? '', device)
  // The new session replaces this browser's previous one.
  if (session !== null) await endSession(deps.db, session.account.id, session.id)
  const next = safeNext(form.get('next'))
  if (stage === 'full') return { to: next, session: token }
  const query = next === '/dashboard' ? '' : `?next=${encodeURIComponent(next)}`
  return { to: `/dashboard/second-factor${query}`, session: token }
}

/** The options of a passkey that signs in, for the script. */
async function passkeyOptions(request: PageRequest) {
  const purpose = { act: 'sign in', formToken: request.csrf } as const
  return jsonResponse(await requestOptions(passkeyDeps(request), null, purpose))
}

async function signInWithPasskey(request: PageRequest) {
  const { form, session, device, csrf, deps } = request
  const { token } = await signInByPasskey(passkeyDeps(request), csrf, form.get('assertion') ?? '', device)
  if (session !== null) await endSession(deps.db, session.account.id, session.id)
  return { to: safeNext(form.get('next')), session: token }
}

function factorPage(request: PageRequest) {
  const { t, refusal } = request
  const texts = t.entrance
  const fields = html`${nextField(request)}
  ${inputField({ name: 'code', label: texts.code, hint: texts.codeHint, autocomplete: 'one-time-code', problems: refusal.problems, required: true, autofocus: true, className: 'input-code', maxlength: 20 })}`
  const contents = html`${outsideForm(request, '/dashboard/second-factor', fields, texts.goOn)}
  ${postForm(request, '/dashboard/sign-out', html`<button class="link-button small">${texts.otherAccount}</button>`)}`
  return outsidePage(request, t.people.factor, contents, { text: texts.factorText })
}

async function passFactor(request: PersonRequest) {
  const code = request.form.get('code') ?? ''
  const token = await passSecondFactor(request.deps, request.session, code, request.device)
  return token === null ? signedOut : { to: safeNext(request.form.get('next')), session: token }
}

function forgotPage(request: PageRequest) {
  const { t, base, deps } = request
  const texts = t.entrance
  const form = () => outsideForm(request, '/dashboard/forgot', emailField(request, true), texts.sendLink)
  const contents = html`${deps.mailer === null ? notice('warn', texts.noMail) : form()}
    <p class="small"><a href="${base}/dashboard/sign-in">${texts.back}</a></p>`
  return outsidePage(request, texts.forgotTitle, contents, { text: texts.forgotText })
}

/** Mails a link for a new password; or, within its limit, another invitation if none was accepted. */
async function mailAnew(request: PageRequest, account: Account): Promise<void> {
  const { deps } = request
  const { db, clock } = deps
  await logResetRequest(db, account, request.device.ip, clock)
  if (account.has_accepted) return void (await deliverLink(deps, account, 'reset'))
  await inTransaction(db, (tx) => takeInvitation(tx, null, account.email, deps))
  await deliverLink(deps, account, 'invitation')
}

/** Responds the same, and as fast, whether the account exists or not. */
async function forgotten(request: PageRequest) {
  const email = request.form.get('email') ?? ''
  const { deps, t, base } = request
  if (deps.mailer === null) return forgotPage(request)
  await takeReset(deps, email, request.device.ip)
  const account = await findAccountByEmail(deps.db, email)
  if (account !== null && account.disabled_at === null) {
    void mailAnew(request, account).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'a link for a new password could not be created'),
    )
  }
  const { sentTitle, sentText, back } = t.entrance
  const contents = html`<p>${sentText}</p>
    <p><a class="button" href="${base}/dashboard/sign-in">${back}</a></p>`
  return outsidePage(request, sentTitle, contents)
}

/** The session ended meanwhile: it was signed out elsewhere, or the password changed. */
export const signedOut = { to: '/dashboard/sign-in', session: null, flash: failed('sessionOver') } as const

const signingIn = (save: typeof signInNow) =>
  formHandler(save, signInPage, (request, error) =>
    limitedOr(request, error, '', request.t.entrance.tooManySignIns),
  )
const requestingLink = formHandler(forgotten, forgotPage, (request, error) =>
  limitedOr(request, error, 'email', request.t.entrance.tooManyLinks),
)

export const entrancePages = [
  openPage('GET', '/sign-in', 'guest', signInPage),
  openPage('POST', '/sign-in', 'guest', signingIn(signInNow)),
  ...asData([openPage('GET', '/sign-in/passkey', 'guest', passkeyOptions)]),
  openPage('POST', '/sign-in/passkey', 'guest', signingIn(signInWithPasskey)),
  openPage('GET', '/forgot', 'guest', forgotPage),
  openPage('POST', '/forgot', 'guest', requestingLink),
  personPage('GET', '/second-factor', 'factor', factorPage),
  personPage('POST', '/second-factor', 'factor', formHandler(passFactor, factorPage)),
  openPage('POST', '/sign-out', 'anyone', async ({ deps, session }) => {
    if (session !== null) await endSession(deps.db, session.account.id, session.id)
    return { to: '/dashboard/sign-in', session: null }
  }),
  openPage('POST', '/language', 'anyone', async (request) => {
    const language = request.form.get('language')
    const to = safeNext(request.form.get('next'))
    if (!isLanguage(language)) return { to }
    if (request.session !== null)
      await changeProfile(request.deps.db, request.session.account.id, { language })
    return { to, language }
  }),
]
