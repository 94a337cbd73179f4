/**
 * Records command line actions in the audit log, like those of the console. Anyone with command line access is the operator; the
 * entry names the system's user.
 */
import { userInfo } from 'node:os'
import { audit, type AuditAction } from '../../access/accounts/audit.ts'
import { databaseClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'

/** Writes an entry. @param subject in readable form; never a secret */
export async function noteHere(
  db: Db | Tx,
  action: AuditAction,
  agencyId: string | null,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const by = { kind: 'system', id: null, name: `command line (${systemUser()})`, requestId: null } as const
  await audit(db, by, { action, agencyId, subject, details }, databaseClock)
}

/** In a container the user may have a number but no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
