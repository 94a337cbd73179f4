/** Changes to people by owners and operators: invite, send another link, change the role, disable, remove the second factor. */
import {
  type Account,
  canonicalEmail,
  changeAccount,
  createAccount,
  emailTaken,
  findAccountByEmail,
  type Role,
} from '../../../../access/accounts/accounts.ts'
import { takeInvitation } from '../../../../access/accounts/person-limits.ts'
import { notifyAccount } from '../../../../access/accounts/mails/notices.ts'
import { removeSecondFactor } from '../../../../access/accounts/sign-in/second-factor.ts'
import { endSessions } from '../../../../access/accounts/sign-in/sessions.ts'
import { type LinkDelivery, prepareLink } from '../../../../delivery/mails/link-mails.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { inTransaction } from '../../../../platform/db/statements/transaction.ts'
import { invalid } from '../../../../platform/errors/errors.ts'
import { checkPersonName } from '../../../../platform/names/plain-name.ts'
import { html } from '../../../../platform/web/html.ts'
import { auditPerson } from '../../actor.ts'
import { failed, succeeded } from '../../serving/flash.ts'
import { formHandler, inOneTransaction } from '../../forms/form-handlers.ts'
import { copyButton, notice } from '../../forms/forms.ts'
import { framed, linkButton } from '../../parts/page-parts.ts'
import { limitedOr, refusalText } from '../../forms/problems.ts'
import { agencyPages, operatorAgencyPage, personPage, type PersonRequest } from '../../serving/page.ts'
import { groupOf, peopleTable, personOf } from './people.ts'
import { tablePage } from '../../parts/tables.ts'

async function peoplePage(request: PersonRequest) {
  return tablePage(request, await peopleTable(request))
}

/** Shows the link, because it was not mailed. */
function unsentLinkPage(request: PersonRequest, { email }: Account, { outcome, url }: LinkDelivery) {
  const { t } = request
  const texts = t.people
  const { agencyId, path } = groupOf(request)
  return framed(
    request,
    { title: texts.linkTitle, section: agencyId === null ? 'agencies' : 'people' },
    html`<div class="card stack">
      ${notice('warn', (outcome === 'waits' ? texts.linkWaits : texts.linkText)(email))}
      <code class="code secret" id="the-link">${url}</code>
      <div class="form-actions">
        ${copyButton(request, 'the-link')}${linkButton(request, `${path}/people`, texts.linkDone, undefined, 'button-primary')}
      </div>
    </div>`,
  )
}

async function invite(request: PersonRequest) {
  const { deps, form, session } = request
  const { agencyId } = groupOf(request)
  const wanted = form.get('role') ?? ''
  if (agencyId !== null && wanted !== 'owner' && wanted !== 'member')
    throw invalid('role', 'There is no such role.')
  const role: Role = agencyId === null ? 'operator' : (wanted as Role)
  const email = canonicalEmail(form.get('email') ?? '')
  const name = checkPersonName(form.get('name') ?? '')
  const conceals = session.account.role !== 'operator'
  const known = await findAccountByEmail(deps.db, email)
  // Before the limit is charged, because no mail is sent.
  if (known !== null && (known.agency_id === agencyId || !conceals)) throw emailTaken(email)
  await takeMail(request, email)
  const { made, mail } = await inTransaction(deps.db, async (tx) => {
    const made = await createAccount(tx, { email, name, agencyId, role, conceals }, deps.clock)
    await auditPerson(tx, request, 'person_invited', made, { role })
    return { made, mail: await prepareLink(tx, deps, made, 'invitation') }
  })
  return handOver(request, made, await mail())
}

/** Counts a mail that someone at an agency triggers. @throws ApiError `rate_limited` */
async function takeMail(request: PersonRequest, email: string): Promise<void> {
  if (request.session.account.role === 'operator') return
  const { deps } = request
  const { agencyId } = groupOf(request)
  await inTransaction(deps.db, (tx) => takeInvitation(tx, agencyId, email, deps))
}

function handOver(request: PersonRequest, account: Account, delivery: LinkDelivery) {
  if (delivery.outcome !== 'sent') return unsentLinkPage(request, account, delivery)
  return { to: `${groupOf(request).path}/people`, flash: succeeded('linkSent', account.email) }
}

async function newLink(request: PersonRequest) {
  const { deps } = request
  const person = await personOf(deps.db, request)
  if (person.disabled_at !== null) return { to: `${groupOf(request).path}/people` }
  await takeMail(request, person.email)
  const mail = await inTransaction(deps.db, async (tx) => {
    await auditPerson(tx, request, 'person_link_made', person)
    return await prepareLink(tx, deps, person, person.has_accepted ? 'reset' : 'invitation')
  })
  return handOver(request, person, await mail())
}

/** The changes that the form offers, with their entry in the audit log and the message on the next page. */
const changes = {
  'role=owner': { change: { role: 'owner' }, action: 'person_role_changed', flash: 'personOwner' },
  'role=member': { change: { role: 'member' }, action: 'person_role_changed', flash: 'personMember' },
  'disabled=yes': { change: { disabled: true }, action: 'person_disabled', flash: 'personDisabled' },
  'disabled=no': { change: { disabled: false }, action: 'person_enabled', flash: 'personEnabled' },
} as const

async function change(request: PersonRequest) {
  const { deps, form, session } = request
  const { agencyId, path } = groupOf(request)
  const person = await personOf(deps.db, request)
  const to = `${path}/people`
  // Nobody may lock themselves out by mistake.
  if (person.id === session.account.id) return { to, flash: failed('refused', request.t.people.notYourself) }
  // Operators have one role.
  const field = agencyId !== null && form.has('role') ? 'role' : 'disabled'
  const wanted = `${field}=${form.get(field)}`
  if (!Object.hasOwn(changes, wanted)) return { to }
  const { change: changed, action, flash } = changes[wanted as keyof typeof changes]
  try {
    await inTransaction(deps.db, async (tx) => {
      await changeAccount(tx, agencyId, person.id, changed, deps.clock)
      await auditPerson(tx, request, action, person, 'role' in changed ? changed : {})
    })
    return { to, flash: succeeded(flash, person.name) }
  } catch (error) {
    return { to, flash: failed('refused', refusalText(request, error)) }
  }
}

/** For a person who lost the phone and the recovery codes. Only operators may do this, and every session ends. */
async function removeFactor(request: PersonRequest, tx: Tx) {
  const person = await personOf(tx, request)
  await removeSecondFactor(tx, person.id)
  await endSessions(tx, person.id, null)
  await auditPerson(tx, request, 'person_factor_removed', person)
  const by = request.session.account.name
  if (person.has_second_factor)
    await notifyAccount(tx, person.id, { kind: 'factor_off', by }, request.deps.clock)
  return { to: `${groupOf(request).path}/people`, flash: succeeded('personFactorRemoved', person.name) }
}

const mailing = (save: typeof invite | typeof newLink) =>
  formHandler(save, peoplePage, (request, error) => limitedOr(request, error, '', request.t.people.tooMany))

/** The forms that owners and operators have. */
const forms = { invite: mailing(invite), ':person/link': mailing(newLink), ':person/change': change }

export const peoplePages = [
  ...agencyPages('GET', '/people', 'owner', peoplePage),
  personPage('GET', '/operator/people', 'operator', peoplePage),
  ...Object.entries(forms).flatMap(([path, handle]) => [
    ...agencyPages('POST', `/people/${path}`, 'owner', handle),
    personPage('POST', `/operator/people/${path}`, 'operator', handle),
  ]),
  operatorAgencyPage('POST', '/people/:person/factor', inOneTransaction(removeFactor)),
  personPage('POST', '/operator/people/:person/factor', 'operator', inOneTransaction(removeFactor)),
]
