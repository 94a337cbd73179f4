/** A note that tells members who the owners are, where only owners may make changes. */
import { listAccounts } from '../../access/accounts/accounts.ts'
import { html, type Html, nothing } from '../../platform/web/html.ts'
import type { PersonRequest } from './page.ts'

/** Nothing for owners and operators. */
export async function ownersNote(request: PersonRequest): Promise<Html> {
  const { deps, session, t } = request
  if (session.account.role !== 'member') return nothing
  const people = await listAccounts(deps.db, session.account.agency_id)
  const owners = people.filter(
    ({ role, has_password: accepted, disabled_at: disabledAt }) =>
      role === 'owner' && accepted && disabledAt === null,
  )
  return html`<p class="small muted">${t.people.ownersMay(owners.map(({ name }) => name))}</p>`
}
