/** Changes of listings by the buttons of pages. */
import type { AuditAction } from '../../access/accounts/audit.ts'
import { type Act, actOnListing } from '../../listings/act.ts'
import type { Listing } from '../../listings/listing.ts'
import { html, type Html, type Piece } from '../../platform/web/html.ts'
import { authorOf, domainDeps, note } from './actor.ts'
import { postForm } from './forms.ts'
import { versionOf } from './requested-listing.ts'
import type { AgencyVisit } from './visit.ts'

/** A form of one button. @param fields hidden @param kind further classes of the button */
export function buttonForm(
  visit: AgencyVisit,
  path: string,
  fields: Readonly<Record<string, string | number>>,
  label: Piece,
  kind = '',
): Html {
  return postForm(
    visit,
    path,
    html`${Object.entries(fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}<button class="button ${kind}">${label}</button>`,
  )
}

/** Notes an operator's change in the audit log, once it has committed. If that fails, only the listing's history has the change. */
export async function noteByOperator(
  visit: AgencyVisit,
  action: AuditAction,
  { public_id: code }: Pick<Listing, 'public_id'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (visit.session.account.role !== 'operator') return
  await note(visit.deps.db, visit, action, visit.agency.realId, code, details)
}

/** @param version the one that the person saw, if the form names it; otherwise any version is changed */
export async function changeListing(
  visit: AgencyVisit,
  { id }: Pick<Listing, 'id'>,
  act: Act,
  action: AuditAction,
  version = visit.form.has('version') ? versionOf(visit) : null,
): Promise<Listing> {
  const listing = await actOnListing(domainDeps(visit), visit.agency.id, id, version, authorOf(visit), act)
  await noteByOperator(visit, action, listing)
  return listing
}
