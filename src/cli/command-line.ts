/**
 * What is done on the command line is in the audit log, as what is done in the console: whoever has it is the operator, and the system
 * knows the user.
 */
import { userInfo } from 'node:os'
import { audit, type AuditAction } from '../accounts/audit.ts'
import { databaseClock } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'

/** Writes an entry. @param subject what was acted on, as people know it; never a secret */
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

/** A container may run as a user that has a number and no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
