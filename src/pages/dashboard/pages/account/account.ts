/** The person's own account: name, language, password, second factor and sessions. */
import { changeProfile } from '../../../../access/accounts/accounts.ts'
import { countRecoveryCodes } from '../../../../access/accounts/second-factor.ts'
import {
  endSession,
  endSessions,
  listSessions,
  type ListedSession,
} from '../../../../access/accounts/sessions.ts'
import { changePassword } from '../../../../access/accounts/sign-in.ts'
import type { Tx } from '../../../../platform/db/connection.ts'
import { ApiError } from '../../../../platform/errors.ts'
import { isUuid } from '../../../../platform/ids.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { isLanguage } from '../../../../platform/web/language.ts'
import { domainDeps, notePerson } from '../../actor.ts'
import { succeeded } from '../../flash.ts'
import { choiceField, selectField } from '../../../framework/fields.ts'
import { formHandler, inOneTransaction } from '../../form-handlers.ts'
import { fieldForm, formField, passwordField, postForm } from '../../forms.ts'
import { card, framed, tableCard } from '../../page-parts.ts'
import { ownersNote } from '../../owners-note.ts'
import { type Column, table } from '../../tables.ts'
import { personPage, type Signed } from '../../visit.ts'
import { signedOut } from './entrance.ts'

const home = '/dashboard/account'
const languages = Object.entries({ es: 'Español (Argentina)', en: 'English' })

async function accountPage(visit: Signed) {
  const { t, session, deps } = visit
  const { account } = session
  const texts = t.account
  const [sessions, rolePart, codes] = await Promise.all([
    listSessions(deps.db, account.id, deps.clock),
    ownersNote(visit),
    account.has_second_factor ? countRecoveryCodes(deps.db, account.id) : 0,
  ])
  const profile = html`${formField(visit, { name: 'name', label: t.common.name, value: account.name, autocomplete: 'name', required: true, maxlength: 120 })}
  ${selectField({ name: 'language', label: t.common.language, value: visit.language, choices: languages })}`
  const password = html`${passwordField(visit, 'current', texts.currentPassword, 'current-password')}
  ${passwordField(visit, 'password', texts.nextPassword, 'new-password', { hint: t.common.passwordHint })}`
  const labels = { name: t.common.name, current: texts.currentPassword, password: texts.nextPassword }
  return framed(
    visit,
    { title: t.nav.account, section: 'account', subtitle: account.email, labels },
    html`<div class="columns halves">
        ${card(texts.profile, html`${fieldForm(visit, `${home}/profile`, profile, t.common.save)} ${rolePart}`)}
        ${card(t.common.password, fieldForm(visit, `${home}/password`, password, texts.changePassword))}
      </div>
      ${account.role === 'owner' && remindersPart(visit)} ${card(t.people.factor, factorPart(visit, codes))}
      ${tableCard(texts.sessions, sessionTable(visit, sessions), sessions.length > 1 && postForm(visit, `${home}/sessions/others`, html`<button class="button button-small">${texts.endOthers}</button>`))}`,
  )
}

/** The mails that an owner can turn off; those on security are always sent. */
function remindersPart(visit: Signed): Html {
  const { t, session } = visit
  const { keyReminders: label, keyRemindersHint: hint } = t.account
  const { key_reminders: chosen } = session.account
  const choice = choiceField({ name: 'key_reminders', value: 'on', label, hint, chosen })
  return card(t.settings.tabs.mails, fieldForm(visit, `${home}/mails`, choice, t.common.save))
}

function factorPart(visit: Signed, codes: number): Html {
  const { t, base, session } = visit
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

function sessionTable(visit: Signed, sessions: readonly ListedSession[]): Html {
  const { t, format, session } = visit
  const texts = t.account
  const nameOf = ({ user_agent: agent }: ListedSession) => deviceName(agent, texts.unknownDevice)
  const endButton = (one: ListedSession) =>
    html`<button class="button button-small">
      ${texts.end}<span class="visually-hidden"> ${nameOf(one)}</span>
    </button>`
  const columns: Column<ListedSession>[] = [
    {
      title: texts.device,
      cell: (one) =>
        html`<span class="strong">${nameOf(one)}</span>
          ${one.id === session.id && html`<span class="badge badge-info">${texts.thisOne}</span>`}`,
    },
    { title: texts.ip, cell: ({ ip }) => ip, className: 'mono' },
    { title: texts.since, cell: (one) => format.moment(one.created_at) },
    { title: t.common.lastUsed, cell: (one) => format.ago(one.seen_at) },
    {
      title: t.common.actions,
      cell: (one) =>
        one.id !== session.id && postForm(visit, `${home}/sessions/${one.id}/end`, endButton(one)),
      className: 'end',
      hidesTitle: true,
    },
  ]
  return table(columns, sessions)
}

/** `Firefox · Windows`: enough to distinguish one's own devices. */
function deviceName(userAgent: string, unknown: string): string {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find([
    [/Edg\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser/, 'Samsung Internet'],
    [/Firefox|FxiOS/, 'Firefox'],
    [/Chrome|CriOS/, 'Chrome'],
    [/Safari/, 'Safari'],
  ])
  const system = find([
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS X/, 'macOS'],
    [/Linux/, 'Linux'],
  ])
  return [browser, system].filter((part) => part !== undefined).join(' · ') || unknown
}

async function saveProfile(visit: Signed, tx: Tx) {
  const { account } = visit.session
  const name = visit.form.get('name')?.trim() ?? ''
  const language = visit.form.get('language')
  await changeProfile(tx, account.id, { name })
  // Histories and the log name people, so a change of name is logged.
  if (name !== account.name)
    await notePerson(tx, visit, 'profile_changed', account, { name, was: account.name })
  const saved = { to: home, flash: succeeded('profileSaved') }
  if (!isLanguage(language)) return saved
  await changeProfile(tx, account.id, { language })
  return { ...saved, language }
}

async function saveMails(visit: Signed, tx: Tx) {
  const { account } = visit.session
  const wanted = { key_reminders: visit.form.has('key_reminders') }
  await changeProfile(tx, account.id, wanted)
  await notePerson(tx, visit, 'profile_changed', account, wanted)
  return { to: home, flash: succeeded('profileSaved') }
}

async function savePassword(visit: Signed) {
  const { form, session, device } = visit
  const [current, next] = [form.get('current') ?? '', form.get('password') ?? '']
  const token = await changePassword(domainDeps(visit), session, current, next, device.ip)
  if (token === null) return signedOut
  return { to: home, flash: succeeded('passwordChanged'), session: token }
}

async function endOthers(visit: Signed, tx: Tx) {
  const { account, id } = visit.session
  await endSessions(tx, account.id, id)
  await notePerson(tx, visit, 'sessions_ended', account)
  return { to: home, flash: succeeded('sessionsEnded') }
}

async function endOne(visit: Signed, tx: Tx) {
  const { account } = visit.session
  const ended = visit.params['session'] ?? ''
  if (!isUuid(ended) || !(await endSession(tx, account.id, ended)))
    throw new ApiError('not_found', { message: 'There is no such session.' })
  await notePerson(tx, visit, 'sessions_ended', account)
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
