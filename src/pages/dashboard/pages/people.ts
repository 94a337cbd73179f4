/**
 * The people of an agency, managed by its owners and by operators; and the operators, who manage each other.
 */
import { type Account, listAccounts } from '../../../access/accounts/accounts.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { inputField, selectField } from '../../framework/fields.ts'
import { notice, notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { icon } from '../../framework/icons.ts'
import { agencyCrumbs, pageHead, sectionOf } from '../page-parts.ts'
import { type Column, muted, table } from '../tables.ts'
import type { PageResponse, Signed } from '../visit.ts'

/** The people of an agency; with null, the operators. */
export type Group = Readonly<{ agencyId: string | null; name: string | null; path: string }>

export function groupOf(visit: Signed): Group {
  const { agency } = visit
  return agency === null
    ? { agencyId: null, name: null, path: '/dashboard/operator' }
    : { agencyId: agency.id, name: agency.name, path: agency.path }
}

export async function peoplePage(
  visit: Signed,
  { problems, status }: Refusal = notRefused,
): Promise<PageResponse> {
  const { t, deps, form } = visit
  const texts = t.people
  const group = groupOf(visit)
  const isAgency = group.agencyId !== null
  const people = await listAccounts(deps.db, group.agencyId)
  const title = isAgency ? t.nav.people : texts.operators
  return {
    title,
    section: isAgency ? sectionOf(visit, 'people') : 'agencies',
    status,
    body: html`${pageHead(visit, { title, subtitle: isAgency ? texts.subtitle : texts.operatorsText, actions: isAgency && html`<a class="button" href="${visit.base}${group.path}/audit">${icon('audit')}${t.nav.audit}</a>`, crumbs: isAgency ? agencyCrumbs(visit) : [[t.nav.agencies, '/dashboard/operator/agencies']] })}
      <div class="stack-l">
        ${problemSummary(visit, problems, { labels: { email: t.common.email, name: t.common.name } })}
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
      </div>`,
  }
}

function peopleTable(visit: Signed, group: Group, people: readonly Account[]): Html {
  const { t, format } = visit
  const texts = t.people
  const isOwn = ({ id }: Account) => id === visit.session.account.id
  const columns: Column<Account>[] = [
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
    { title: t.common.status, cell: (person) => personStatus(visit, person) },
    {
      title: texts.factor,
      cell: ({ has_second_factor: has }) =>
        has ? html`<span class="badge badge-good">${t.common.yes}</span>` : muted(t.common.no),
    },
    {
      title: texts.lastSignIn,
      cell: ({ signed_in_at: at }) => (at === null ? muted(t.common.never) : format.ago(at)),
    },
    {
      title: t.common.actions,
      cell: (person) => !isOwn(person) && personActions(visit, group, person),
      className: 'end',
      hidesTitle: true,
    },
  ]
  return table(columns, people, { caption: t.nav.people })
}

function personStatus({ t }: Signed, { disabled_at: disabledAt, has_password: accepted }: Account): Html {
  const texts = t.people
  if (disabledAt !== null) return html`<span class="badge badge-bad badge-dot">${texts.disabled}</span>`
  if (!accepted) return html`<span class="badge badge-warn badge-dot">${texts.invited}</span>`
  return html`<span class="badge badge-good badge-dot">${t.common.active}</span>`
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
