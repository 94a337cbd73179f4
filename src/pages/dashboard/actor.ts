/** The actor of a change, for histories and the audit log; and the dependencies of passkeys. */
import type { Account } from '../../access/accounts/accounts.ts'
import { audit, type AuditAction, type AuditActor } from '../../access/audit-log/entries.ts'
import type { PasskeyDeps } from '../../access/accounts/passkeys/webauthn.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import type { PersonRequest, PageRequest } from './serving/page.ts'

export function actorOf({ session, requestId }: PersonRequest): AuditActor {
  const { role, id, name } = session.account
  return { kind: role === 'operator' ? 'operator' : 'person', id, name, requestId }
}

/** Writes to the audit log. @param agencyId null if the entry concerns no agency */
export async function auditRequest(
  db: Db | Tx,
  request: PersonRequest,
  action: AuditAction,
  agencyId: string | null,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await audit(db, actorOf(request), { action, agencyId, subject, details }, request.deps.clock)
}

export async function auditPerson(
  db: Db | Tx,
  request: PersonRequest,
  action: AuditAction,
  { agency_id: agencyId, email }: Pick<Account, 'agency_id' | 'email'>,
  details?: Record<string, unknown>,
): Promise<void> {
  await auditRequest(db, request, action, agencyId, email, details)
}

/** @throws ApiError 404 where browsers offer no passkeys */
export function passkeyDeps({ deps }: Pick<PageRequest, 'deps'>): PasskeyDeps {
  const { relyingParty } = deps.config
  if (relyingParty === null)
    throw new ApiError('not_found', { message: 'Browsers offer no passkeys for this URL.' })
  return { ...deps, relyingParty }
}
