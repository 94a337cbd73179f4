/**
 * The people of an agency, looked after by its owners and by operators; and the operators, who look after each other.
 */
import {
  type Account,
  canonicalEmail,
  changeAccount,
  createAccount,
  findAccount,
  listAccounts,
  noSuchPerson,
  type Role,
} from '../../accounts/accounts.ts'
import { takeInvitation } from '../../accounts/invitation-limits.ts'
import { removeSecondFactor } from '../../accounts/second-factor.ts'
import { endSessions } from '../../accounts/sessions.ts'
import { isUuid } from '../../ids.ts'
import { ApiError, invalid } from '../../errors.ts'
import { html, type Html } from '../../pages/html.ts'
import { checkPersonName } from '../../plain-name.ts'
import { accountDeps, note } from '../actor.ts'
import { told, warned } from '../flash.ts'
import {
  copyButton,
  inputField,
  noProblems,
  notice,
  postForm,
  problemSummary,
  type Problems,
  selectField,
} from '../forms.ts'
import { pageHead } from '../layout.ts'
import { type Delivery, deliverLink } from '../mails.ts'
import { problemsOf, refusalText } from '../problems.ts'
import { tableHead } from '../tables.ts'
import { agencyPages, type Outcome, type Page, personPage, type Scoped, type Signed } from '../visit.ts'
import { mailPreferencePart } from './mail-preference.ts'
import { agencyCrumbs, sectionOf } from './keys.ts'

/** Whose people: an agency's, or with null the operators. */
type Group = Readonly<{ agencyId: string | null; name: string | null; path: string }>

function groupOf(visit: Signed): Group {
  const { scope } = visit as Partial<Scoped>
  return scope == null
    ? { agencyId: null, name: null, path: '/dashboard/operator' }
    : { agencyId: scope.id, name: scope.name, path: scope.path }
}

async function peoplePage(visit: Signed, problems: Problems = noProblems, status = 200): Promise<Outcome> {
  const { t, deps, form } = visit
  const texts = t.people
  const group = groupOf(visit)
  const isAgency = group.agencyId !== null
  const people = await listAccounts(deps.db, group.agencyId)
  const mails = isAgency && (await mailPreferencePart(visit as Scoped))
  const title = isAgency ? texts.title : texts.operators
  return {
    title,
    section: isAgency ? sectionOf(visit as Scoped, 'people') : 'agencies',
    status,
    body: html`${pageHead(visit, { title, subtitle: isAgency ? texts.subtitle : texts.operatorsText, crumbs: isAgency ? agencyCrumbs(visit as Scoped) : [[t.nav.agencies, '/dashboard/operator/agencies']] })}
      <div class="stack-l">
        ${problemSummary(visit, problems)}
        <section class="card card-flush">${peopleTable(visit, group, people)}</section>
        <section class="card">
          <h2 class="card-head">${texts.invite}</h2>
          <div class="stack">
            ${deps.mailer === null && notice('info', texts.noMail)}
            ${postForm(
              visit,
              `${group.path}/people/invite`,
              html`<div class="stack">
                <div class="form-row form-row-3">
                  ${inputField({ name: 'email', label: t.common.email, type: 'email', value: form.get('email') ?? '', problems, required: true, maxlength: 254 })}
                  ${inputField({ name: 'name', label: t.common.name, value: form.get('name') ?? '', problems, required: true, maxlength: 120 })}
                  ${
                    isAgency &&
                    selectField({
                      name: 'role',
                      label: texts.role,
                      value: form.get('role') ?? 'member',
                      choices: [
                        ['member', t.roles.member],
                        ['owner', t.roles.owner],
                      ],
                    })
                  }
                </div>
                ${isAgency && html`<p class="hint">${texts.rolesHint}</p>`}
                <div><button class="button button-primary">${texts.inviteNow}</button></div>
              </div>`,
            )}
          </div>
        </section>
        ${mails}
      </div>`,
  }
}

function peopleTable(visit: Signed, group: Group, people: readonly Account[]): Html {
  const { t, format } = visit
  const texts = t.people
  return html`<table class="table table-fold">
    ${tableHead(texts.title, [t.common.name, texts.role, t.common.status, texts.factor, texts.lastSignIn, { label: t.common.actions, isHidden: true }])}
    <tbody>
      ${people.map(
        (person) =>
          html`<tr>
            <td class="lead">
              <p class="strong">${person.name}</p>
              <p class="small muted">${person.email}</p>
            </td>
            <td data-label="${texts.role}">${t.roles[person.role]}</td>
            <td data-label="${t.common.status}">${personStatus(visit, person)}</td>
            <td data-label="${texts.factor}">
              ${person.has_second_factor ? html`<span class="badge badge-good">${t.common.yes}</span>` : html`<span class="muted">${t.common.no}</span>`}
            </td>
            <td data-label="${texts.lastSignIn}">
              ${person.signed_in_at === null ? html`<span class="muted">${texts.never}</span>` : format.ago(person.signed_in_at)}
            </td>
            <td class="end plain">
              ${person.id === visit.session.account.id ? html`<span class="badge badge-info">${texts.you}</span>` : personActions(visit, group, person)}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function personStatus({ t }: Signed, { disabled_at: disabledAt, has_password: accepted }: Account): Html {
  const texts = t.people
  if (disabledAt !== null) return html`<span class="badge badge-bad badge-dot">${texts.disabled}</span>`
  if (!accepted) return html`<span class="badge badge-warn badge-dot">${texts.invited}</span>`
  return html`<span class="badge badge-good badge-dot">${texts.active}</span>`
}

function personActions(visit: Signed, group: Group, person: Account): Html {
  const { t, session } = visit
  const texts = t.people
  const path = `${group.path}/people/${person.id}`
  const button = (action: string, text: string, fields: Html = html``, kind = '') =>
    postForm(
      visit,
      `${path}/${action}`,
      html`${fields}<button class="button button-small button-wide ${kind}">
          ${text}<span class="visually-hidden"> ${person.name}</span>
        </button>`,
    )
  const field = (name: string, value: string) => html`<input type="hidden" name="${name}" value="${value}" />`
  if (person.disabled_at !== null) return button('change', texts.enable, field('disabled', 'no'))
  const isOperator = session.account.role === 'operator'
  return html`<details class="action">
    <summary class="button button-small">
      ${texts.manage}<span class="visually-hidden"> ${person.name}</span>
    </summary>
    <div class="action-body stack-s">
      ${button('link', person.has_password ? texts.resetLink : texts.inviteAgain)}
      ${person.role === 'member' && button('change', texts.makeOwner, field('role', 'owner'))}
      ${person.role === 'owner' && button('change', texts.makeMember, field('role', 'member'))}
      ${isOperator && person.has_second_factor && button('factor', texts.removeFactor)}
      ${button('change', texts.disable, field('disabled', 'yes'), 'button-danger')}
    </div>
  </details>`
}

/** The link, where no mail brought it. */
function linkPage(visit: Signed, group: Group, account: Account, { outcome, url }: Delivery): Outcome {
  const { t, base } = visit
  const texts = t.people
  return {
    title: texts.linkTitle,
    section: group.agencyId === null ? 'agencies' : sectionOf(visit as Scoped, 'people'),
    body: html`${pageHead(visit, { title: texts.linkTitle })}
      <div class="card stack">
        ${notice('warn', (outcome === 'waits' ? texts.linkWaits : texts.linkText)(account.email))}
        <code class="code secret" id="the-link">${url}</code>
        <div class="form-actions">
          ${copyButton(visit, 'the-link')}<a class="button button-primary" href="${base}${group.path}/people"
            >${texts.linkDone}</a
          >
        </div>
      </div>`,
  }
}

/** The person of the address, in this group. @throws ApiError 404 */
async function personOf(visit: Signed): Promise<Account> {
  const id = visit.params['person'] ?? ''
  const person = isUuid(id) ? await findAccount(visit.deps.db, groupOf(visit).agencyId, id) : null
  if (person === null) throw noSuchPerson()
  return person
}

async function invite(visit: Signed): Promise<Outcome> {
  const { deps, form } = visit
  const group = groupOf(visit)
  const wanted = form.get('role') ?? ''
  if (group.agencyId !== null && wanted !== 'owner' && wanted !== 'member')
    throw invalid('role', 'There is no such role.')
  const role: Role = group.agencyId === null ? 'operator' : (wanted as Role)
  try {
    const email = canonicalEmail(form.get('email') ?? '')
    const name = checkPersonName(form.get('name') ?? '')
    await takeMail(visit, group, email)
    const account = await createAccount(deps.db, { email, name, agencyId: group.agencyId, role }, deps.clock)
    await note(visit, 'person_invited', group.agencyId, account.email, { role })
    return await handOver(visit, group, account, 'invitation')
  } catch (error) {
    return await refusedPage(visit, error)
  }
}

/** Counts a mail that people of an agency have sent. @throws ApiError `rate_limited` */
async function takeMail(visit: Signed, { agencyId }: Group, email: string): Promise<void> {
  if (visit.session.account.role === 'operator') return
  await takeInvitation(accountDeps(visit), agencyId, email)
}

async function refusedPage(visit: Signed, error: unknown): Promise<Outcome> {
  const { problems, status } = problemsOf(visit, error)
  const isLimit = error instanceof ApiError && error.code === 'rate_limited'
  if (!isLimit) return await peoplePage(visit, problems, status)
  const wait = visit.format.wait(Number(error.extra['retry_after']))
  return await peoplePage(visit, { '': visit.t.people.tooMany(wait) }, status)
}

async function handOver(
  visit: Signed,
  group: Group,
  account: Account,
  purpose: 'invitation' | 'reset',
): Promise<Outcome> {
  const delivery = await deliverLink(visit.deps, account, purpose)
  if (delivery.outcome !== 'sent') return linkPage(visit, group, account, delivery)
  return { to: `${group.path}/people`, flash: told('linkSent', account.email) }
}

async function newLink(visit: Signed): Promise<Outcome> {
  const group = groupOf(visit)
  const person = await personOf(visit)
  if (person.disabled_at !== null) return { to: `${group.path}/people` }
  try {
    await takeMail(visit, group, person.email)
  } catch (error) {
    return await refusedPage(visit, error)
  }
  await note(visit, 'person_link_made', group.agencyId, person.email)
  return await handOver(visit, group, person, person.has_password ? 'reset' : 'invitation')
}

async function change(visit: Signed): Promise<Outcome> {
  const { deps, form, session } = visit
  const group = groupOf(visit)
  const person = await personOf(visit)
  const to = `${group.path}/people`
  // Nobody locks himself out by mistake.
  if (person.id === session.account.id) return { to, flash: warned('refused', visit.t.people.notYourself) }
  const role = form.get('role')
  const disabled = form.get('disabled')
  try {
    if (group.agencyId !== null && (role === 'owner' || role === 'member')) {
      await changeAccount(deps.db, group.agencyId, person.id, { role }, deps.clock)
      await note(visit, 'person_role_changed', group.agencyId, person.email, { role })
    } else if (disabled === 'yes' || disabled === 'no') {
      const isDisabled = disabled === 'yes'
      await changeAccount(deps.db, group.agencyId, person.id, { disabled: isDisabled }, deps.clock)
      await note(visit, isDisabled ? 'person_disabled' : 'person_enabled', group.agencyId, person.email)
    } else return { to }
    return { to, flash: told('personChanged', person.name) }
  } catch (error) {
    return { to, flash: warned('refused', refusalText(visit, error)) }
  }
}

/** For who lost phone and recovery codes: an operator's doing alone, and every session ends. */
async function removeFactor(visit: Signed): Promise<Outcome> {
  const group = groupOf(visit)
  const person = await personOf(visit)
  await removeSecondFactor(visit.deps.db, person.id)
  await endSessions(visit.deps.db, person.id, null)
  await note(visit, 'person_factor_removed', group.agencyId, person.email)
  return { to: `${group.path}/people`, flash: told('personChanged', person.name) }
}

export const peoplePages: readonly Page[] = [
  ...agencyPages('GET', '/people', 'owner', (visit) => peoplePage(visit)),
  ...agencyPages('POST', '/people/invite', 'owner', invite),
  ...agencyPages('POST', '/people/:person/link', 'owner', newLink),
  ...agencyPages('POST', '/people/:person/change', 'owner', change),
  personPage('POST', '/operator/agencies/:agency/people/:person/factor', 'operator', removeFactor),
  personPage('GET', '/operator/people', 'operator', (visit) => peoplePage(visit)),
  personPage('POST', '/operator/people/invite', 'operator', invite),
  personPage('POST', '/operator/people/:person/link', 'operator', newLink),
  personPage('POST', '/operator/people/:person/change', 'operator', change),
  personPage('POST', '/operator/people/:person/factor', 'operator', removeFactor),
]
