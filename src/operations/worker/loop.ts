/**
 * A loop that runs chores in turn, a portion of each, and rests when nothing is due.
 */
import { untilNextLook } from '../../platform/db/next-look.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../deps.ts'
import { choreFailures } from '../../platform/figures.ts'

export type Chore = Readonly<{
  /** For logs and metrics. */
  name: string
  /** Handles up to `limit` and returns how many there were. A long one asks `goesOn`. */
  run: (deps: Deps, limit: number, goesOn: () => boolean) => Promise<number>
  /** Whether its rows are spread over the nodes of Citus: there it runs for each node, so that one that is away delays no other's. */
  isOfAgencies?: boolean
}>

export type Worker = { stop(): Promise<void> }

/** A chore, and the database it is run on. */
type Task = { chore: Chore; db: Db }

/** Runs at once and then at intervals. `stop` waits for the round that runs. */
export function startLoop(deps: Deps, chores: readonly Chore[], atATime: number, everyMs: number): Worker {
  let stopped = false
  let wake = (): void => {}
  const goesOn = (): boolean => !stopped
  /** Those that failed last time, by database: it is told once. */
  const failing = new Map<Chore, WeakSet<Db>>(chores.map((chore) => [chore, new WeakSet()]))

  /** @returns whether more is due at once. Never rejects: a chore that fails delays no other. */
  const portion = async ({ chore, db }: Task): Promise<boolean> => {
    const told = failing.get(chore)
    try {
      const count = await chore.run({ ...deps, db, photos: { ...deps.photos, db } }, atATime, goesOn)
      told?.delete(db)
      return count === atATime
    } catch (error) {
      choreFailures.add(chore.name)
      // A node that is away was told once, for all chores (presence.ts).
      if (told?.has(db) === false && !(db !== deps.db && db.isAway()))
        deps.log.warn(
          { err: error, chore: chore.name },
          'a chore of the worker failed; it is tried again soon',
        )
      told?.add(db)
      return false
    }
  }
  const tasks = async (): Promise<Task[]> => {
    const nodes = await deps.db.nodes().catch(() => [])
    return chores.flatMap((chore) =>
      (chore.isOfAgencies === true ? nodes : [deps.db]).map((db) => ({ chore, db })),
    )
  }
  const round = async (): Promise<void> => {
    // A portion each, so that a chore with much to do delays no other.
    for (let left = await tasks(); left.length > 0;) {
      const more: Task[] = []
      for (const task of left) if (goesOn() && (await portion(task))) more.push(task)
      left = more
    }
  }
  const rest = async (): Promise<void> => {
    const waitMs = await untilNextLook(deps.db, deps.clock, chores[0]?.name ?? '', everyMs)
    if (stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
  const running = (async () => {
    while (!stopped) {
      await round()
      if (!stopped) await rest()
    }
  })()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
