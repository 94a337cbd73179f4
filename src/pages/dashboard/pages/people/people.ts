/** The people of an agency, managed by its owners and by operators; or the operators, who manage each other. */
import { emailLength, nameLength } from '../../../../limits/sizes.ts'
import {
  type Account,
  findAccount,
  listAccounts,
  noSuchPerson,
} from '../../../../access/accounts/accounts.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { isUuid } from '../../../../platform/names/ids.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { selectField } from '../../../framework/fields.ts'
import { fieldForm, formField, hiddenField, notice, postForm } from '../../forms/forms.ts'
import { card, empty, linkButton, stateBadge } from '../../parts/page-parts.ts'
import { agoOrNever, type Column, muted, type TablePage } from '../../parts/tables.ts'
import { agenciesPath, type PersonRequest } from '../../serving/page.ts'

/** The people of an agency, or the operators if `agencyId` is null. */
type Group = Readonly<{ agencyId: string | null; path: string }>

export function groupOf(request: PersonRequest): Group {
  const { agency } = request
  return agency === null
    ? { agencyId: null, path: '/dashboard/operator' }
    : { agencyId: agency.id, path: agency.path }
}

/** The person that the path names, in this group. @throws ApiError 404 */
export async function personOf(db: Db | Tx, request: PersonRequest): Promise<Account> {
  const id = request.params['person'] ?? ''
  const person = isUuid(id) ? await findAccount(db, groupOf(request).agencyId, id) : null
  if (person === null) throw noSuchPerson()
  return person
}

export async function peopleTable(request: PersonRequest): Promise<TablePage<Account>> {
  const { t, deps } = request
  const texts = t.people
  const group = groupOf(request)
  const people = await listAccounts(deps.db, group.agencyId)
  const find = async () => ({ rows: people, foot: invitation(request, group) })
  const shared = {
    path: `${group.path}/people`,
    labels: { email: t.common.email, name: t.common.name },
    columns: columnsOf(request, group),
    find,
    none: empty('people', t.nav.people, texts.invite),
  }
  if (group.agencyId !== null)
    return {
      ...shared,
      title: t.nav.people,
      section: 'people',
      subtitle: texts.subtitle,
      actions: linkButton(request, `${group.path}/audit`, t.nav.audit, 'audit'),
    }
  const below = [[t.nav.agencies, agenciesPath]] as const
  return { ...shared, title: texts.operators, section: 'agencies', subtitle: texts.operatorsText, below }
}

function invitation(request: PersonRequest, group: Group): Html {
  const { t, deps, form } = request
  const texts = t.people
  const isAgency = group.agencyId !== null
  const roles = (['member', 'owner'] as const).map((role) => [role, t.roles[role]] as const)
  const fields = html`<div class="form-row form-row-3">
      ${formField(request, { name: 'email', label: t.common.email, type: 'email', required: true, maxlength: emailLength })}
      ${formField(request, { name: 'name', label: t.common.name, required: true, maxlength: nameLength })}
      ${isAgency && selectField({ name: 'role', label: texts.role, value: form.get('role') ?? 'member', choices: roles })}
    </div>
    ${isAgency && html`<p class="hint">${texts.rolesHint}</p>`}`
  return card(
    texts.invite,
    html`${deps.mailer === null && notice('info', texts.noMail)}
    ${fieldForm(request, `${group.path}/people/invite`, fields, texts.inviteNow)}`,
  )
}

function columnsOf(request: PersonRequest, group: Group): Column<Account>[] {
  const { t } = request
  const texts = t.people
  const isOwn = ({ id }: Account) => id === request.session.account.id
  return [
    {
      title: t.common.name,
      cell: (person) =>
        html`<p>
            <b class="strong">${person.name}</b>
            ${isOwn(person) && html`<span class="badge badge-info">${texts.you}</span>`}
          </p>
          <p class="small muted">${person.email}</p>`,
    },
    { title: texts.role, cell: ({ role }) => t.roles[role] },
    { title: t.common.status, cell: (person) => personStatus(request, person) },
    {
      title: texts.factor,
      cell: ({ has_second_factor: has }) =>
        has ? html`<span class="badge badge-good">${t.common.yes}</span>` : muted(t.common.no),
    },
    { title: texts.lastSignIn, cell: ({ signed_in_at: at }) => agoOrNever(request, at) },
    {
      title: t.common.actions,
      cell: (person) => !isOwn(person) && personActions(request, group, person),
      className: 'end',
      hidesTitle: true,
    },
  ]
}

function personStatus({ t }: PersonRequest, { disabled_at: disabledAt, has_accepted: accepted }: Account) {
  const texts = t.people
  if (disabledAt !== null) return stateBadge('bad', texts.disabled)
  return accepted ? stateBadge('good', t.common.active) : stateBadge('warn', texts.invited)
}

function personActions(request: PersonRequest, group: Group, person: Account): Html {
  const { t, session } = request
  const texts = t.people
  const path = `${group.path}/people/${person.id}`
  const button = (action: string, text: string, fields = nothing, look = '') =>
    postForm(
      request,
      `${path}/${action}`,
      html`${fields}<button class="button button-small button-wide ${look}">
          ${text}<span class="visually-hidden"> ${person.name}</span>
        </button>`,
    )
  if (person.disabled_at !== null) return button('change', texts.enable, hiddenField('disabled', 'no'))
  const isOperator = session.account.role === 'operator'
  return html`<details class="action">
    <summary class="button button-small">
      ${texts.manage}<span class="visually-hidden"> ${person.name}</span>
    </summary>
    <div class="action-body stack-s">
      ${linkButton(request, `${path}/sessions`, texts.sessions, undefined, 'button-small button-wide')}
      ${button('link', person.has_accepted ? texts.resetLink : texts.inviteAgain)}
      ${person.role === 'member' && button('change', texts.makeOwner, hiddenField('role', 'owner'))}
      ${person.role === 'owner' && button('change', texts.makeMember, hiddenField('role', 'member'))}
      ${isOperator && person.has_second_factor && button('factor', texts.removeFactor)}
      ${button('change', texts.disable, hiddenField('disabled', 'yes'), 'button-danger')}
    </div>
  </details>`
}

/** Tells members who the owners are, where only owners may make changes. Nothing for others. */
export async function ownersNote(request: PersonRequest): Promise<Html> {
  const { deps, session, t } = request
  if (session.account.role !== 'member') return nothing
  const people = await listAccounts(deps.db, session.account.agency_id)
  const owners = people.filter(
    ({ role, has_accepted: accepted, disabled_at: disabledAt }) =>
      role === 'owner' && accepted && disabledAt === null,
  )
  return html`<p class="small muted">${t.people.ownersMay(owners.map(({ name }) => name))}</p>`
}
