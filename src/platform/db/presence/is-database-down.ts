/**
 * Decides whether the database caused an error, so that a retry will probably succeed: a refused or lost connection, a transaction idle for
 * too long (25P03), a server that is starting up, shutting down, full or away, a failing disk (58030 or a PANIC), a lock timeout, a
 * deadlock or a serialization failure.
 */
import pg from 'pg'
import { DatabaseAway } from './presence.ts'

const unreachable: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH EAI_AGAIN ENOENT ENOTFOUND EPIPE ETIMEDOUT'.split(' '),
)

export function isDatabaseDown(thrown: unknown): boolean {
  if (thrown instanceof pg.DatabaseError) {
    const { code = '', severity, file } = thrown
    // The storage layer reports a read-only file system as a missing permission.
    const isReadOnlyDisk = code === '42501' && file === 'md.c'
    return severity === 'PANIC' || isReadOnlyDisk || /^(08|25P03|40001|40P01|55P03|57P0|53|58030)/.test(code)
  }
  if (thrown instanceof DatabaseAway) return true
  if (!(thrown instanceof Error)) return false
  // A host name with several IPs gives one error for each IP.
  if (thrown instanceof AggregateError) return thrown.errors.some(isDatabaseDown)
  const { code } = thrown as NodeJS.ErrnoException
  if (code !== undefined && unreachable.has(code)) {
    return 'syscall' in thrown && /connect|read|write|getaddrinfo/.test(String(thrown.syscall))
  }
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed/.test(
    thrown.message,
  )
}
