/**
 * The pages before signing in: sign in, second factor, and a link for a new password.
 */
import { type Account, findAccountByEmail } from '../../../access/accounts/accounts.ts'
import { takeInvitation, takeReset } from '../../../access/accounts/attempts.ts'
import { logResetRequest } from '../../../access/accounts/sign-in-log.ts'
import { endSession } from '../../../access/accounts/sessions.ts'
import { passSecondFactor, signIn } from '../../../access/accounts/sign-in.ts'
import { changeProfile } from '../../../access/accounts/accounts.ts'
import { html, type Piece } from '../../../platform/web/html.ts'
import { isLanguage } from '../../../platform/web/language.ts'
import { safeNext } from '../access.ts'
import { accountDeps } from '../actor.ts'
import { failed } from '../flash.ts'
import { inputField } from '../../framework/fields.ts'
import { notice, notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { deliverLink } from '../../../delivery/mails/link-mails.ts'
import { limitedOr, problemsOf } from '../problems.ts'
import { openPage, type Page, type PageAnswer, personPage, type Visit } from '../visit.ts'

/** A page outside the frame: one card. @param options.text below the heading */
export function outsidePage(
  title: string,
  contents: Piece,
  { text, status }: Readonly<{ text?: string; status?: number }> = {},
): PageAnswer {
  const head =
    text === undefined
      ? html`<h1>${title}</h1>`
      : html`<div>
          <h1>${title}</h1>
          <p class="muted">${text}</p>
        </div>`
  const body = html`<div class="card ${text === undefined ? 'stack' : 'stack-l'}">${head} ${contents}</div>`
  return { title, status, body }
}

function signInPage(visit: Visit, email: string, { problems, status }: Refusal = notRefused): PageAnswer {
  const { t } = visit
  const texts = t.entrance
  const next = visit.form.get('next') ?? visit.query.get('next') ?? ''
  const contents = html`${problemSummary(visit, problems, { focused: false })}
    ${postForm(
      visit,
      '/dashboard/sign-in',
      html`<div class="stack">
        <input type="hidden" name="next" value="${next}" />
        ${inputField({ name: 'email', label: t.common.email, type: 'email', autocomplete: 'username', value: email, problems, required: true, autofocus: email === '', maxlength: 254 })}
        ${inputField({ name: 'password', label: t.common.password, type: 'password', autocomplete: 'current-password', problems, required: true, autofocus: email !== '', maxlength: 200 })}
        <button class="button button-primary button-wide">${texts.signIn}</button>
      </div>`,
    )}
    <p class="small"><a href="${visit.base}/dashboard/forgot">${texts.forgot}</a></p>`
  return outsidePage(texts.signIn, contents, { text: texts.signInText, status })
}

async function signInNow(visit: Visit): Promise<PageAnswer> {
  const email = visit.form.get('email') ?? ''
  try {
    const deps = accountDeps(visit)
    const { token, stage } = await signIn(deps, email, visit.form.get('password') ?? '', visit.device)
    // It replaces the session that this browser had.
    if (visit.session !== null) await endSession(deps.db, visit.session.account.id, visit.session.id)
    const next = safeNext(visit.form.get('next'))
    if (stage === 'full') return { to: next, session: token }
    const query = next === '/dashboard' ? '' : `?next=${encodeURIComponent(next)}`
    return { to: `/dashboard/second-factor${query}`, session: token }
  } catch (error) {
    return signInPage(visit, email, limitedOr(visit, error, '', visit.t.entrance.tooManySignIns))
  }
}

function factorPage(visit: Visit, { problems, status }: Refusal = notRefused): PageAnswer {
  const { t } = visit
  const next = visit.form.get('next') ?? visit.query.get('next') ?? ''
  const contents = html`${problemSummary(visit, problems, { focused: false })}
  ${postForm(
    visit,
    '/dashboard/second-factor',
    html`<div class="stack">
      <input type="hidden" name="next" value="${next}" />
      ${inputField({ name: 'code', label: t.entrance.code, hint: t.entrance.codeHint, autocomplete: 'one-time-code', problems, required: true, autofocus: true, className: 'input-code', maxlength: 20 })}
      <button class="button button-primary button-wide">${t.entrance.goOn}</button>
    </div>`,
  )}
  ${postForm(visit, '/dashboard/sign-out', html`<button class="link-button small">${t.entrance.otherAccount}</button>`)}`
  return outsidePage(t.people.factor, contents, { text: t.entrance.factorText, status })
}

function forgotPage(visit: Visit, email: string, { problems, status }: Refusal = notRefused): PageAnswer {
  const { t } = visit
  const contents = html`${problemSummary(visit, problems, { focused: false })}
    ${
      visit.deps.mailer === null
        ? notice('warn', t.entrance.noMail)
        : postForm(
            visit,
            '/dashboard/forgot',
            html`<div class="stack">
              ${inputField({ name: 'email', label: t.common.email, type: 'email', autocomplete: 'username', value: email, problems, required: true, autofocus: true, maxlength: 254 })}
              <button class="button button-primary button-wide">${t.entrance.sendLink}</button>
            </div>`,
          )
    }
    <p class="small"><a href="${visit.base}/dashboard/sign-in">${t.entrance.back}</a></p>`
  return outsidePage(t.entrance.forgotTitle, contents, { text: t.entrance.forgotText, status })
}

/** A link for a new password. Who never accepted an invitation gets another, within the limit of invitations. */
async function mailAnew(visit: Visit, account: Account): Promise<void> {
  await logResetRequest(visit.deps.db, account, visit.device.ip, visit.deps.clock)
  if (account.has_password) return void (await deliverLink(visit.deps, account, 'reset'))
  await takeInvitation(accountDeps(visit), null, account.email)
  await deliverLink(visit.deps, account, 'invitation')
}

/** Responds the same, and as fast, whether the account exists or not. */
async function forgotten(visit: Visit): Promise<PageAnswer> {
  const email = visit.form.get('email') ?? ''
  const { deps, t } = visit
  if (deps.mailer === null) return forgotPage(visit, email)
  try {
    await takeReset(accountDeps(visit), email, visit.device.ip)
  } catch (error) {
    return forgotPage(visit, email, limitedOr(visit, error, 'email', visit.t.entrance.tooManyLinks))
  }
  const account = await findAccountByEmail(deps.db, email)
  if (account !== null && account.disabled_at === null) {
    void mailAnew(visit, account).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'a link for a new password could not be made'),
    )
  }
  return outsidePage(
    t.entrance.sentTitle,
    html`<p>${t.entrance.sentText}</p>
      <p><a class="button" href="${visit.base}/dashboard/sign-in">${t.entrance.back}</a></p>`,
  )
}

/** The session ended while it was used: signed out elsewhere, or a new password. */
export const signedOut = { to: '/dashboard/sign-in', session: null, flash: failed('sessionOver') } as const

export const entrancePages: readonly Page[] = [
  openPage('GET', '/sign-in', 'guest', async (visit) => signInPage(visit, '')),
  openPage('POST', '/sign-in', 'guest', signInNow),
  openPage('GET', '/forgot', 'guest', async (visit) => forgotPage(visit, '')),
  openPage('POST', '/forgot', 'guest', forgotten),
  personPage('GET', '/second-factor', 'factor', async (visit) => factorPage(visit)),
  personPage('POST', '/second-factor', 'factor', async (visit) => {
    try {
      const code = visit.form.get('code') ?? ''
      const token = await passSecondFactor(accountDeps(visit), visit.session, code, visit.device)
      if (token === null) return signedOut
      return { to: safeNext(visit.form.get('next')), session: token }
    } catch (error) {
      return factorPage(visit, problemsOf(visit, error))
    }
  }),
  openPage('POST', '/sign-out', 'anyone', async ({ deps, session }) => {
    if (session !== null) await endSession(deps.db, session.account.id, session.id)
    return { to: '/dashboard/sign-in', session: null }
  }),
  openPage('POST', '/language', 'anyone', async (visit) => {
    const language = visit.form.get('language')
    const to = safeNext(visit.form.get('next'))
    if (!isLanguage(language)) return { to }
    if (visit.session !== null) await changeProfile(visit.deps.db, visit.session.account.id, { language })
    return { to, language }
  }),
]
