/**
 * Who acts on the command line, as the audit log and mails name them: whoever has it is the operator, and the system knows the user.
 */
import { userInfo } from 'node:os'
import type { Auditor } from '../accounts/audit.ts'

export function commandLine(): Auditor {
  return { kind: 'system', id: null, name: `command line (${systemUser()})`, requestId: null }
}

/** A container may run as a user that has a number and no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
