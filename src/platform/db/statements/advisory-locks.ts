/**
 * The service's advisory locks of PostgreSQL. Each has a number of its own, arbitrary but the same in all versions. They are held until the
 * transaction ends, so they also work behind a pooler.
 */
import { statement } from './statement.ts'

const numbers = {
  schemaChange: 7_265_838_841_105,
  migrationOutsideTransaction: 7_265_838_841_106,
  auditChain: 7_265_838_841_107,
  restore: 7_265_838_841_108,
  routineBackup: 7_265_838_841_109,
} as const

type LockName = keyof typeof numbers

/** Waits until the lock is free, and takes it. */
export const advisoryLock = (name: LockName) => statement(`select pg_advisory_xact_lock(${numbers[name]})`)

/** Takes the lock if it is free. */
export const tryAdvisoryLock = (name: LockName) =>
  statement<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${numbers[name]}) as taken`)
