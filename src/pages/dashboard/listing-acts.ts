/** Changes of listings by the buttons of pages. */
import type { AuditAction } from '../../access/accounts/audit.ts'
import { type Act, actOnListing } from '../../listings/act.ts'
import type { Listing } from '../../listings/listing.ts'
import { html, type Html, type Piece } from '../../platform/web/html.ts'
import { authorOf, domainDeps, note } from './actor.ts'
import { postForm } from './forms.ts'
import { versionOf } from './requested-listing.ts'
import type { AgencyRequest } from './page.ts'

/** A form of one button. @param fields hidden @param kind further classes of the button */
export function buttonForm(
  request: AgencyRequest,
  path: string,
  fields: Readonly<Record<string, string | number>>,
  label: Piece,
  kind = '',
): Html {
  return postForm(
    request,
    path,
    html`${Object.entries(fields).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}<button class="button ${kind}">${label}</button>`,
  )
}

/** Notes an operator's change in the audit log, once it has committed. If that fails, only the listing's history has the change. */
export async function noteByOperator(
  request: AgencyRequest,
  action: AuditAction,
  { public_id: code }: Pick<Listing, 'public_id'>,
  details: Record<string, unknown> = {},
): Promise<void> {
  if (request.session.account.role !== 'operator') return
  await note(request.deps.db, request, action, request.agency.realId, code, details)
}

/** @param version the one that the person saw, if the form names it; otherwise any version is changed */
export async function changeListing(
  request: AgencyRequest,
  { id }: Pick<Listing, 'id'>,
  act: Act,
  action: AuditAction,
  version = request.form.has('version') ? versionOf(request) : null,
): Promise<Listing> {
  const listing = await actOnListing(
    domainDeps(request),
    request.agency.id,
    id,
    version,
    authorOf(request),
    act,
  )
  await noteByOperator(request, action, listing)
  return listing
}
