/**
 * Reads from a replica of the database (DATABASE_READ_URL), which is always a little behind. Whoever asks knows from admission, which
 * is asked of the primary, the revision that the agency has; a replica that has not reached it yet does not answer. So everybody reads
 * what he wrote, and what anybody had written when he asked. See docs/adr/0013-reads-from-replicas-by-revision.md.
 */
import { inTime } from '../clock.ts'
import { boundedMap } from '../memory/bounded-map.ts'
import type { Db } from './database.ts'
import { DatabaseAway } from './presence.ts'
import { type Executor, nameOf, type Statement } from './statement.ts'

/** An agency as whoever asks knows it. */
type AsOf = Readonly<{ id: string; revision: number }>

export type Replica = {
  /** Runs a statement there. @returns null when the primary has to be asked */
  ask<Row>(statement: Statement<Row>, agency: AsOf): Promise<Row[] | null>
  /** What became of the reads of this process; `rested`: it was not asked, because it had failed or been behind a moment before. */
  counts: Readonly<{ answered: number; behind: number; failed: number; rested: number }>
  close(): Promise<void>
}

type ReplicaTimes = Readonly<{
  /** How long it has for an answer. */
  limitMs: number
  /** It failed, or took too long: how long nobody asks it. */
  pauseMs: number
  /** It was behind: how long nobody asks it for listings of that agency. */
  behindPauseMs: number
}>

const usualTimes: ReplicaTimes = { limitMs: 500, pauseMs: 5_000, behindPauseMs: 250 }
const mostRemembered = 10_000

type Reached = { reached_revision: number; reached_row: true | null }

/**
 * @param db the pool to the replica, closed with it
 * @param tell hears why it is left alone for a while
 */
export function openReplica(
  db: Db,
  tell: (reason: string) => void = () => {},
  times: ReplicaTimes = usualTimes,
): Replica {
  const counts = { answered: 0, behind: 0, failed: 0, rested: 0 }
  let restsUntil = 0
  const behindUntil = boundedMap<string, number>({ most: mostRemembered })

  const rest = (reason: string): null => {
    counts.failed += 1
    restsUntil = performance.now() + times.pauseMs
    tell(reason)
    return null
  }
  const leaveBehind = (agencyId: string): null => {
    counts.behind += 1
    behindUntil.set(agencyId, performance.now() + times.behindPauseMs)
    return null
  }

  return {
    counts,
    async ask<Row>(statement: Statement<Row>, agency: AsOf): Promise<Row[] | null> {
      const now = performance.now()
      if (now < restsUntil || now < (behindUntil.get(agency.id) ?? 0)) {
        counts.rested += 1
        return null
      }
      let found: (Row & Reached)[] | 'slow'
      try {
        found = await inTime(times.limitMs, db.run(withRevision(statement)), 'slow' as const)
      } catch (error) {
        // The statement's own fault the primary tells; a replica cancels some, in the way of what it replays.
        if (!(error instanceof DatabaseAway) && isAnswered(error)) {
          counts.failed += 1
          return null
        }
        return rest(error instanceof Error ? error.message : String(error))
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
 * Where statements about listings of an agency are read: on the replica as far as it can answer, else on the primary. The first
 * parameter of each is the agency.
 */
export function readFrom(deps: { db: Db; replica: Replica | null }, agency: AsOf): Executor {
  const { db, replica } = deps
  if (replica === null) return db
  return {
    run: async (statement) => (await replica.ask(statement, agency)) ?? (await db.run(statement)),
  }
}

/** Hot statements by name, as the replica is asked them. */
const known = new Map<string, { text: string; name: string }>()

/**
 * The statement, with the agency's revision beside each of its rows, of the same snapshot; without rows, beside none. What it orders
 * stays in order: there is one row to join it with.
 */
function withRevision<Row>({ text, values, name }: Statement<Row>): Statement<Row & Reached> {
  const seen = name === undefined ? undefined : known.get(name)
  if (seen !== undefined) return { ...seen, values }
  const wrapped = `select reached.revision as reached_revision, found.*
      from (select revision from agency_revisions where agency_id = $1) reached
      left join lateral (select true as reached_row, asked.* from (${text}) asked) found on true`
  if (name === undefined) return { text: wrapped, values }
  const named = { text: wrapped, name: nameOf(wrapped) }
  known.set(name, named)
  return { ...named, values }
}

/** Whether it has the form of PostgreSQL's own, said of the statement and not of the connection. */
function isAnswered(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && severity === 'ERROR'
}
