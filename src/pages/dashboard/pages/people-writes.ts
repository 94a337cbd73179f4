/**
 * Changes to people by owners and operators: invite, send another link, change the role, disable, remove the second factor.
 */
import { inTransaction } from '../../../platform/db/transaction.ts'
import {
  type Account,
  canonicalEmail,
  changeAccount,
  createAccount,
  emailTaken,
  findAccount,
  findAccountByEmail,
  noSuchPerson,
  type Role,
} from '../../../access/accounts/accounts.ts'
import { takeInvitation } from '../../../access/accounts/attempts.ts'
import { notifyAccount } from '../../../access/accounts/notices.ts'
import { removeSecondFactor } from '../../../access/accounts/second-factor.ts'
import { endSessions } from '../../../access/accounts/sessions.ts'
import { invalid } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import { html } from '../../../platform/web/html.ts'
import { checkPersonName } from '../../../platform/plain-name.ts'
import { accountDeps, note } from '../actor.ts'
import { failed, succeeded } from '../flash.ts'
import { copyButton, notice } from '../forms.ts'
import { pageHead, sectionOf } from '../page-parts.ts'
import { type LinkDelivery, deliverLink } from '../../../delivery/mails/link-mails.ts'
import { limitedOr, refusalText } from '../problems.ts'
import {
  agencyPages,
  operatorAgencyPage,
  type Page,
  type PageAnswer,
  personPage,
  type Signed,
} from '../visit.ts'
import { type Group, groupOf, peoplePage } from './people.ts'

/** The link itself, where it was not mailed. */
function linkPage(visit: Signed, group: Group, account: Account, { outcome, url }: LinkDelivery): PageAnswer {
  const { t, base } = visit
  const texts = t.people
  return {
    title: texts.linkTitle,
    section: group.agencyId === null ? 'agencies' : sectionOf(visit, 'people'),
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

/** The person that the path names, in this group. @throws ApiError 404 */
async function personOf(visit: Signed): Promise<Account> {
  const id = visit.params['person'] ?? ''
  const person = isUuid(id) ? await findAccount(visit.deps.db, groupOf(visit).agencyId, id) : null
  if (person === null) throw noSuchPerson()
  return person
}

async function invite(visit: Signed): Promise<PageAnswer> {
  const { deps, form } = visit
  const group = groupOf(visit)
  const wanted = form.get('role') ?? ''
  if (group.agencyId !== null && wanted !== 'owner' && wanted !== 'member')
    throw invalid('role', 'There is no such role.')
  const role: Role = group.agencyId === null ? 'operator' : (wanted as Role)
  try {
    const email = canonicalEmail(form.get('email') ?? '')
    const name = checkPersonName(form.get('name') ?? '')
    const conceals = visit.session.account.role !== 'operator'
    const known = await findAccountByEmail(deps.db, email)
    // Before the limit is charged: no mail goes out.
    if (known !== null && (known.agency_id === group.agencyId || !conceals)) throw emailTaken(email)
    await takeMail(visit, group, email)
    const input = { email, name, agencyId: group.agencyId, role, conceals }
    const account = await inTransaction(deps.db, async (tx) => {
      const made = await createAccount(tx, input, deps.clock)
      await note(tx, visit, 'person_invited', group.agencyId, made.email, { role })
      return made
    })
    return await handOver(visit, group, account, 'invitation')
  } catch (error) {
    return await peoplePage(visit, limitedOr(visit, error, '', visit.t.people.tooMany))
  }
}

/** Counts a mail that someone at an agency triggers. @throws ApiError `rate_limited` */
async function takeMail(visit: Signed, { agencyId }: Group, email: string): Promise<void> {
  if (visit.session.account.role === 'operator') return
  await takeInvitation(accountDeps(visit), agencyId, email)
}

async function handOver(
  visit: Signed,
  group: Group,
  account: Account,
  purpose: 'invitation' | 'reset',
): Promise<PageAnswer> {
  const delivery = await deliverLink(visit.deps, account, purpose)
  if (delivery.outcome !== 'sent') return linkPage(visit, group, account, delivery)
  return { to: `${group.path}/people`, flash: succeeded('linkSent', account.email) }
}

async function newLink(visit: Signed): Promise<PageAnswer> {
  const group = groupOf(visit)
  const person = await personOf(visit)
  if (person.disabled_at !== null) return { to: `${group.path}/people` }
  try {
    await takeMail(visit, group, person.email)
  } catch (error) {
    return await peoplePage(visit, limitedOr(visit, error, '', visit.t.people.tooMany))
  }
  await note(visit.deps.db, visit, 'person_link_made', group.agencyId, person.email)
  return await handOver(visit, group, person, person.has_password ? 'reset' : 'invitation')
}

/** The message on the next page. */
const outcomes = {
  owner: 'personOwner',
  member: 'personMember',
  disabled: 'personDisabled',
  enabled: 'personEnabled',
} as const

async function change(visit: Signed): Promise<PageAnswer> {
  const { deps, form, session } = visit
  const group = groupOf(visit)
  const person = await personOf(visit)
  const to = `${group.path}/people`
  // Nobody may lock themselves out by mistake.
  if (person.id === session.account.id) return { to, flash: failed('refused', visit.t.people.notYourself) }
  const role = form.get('role')
  const disabled = form.get('disabled')
  const isRole = group.agencyId !== null && (role === 'owner' || role === 'member')
  const newRole = isRole ? (role as 'owner' | 'member') : null
  if (newRole === null && disabled !== 'yes' && disabled !== 'no') return { to }
  try {
    await inTransaction(deps.db, async (tx) => {
      const wanted = newRole === null ? { disabled: disabled === 'yes' } : { role: newRole }
      await changeAccount(tx, group.agencyId, person.id, wanted, deps.clock)
      const switched = disabled === 'yes' ? 'person_disabled' : 'person_enabled'
      const done = newRole === null ? switched : 'person_role_changed'
      await note(tx, visit, done, group.agencyId, person.email, newRole === null ? {} : { role: newRole })
    })
    return {
      to,
      flash: succeeded(outcomes[newRole ?? (disabled === 'yes' ? 'disabled' : 'enabled')], person.name),
    }
  } catch (error) {
    return { to, flash: failed('refused', refusalText(visit, error)) }
  }
}

/** For a person who lost phone and recovery codes. Only operators may, and every session ends. */
async function removeFactor(visit: Signed): Promise<PageAnswer> {
  const group = groupOf(visit)
  const person = await personOf(visit)
  const { db, clock } = visit.deps
  await inTransaction(db, async (tx) => {
    await removeSecondFactor(tx, person.id)
    await endSessions(tx, person.id, null)
    await note(tx, visit, 'person_factor_removed', group.agencyId, person.email)
    const by = visit.session.account.name
    if (person.has_second_factor) await notifyAccount(tx, person.id, { kind: 'factor_off', by }, clock)
  })
  return { to: `${group.path}/people`, flash: succeeded('personFactorRemoved', person.name) }
}

export const peoplePages: readonly Page[] = [
  ...agencyPages('GET', '/people', 'owner', (visit) => peoplePage(visit)),
  ...agencyPages('POST', '/people/invite', 'owner', invite),
  ...agencyPages('POST', '/people/:person/link', 'owner', newLink),
  ...agencyPages('POST', '/people/:person/change', 'owner', change),
  operatorAgencyPage('POST', '/people/:person/factor', removeFactor),
  personPage('GET', '/operator/people', 'operator', (visit) => peoplePage(visit)),
  personPage('POST', '/operator/people/invite', 'operator', invite),
  personPage('POST', '/operator/people/:person/link', 'operator', newLink),
  personPage('POST', '/operator/people/:person/change', 'operator', change),
  personPage('POST', '/operator/people/:person/factor', 'operator', removeFactor),
]
