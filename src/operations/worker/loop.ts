/** A loop that runs chores in turn, a batch of each, and sleeps when nothing is due. */
import { untilNextLook } from '../../platform/db/next-look.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../deps.ts'
import { choreFailures } from '../../platform/figures.ts'

export type Chore = Readonly<{
  /** For logs and metrics. */
  name: string
  /** Handles up to `limit` rows and returns their number. A long chore checks `goesOn`. */
  run: (deps: Deps, limit: number, goesOn: () => boolean) => Promise<number>
  /** Whether Citus distributes its rows: then it runs for each node, so that a node that is down delays only its own. */
  isOfAgencies?: boolean
}>

export type Worker = { stop(): Promise<void> }

/** A chore and its database. */
type Task = { chore: Chore; db: Db }

/** Runs at once and then at intervals. `stop` waits for the current round. */
export function startLoop(deps: Deps, chores: readonly Chore[], atATime: number, everyMs: number): Worker {
  let stopped = false
  let wake = (): void => {}
  const goesOn = (): boolean => !stopped
  /** The chores that failed last time, by database: a failure is logged once. */
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
      // A node that is down was logged once, for all chores (presence.ts).
      if (told?.has(db) === false && !(db !== deps.db && db.isAway()))
        deps.log.warn({ err: error, chore: chore.name }, 'a background chore failed; it is retried soon')
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
    // A batch each, so that a chore with much work delays no other.
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
