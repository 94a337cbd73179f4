/**
 * The person's own account: name, language, password, second factor and sessions.
 */
import { inTransaction } from '../../../platform/db/transaction.ts'
import { changeProfile } from '../../../access/accounts/accounts.ts'
import { countRecoveryCodes } from '../../../access/accounts/second-factor.ts'
import {
  endSession,
  endSessions,
  listSessions,
  type ListedSession,
} from '../../../access/accounts/sessions.ts'
import { changePassword } from '../../../access/accounts/sign-in.ts'
import { ApiError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { isLanguage } from '../../../platform/web/language.ts'
import { accountDeps, note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { choiceField, inputField, selectField } from '../../framework/fields.ts'
import { notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { pageHead } from '../page-parts.ts'
import { ownersNote } from '../owners-note.ts'
import { problemsOf } from '../problems.ts'
import { type Column, table } from '../tables.ts'
import { type Page, type PageResponse, personPage, type Signed } from '../visit.ts'
import { signedOut } from './entrance.ts'

async function accountPage(
  visit: Signed,
  { problems, status }: Refusal = notRefused,
  name = visit.session.account.name,
): Promise<PageResponse> {
  const { t, session, deps } = visit
  const { account } = session
  const texts = t.account
  const [sessions, rolePart, codes] = await Promise.all([
    listSessions(deps.db, account.id, deps.clock),
    ownersNote(visit),
    account.has_second_factor ? countRecoveryCodes(deps.db, account.id) : 0,
  ])
  return {
    title: t.nav.account,
    section: 'account',
    status,
    body: html`${pageHead(visit, { title: t.nav.account, subtitle: account.email })}
      <div class="stack-l">
        ${problemSummary(visit, problems, { labels: { name: t.common.name, current: texts.currentPassword, password: texts.nextPassword } })}
        <div class="columns halves">
          <section class="card">
            <h2 class="card-head">${texts.profile}</h2>
            ${postForm(
              visit,
              '/dashboard/account/profile',
              html`<div class="stack">
                ${inputField({ name: 'name', label: t.common.name, value: name, autocomplete: 'name', problems, required: true, maxlength: 120 })}
                ${selectField({
                  name: 'language',
                  label: t.common.language,
                  value: visit.language,
                  choices: [
                    ['es', 'Español (Argentina)'],
                    ['en', 'English'],
                  ],
                })}
                <div><button class="button button-primary">${t.common.save}</button></div>
                ${rolePart}
              </div>`,
            )}
          </section>
          <section class="card">
            <h2 class="card-head">${t.common.password}</h2>
            ${postForm(
              visit,
              '/dashboard/account/password',
              html`<div class="stack">
                ${inputField({ name: 'current', label: texts.currentPassword, type: 'password', autocomplete: 'current-password', problems, required: true, maxlength: 200 })}
                ${inputField({ name: 'password', label: texts.nextPassword, hint: t.common.passwordHint, type: 'password', autocomplete: 'new-password', problems, required: true, maxlength: 200 })}
                <div><button class="button button-primary">${texts.changePassword}</button></div>
              </div>`,
            )}
          </section>
        </div>
        ${account.role === 'owner' && remindersPart(visit)}
        <section class="card">
          <h2 class="card-head">${t.people.factor}</h2>
          ${factorPart(visit, codes)}
        </section>
        <section class="card card-flush">
          <div class="card-head">
            <h2>${texts.sessions}</h2>
            ${
              sessions.length > 1 &&
              postForm(
                visit,
                '/dashboard/account/sessions/others',
                html`<button class="button button-small">${texts.endOthers}</button>`,
              )
            }
          </div>
          ${sessionTable(visit, sessions)}
        </section>
      </div>`,
  }
}

/** Which mails an owner can do without; those on security are always sent. */
function remindersPart(visit: Signed): Html {
  const { t, session } = visit
  const texts = t.account
  return html`<section class="card stack">
    <h2>${t.settings.tabs.mails}</h2>
    ${postForm(
      visit,
      '/dashboard/account/mails',
      html`<div class="stack">
        ${choiceField({ name: 'key_reminders', value: 'on', label: texts.keyReminders, hint: texts.keyRemindersHint, chosen: session.account.key_reminders })}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
}

function factorPart(visit: Signed, codes: number): Html {
  const { t, base, session } = visit
  const texts = t.account
  if (!session.account.has_second_factor) {
    return html`<div class="row-apart">
      <p>${texts.factorOff}</p>
      <a class="button button-primary" href="${base}/dashboard/account/second-factor">${texts.turnOn}</a>
    </div>`
  }
  return html`<div class="stack">
    <p>
      <span class="badge badge-good badge-dot">${texts.factorOn}</span>
      <span class="muted">${texts.codesLeft(codes)}</span>
    </p>
    <div class="row">
      <a class="button" href="${base}/dashboard/account/second-factor/codes">${texts.newCodes}</a>
      <a class="button button-danger" href="${base}/dashboard/account/second-factor/off">${texts.turnOff}</a>
    </div>
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
    { title: texts.address, cell: ({ ip }) => ip, className: 'mono' },
    { title: texts.since, cell: (one) => format.moment(one.created_at) },
    { title: t.common.lastUsed, cell: (one) => format.ago(one.seen_at) },
    {
      title: t.common.actions,
      cell: (one) =>
        one.id !== session.id && postForm(visit, `/dashboard/account/sessions/${one.id}/end`, endButton(one)),
      className: 'end',
      hidesTitle: true,
    },
  ]
  return table(columns, sessions)
}

/** `Firefox · Windows`: enough to tell one's own devices apart. */
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

export const accountPages: readonly Page[] = [
  personPage('GET', '/account', 'person', async (visit) => accountPage(visit)),
  personPage('POST', '/account/profile', 'person', async (visit) => {
    const { form, deps, session } = visit
    const { id, name: before, agency_id: agencyId, email } = session.account
    const name = form.get('name')?.trim() ?? ''
    try {
      await inTransaction(deps.db, async (tx) => {
        await changeProfile(tx, id, { name })
        // Histories and the log name people, so a change of name is logged.
        if (name !== before) await note(tx, visit, 'profile_changed', agencyId, email, { name, was: before })
      })
    } catch (error) {
      return await accountPage(visit, problemsOf(visit, error), form.get('name') ?? '')
    }
    const language = form.get('language')
    if (!isLanguage(language)) return { to: '/dashboard/account', flash: succeeded('profileSaved') }
    await changeProfile(deps.db, session.account.id, { language })
    return { to: '/dashboard/account', flash: succeeded('profileSaved'), language }
  }),
  personPage('POST', '/account/mails', 'person', async (visit) => {
    const { deps, form, session } = visit
    const { id, agency_id: agencyId, email } = session.account
    const wanted = { key_reminders: form.has('key_reminders') }
    await inTransaction(deps.db, async (tx) => {
      await changeProfile(tx, id, wanted)
      await note(tx, visit, 'profile_changed', agencyId, email, wanted)
    })
    return { to: '/dashboard/account', flash: succeeded('profileSaved') }
  }),
  personPage('POST', '/account/password', 'person', async (visit) => {
    const { form, session } = visit
    let token: string | null
    try {
      const next = form.get('password') ?? ''
      token = await changePassword(
        accountDeps(visit),
        session,
        form.get('current') ?? '',
        next,
        visit.device.ip,
      )
    } catch (error) {
      return await accountPage(visit, problemsOf(visit, error))
    }
    if (token === null) return signedOut
    return { to: '/dashboard/account', flash: succeeded('passwordChanged'), session: token }
  }),
  personPage('POST', '/account/sessions/others', 'person', async (visit) => {
    const { deps, session } = visit
    const { id, agency_id: agencyId, email } = session.account
    await inTransaction(deps.db, async (tx) => {
      await endSessions(tx, id, session.id)
      await note(tx, visit, 'sessions_ended', agencyId, email)
    })
    return { to: '/dashboard/account', flash: succeeded('sessionsEnded') }
  }),
  personPage('POST', '/account/sessions/:session/end', 'person', async (visit) => {
    const { deps, session, params } = visit
    const { id, agency_id: agencyId, email } = session.account
    const ended = params['session'] ?? ''
    await inTransaction(deps.db, async (tx) => {
      if (!isUuid(ended) || !(await endSession(tx, id, ended)))
        throw new ApiError('not_found', { message: 'There is no such session.' })
      await note(tx, visit, 'sessions_ended', agencyId, email)
    })
    return { to: '/dashboard/account', flash: succeeded('sessionEnded') }
  }),
]
