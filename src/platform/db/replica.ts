/**
 * Reads from a replica (DATABASE_READ_URL), which always lags a little. Admission reads the agency's revision from the primary, and a
 * replica answers only if it has reached that revision. So a request sees every write that was committed before it arrived, its own
 * client's and others'. See docs/adr/0013-reads-from-replicas-by-revision.md.
 */
import { inTime } from '../time/clock.ts'
import { boundedMap, remembering } from '../memory/bounded-map.ts'
import { type Db, isOfStatement } from './database.ts'
import { type Executor, nameOf, type Statement } from './statements/statement.ts'
import { messageOf } from '../errors/errors.ts'

/** An agency with the revision that the request saw. */
type AsOf = Readonly<{ id: string; revision: number }>

export type Replica = {
  /** Runs a read on the replica. @returns null if the primary has to run it */
  read<Row>(statement: Statement<Row>, agency: AsOf): Promise<Row[] | null>
  /** Outcomes of this process's reads. `rested`: the replica was skipped, because it had just failed or lagged. */
  counts: Readonly<{ answered: number; behind: number; failed: number; rested: number }>
  close(): Promise<void>
}

const usualTimes = {
  /** Timeout of a read. */
  limitMs: 500,
  /** After a failure or timeout: how long the replica is skipped. */
  pauseMs: 5_000,
  /** After it lagged: how long it is skipped for that agency. */
  behindPauseMs: 250,
}
const maxRemembered = 10_000

type Reached = { reached_revision: number; reached_row: true | null }

/**
 * @param db the replica's pool; `close` closes it
 * @param onPause called with the reason when the replica is skipped for a while
 */
export function openReplica(
  db: Db,
  onPause: (reason: string) => void = () => {},
  times: Readonly<typeof usualTimes> = usualTimes,
): Replica {
  const counts = { answered: 0, behind: 0, failed: 0, rested: 0 }
  let restsUntil = 0
  const behindUntil = boundedMap<string, number>({ max: maxRemembered })

  const rest = (reason: string): null => {
    counts.failed += 1
    restsUntil = performance.now() + times.pauseMs
    onPause(reason)
    return null
  }
  const leaveBehind = (agencyId: string): null => {
    counts.behind += 1
    behindUntil.set(agencyId, performance.now() + times.behindPauseMs)
    return null
  }

  return {
    counts,
    async read<Row>(statement: Statement<Row>, agency: AsOf): Promise<Row[] | null> {
      const now = performance.now()
      if (now < restsUntil || now < (behindUntil.get(agency.id) ?? 0)) {
        counts.rested += 1
        return null
      }
      let found: (Row & Reached)[] | 'slow'
      try {
        // Model cached-responses: read replica
        found = await inTime(times.limitMs, db.run(withRevision(statement)), 'slow' as const)
      } catch (error) {
        // An error of this statement alone: the replica may have cancelled it for replay. If the statement is wrong, the primary says so.
        if (isOfStatement(error)) {
          counts.failed += 1
          return null
        }
        return rest(messageOf(error))
      }
      if (found === 'slow') return rest(`no answer within ${times.limitMs} ms`)
      const reached = found[0]?.reached_revision
      if (reached === undefined || reached < agency.revision) return leaveBehind(agency.id)
      counts.answered += 1
      return found.filter(({ reached_row }) => reached_row === true)
    },
    close: () => db.destroy(),
  }
}

/**
 * Runs reads of an agency's listings on the replica if it can answer, else on the primary. The first parameter of each statement is the
 * agency's id.
 */
export function readFrom(deps: { db: Db; replica: Replica | null }, agency: AsOf): Executor {
  const { db, replica } = deps
  if (replica === null) return db
  return {
    // Model cached-responses: read primary
    run: async (statement) => (await replica.read(statement, agency)) ?? (await db.run(statement)),
  }
}

/**
 * Wraps the statement so that each row also has the agency's revision, from the same snapshot. Without rows, one row has the revision
 * alone. The order of rows stays: the left side of the join is a single row.
 */
function withRevision<Row>({ text, values, name }: Statement<Row>): Statement<Row & Reached> {
  return { ...(name === undefined ? { text: wrap(text) } : wrapNamed(text)), values }
}

function wrap(text: string): string {
  return `select reached.revision as reached_revision, found.*
      from (select revision from agency_revisions where agency_id = $1) reached
      left join lateral (select true as reached_row, original.* from (${text}) original) found on true`
}

/** More statements than are named. */
const wrapNamed = remembering(1_000, (text: string) => {
  const wrapped = wrap(text)
  return { text: wrapped, name: nameOf(wrapped) }
})
