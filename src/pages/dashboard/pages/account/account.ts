/** The person's own account: name, language, password, second factor, passkeys and sessions. */
import { nameLength } from '../../../../limits/sizes.ts'
import { changeProfile } from '../../../../access/accounts/accounts.ts'
import { listPasskeys } from '../../../../access/accounts/passkeys/passkeys.ts'
import { countRecoveryCodes } from '../../../../access/accounts/sign-in/second-factor.ts'
import { endSession, endSessions, listSessions } from '../../../../access/accounts/sign-in/sessions.ts'
import { changePassword } from '../../../../access/accounts/sign-in/sign-in.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { ApiError } from '../../../../platform/errors/errors.ts'
import { isUuid } from '../../../../platform/names/ids.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { isLanguage } from '../../../../platform/web/language/language.ts'
import { auditPerson } from '../../actor.ts'
import { confirmedForm, confirmIdentity, confirmScripts, currentPassword } from '../../forms/confirmation.ts'
import { succeeded } from '../../serving/flash.ts'
import { choiceField, selectField } from '../../../framework/fields.ts'
import { formHandler, inOneTransaction } from '../../forms/form-handlers.ts'
import { fieldForm, formField, passwordField, postForm } from '../../forms/forms.ts'
import { card, framed } from '../../parts/page-parts.ts'
import { sessionTable } from '../../parts/session-table.ts'
import { personPage, type PersonRequest } from '../../serving/page.ts'
import { signedOut } from './entrance.ts'
import { ownersNote } from '../people/people.ts'

const home = '/dashboard/account'
const languages = Object.entries({ es: 'Español (Argentina)', en: 'English' })

async function accountPage(request: PersonRequest) {
  const { t, session, deps } = request
  const { account } = session
  const texts = t.account
  const [sessions, passkeys, rolePart, codes] = await Promise.all([
    listSessions(deps.db, account.id, deps.clock),
    listPasskeys(deps.db, account.id),
    ownersNote(request),
    account.has_second_factor ? countRecoveryCodes(deps.db, account.id) : 0,
  ])
  const profile = html`${formField(request, { name: 'name', label: t.common.name, value: account.name, autocomplete: 'name', required: true, maxlength: nameLength })}
  ${selectField({ name: 'language', label: t.common.language, value: request.language, choices: languages })}`
  const labels = { name: t.common.name, current: texts.currentPassword, password: texts.nextPassword }
  return framed(
    request,
    {
      title: t.nav.account,
      section: 'account',
      subtitle: account.email,
      labels,
      scripts: confirmScripts(request),
    },
    html`<div class="columns halves">
        ${card(texts.profile, html`${fieldForm(request, `${home}/profile`, profile, t.common.save)} ${rolePart}`)}
        ${card(t.common.password, passwordPart(request))}
      </div>
      ${account.role === 'owner' && remindersPart(request)}
      <div class="columns halves">
        ${card(t.people.factor, factorPart(request, codes))}
        ${card(t.passkeys.title, passkeyPart(request, passkeys.length))}
      </div>
      ${card(texts.sessions, sessionTable(request, sessions, `${home}/sessions`), sessions.length > 1 && postForm(request, `${home}/sessions/others`, html`<button class="button button-small">${texts.endOthers}</button>`), 'card-flush')}`,
  )
}

function passwordPart(request: PersonRequest): Html {
  const { t, session } = request
  const next = passwordField(request, 'password', t.account.nextPassword, 'new-password', {
    hint: t.common.passwordHint,
  })
  const path = `${home}/password`
  return session.account.has_password
    ? fieldForm(request, path, html`${currentPassword(request)}${next}`, t.account.changePassword)
    : html`<p>${t.passkeys.noPassword}</p>
        ${confirmedForm(request, path, next, t.passkeys.setPassword)}`
}

function passkeyPart({ t, base }: PersonRequest, count: number): Html {
  const texts = t.passkeys
  return html`<p>${count === 0 ? texts.why : texts.count(count)}</p>
    <p><a class="button" href="${base}${home}/passkeys">${count === 0 ? texts.add : texts.manage}</a></p>`
}

/** The mails that an owner can turn off; those on security are always sent. */
function remindersPart(request: PersonRequest): Html {
  const { t, session } = request
  const { keyReminders: label, keyRemindersHint: hint } = t.account
  const { key_reminders: chosen } = session.account
  const choice = choiceField({ name: 'key_reminders', value: 'on', label, hint, chosen })
  return card(t.settings.tabs.mails, fieldForm(request, `${home}/mails`, choice, t.common.save))
}

function factorPart(request: PersonRequest, codes: number): Html {
  const { t, base, session } = request
  const texts = t.account
  const path = `${base}${home}/second-factor`
  if (!session.account.has_second_factor) {
    return html`<div class="row-apart">
      <p>${texts.factorOff}</p>
      <a class="button button-primary" href="${path}">${texts.turnOn}</a>
    </div>`
  }
  return html`<p>
      <span class="badge badge-good badge-dot">${texts.factorOn}</span>
      <span class="muted">${texts.codesLeft(codes)}</span>
    </p>
    <div class="row">
      <a class="button" href="${path}/codes">${t.factor.renew[0]}</a>
      <a class="button button-danger" href="${path}/off">${t.factor.remove[2]}</a>
    </div>`
}

async function saveProfile(request: PersonRequest, tx: Tx) {
  const { account } = request.session
  const name = request.form.get('name')?.trim() ?? ''
  const language = request.form.get('language')
  await changeProfile(tx, account.id, { name })
  // Histories and the log name people, so a change of name is logged.
  if (name !== account.name)
    await auditPerson(tx, request, 'profile_changed', account, { name, was: account.name })
  const saved = { to: home, flash: succeeded('profileSaved') }
  if (!isLanguage(language)) return saved
  await changeProfile(tx, account.id, { language })
  return { ...saved, language }
}

async function saveMails(request: PersonRequest, tx: Tx) {
  const { account } = request.session
  const wanted = { key_reminders: request.form.has('key_reminders') }
  await changeProfile(tx, account.id, wanted)
  await auditPerson(tx, request, 'profile_changed', account, wanted)
  return { to: home, flash: succeeded('profileSaved') }
}

async function savePassword(request: PersonRequest) {
  const { form, session, device } = request
  const verified = await confirmIdentity(request)
  const next = form.get('password') ?? ''
  const token = await changePassword(request.deps, session, verified, next, device.ip)
  if (token === null) return signedOut
  return { to: home, flash: succeeded('passwordChanged'), session: token }
}

async function endOthers(request: PersonRequest, tx: Tx) {
  const { account, id } = request.session
  await endSessions(tx, account.id, id)
  await auditPerson(tx, request, 'sessions_ended', account)
  return { to: home, flash: succeeded('sessionsEnded') }
}

async function endOne(request: PersonRequest, tx: Tx) {
  const { account } = request.session
  const ended = request.params['session'] ?? ''
  if (!isUuid(ended) || !(await endSession(tx, account.id, ended)))
    throw new ApiError('not_found', { message: 'There is no such session.' })
  await auditPerson(tx, request, 'sessions_ended', account)
  return { to: home, flash: succeeded('sessionEnded') }
}

export const accountPages = [
  personPage('GET', '/account', 'person', accountPage),
  personPage('POST', '/account/profile', 'person', formHandler(inOneTransaction(saveProfile), accountPage)),
  personPage('POST', '/account/mails', 'person', inOneTransaction(saveMails)),
  personPage('POST', '/account/password', 'person', formHandler(savePassword, accountPage)),
  personPage('POST', '/account/sessions/others', 'person', inOneTransaction(endOthers)),
  personPage('POST', '/account/sessions/:session/end', 'person', inOneTransaction(endOne)),
]
