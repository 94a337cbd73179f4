/**
 * Runs a write again until it has all that it needs from outside the database, such as photos and pins. These are fetched with no
 * transaction open: a run that requests something not fetched yet gets a stand-in and is rolled back. After the fetch, the write runs
 * again. So nothing is fetched for a write that would be refused.
 */
import type { Clock } from '../platform/time/clock.ts'
import { type Db, sqlState, violatedConstraint } from '../platform/db/database.ts'
import type { NamedRows, NamedStatements } from '../platform/db/statements/named-statements.ts'
import { ApiError } from '../platform/errors/errors.ts'
import type { DryRun } from './dry-run.ts'
import { type Locked, underLock } from './under-lock.ts'

/** Fetches what a write needs from outside the database. */
export type Outside = {
  /** Forgets the requests of an earlier run. */
  begin(): void
  /** Whether the run requested something not fetched yet, and got a stand-in. */
  isIncomplete(): boolean
  /** Fetches what the run requested. */
  fetch(): Promise<void>
  /** Deletes stored photos that no listing uses. */
  discard(): Promise<void>
  /** Discards, and forgets everything, so that it is fetched again. */
  restart(): Promise<void>
}

type WriteOptions<First extends NamedStatements> = {
  outside: Outside
  /** Statements sent in one packet with the lock. They run once it is held. */
  first: First
  /** The notes of a dry run, which is rolled back in any case. */
  dryRun?: DryRun | null
}

/** The data fetched for the write no longer fits the database: the write starts over. */
export class StaleWrite extends Error {
  override readonly name = 'StaleWrite'
}

const maxStale = 3
/** Each item of a batch may need a run of its own: one that fails changes what later ones need. */
const maxRuns = 60

/**
 * Runs the write, each time in a transaction under the agency's lock. The run that has everything commits.
 * @param run receives the rows of `first`. It may run several times, so it changes nothing but the database and the notes of the dry run
 * @throws ApiError what `run` throws; `service_unavailable` if the write has to start over too often
 */
export async function runUntilComplete<T, First extends NamedStatements>(
  { db, clock }: { db: Db; clock: Clock },
  agencyId: string,
  { outside, first, dryRun = null }: WriteOptions<First>,
  run: (locked: Locked, rows: NamedRows<First>) => Promise<T>,
): Promise<T> {
  let stale = 0
  let cause: unknown
  const willCommit = () => dryRun === null && !outside.isIncomplete()
  try {
    for (let runs = 0; runs < maxRuns && stale < maxStale; runs += 1) {
      outside.begin()
      dryRun?.begin()
      try {
        const result = await underLock(db, agencyId, clock, run, { first, willCommit })
        if (!outside.isIncomplete()) return result
      } catch (error) {
        if (!isStale(error)) throw error
        cause = error
        stale += 1
        await outside.restart()
        continue
      }
      await outside.fetch()
    }
  } finally {
    await outside.discard()
  }
  throw new ApiError('service_unavailable', {
    message: 'The listing kept changing while the request was prepared. Send it again.',
    retryAfter: 1,
    cause,
  })
}

/** Whether to start over. Also if a random public id is taken (once in a billion), or Citus moved the agency to another node (40001). */
function isStale(error: unknown): boolean {
  return (
    error instanceof StaleWrite ||
    violatedConstraint(error) === 'properties_agency_public_id_key' ||
    sqlState(error) === '40001'
  )
}
