/**
 * A loop that runs chores in turn, a portion of each, and rests when nothing is due.
 */
import type { Deps } from '../deps.ts'
import { choreFailures } from '../figures.ts'

/** Handles up to `limit` and returns how many there were. A long one asks `goesOn`. The name is for logs and metrics. */
export type Chore = Readonly<{
  name: string
  run: (deps: Deps, limit: number, goesOn: () => boolean) => Promise<number>
}>

export type Worker = { stop(): Promise<void> }

/** Runs at once and then at intervals. `stop` waits for the round that runs. */
export function startLoop(deps: Deps, chores: readonly Chore[], atATime: number, everyMs: number): Worker {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const goesOn = (): boolean => !stopped

  /** @returns whether more is due at once. Never rejects: a chore that fails delays no other. */
  const portion = async ({ name, run }: Chore): Promise<boolean> => {
    try {
      return (await run(deps, atATime, goesOn)) === atATime
    } catch (error) {
      choreFailures.add(name)
      deps.log.warn({ err: error, chore: name }, 'a chore of the worker failed; it is tried again soon')
      return false
    }
  }
  const round = async (): Promise<void> => {
    // A portion each, so that a chore with much to do delays no other.
    for (let left = chores; left.length > 0;) {
      const more: Chore[] = []
      for (const chore of left) if (goesOn() && (await portion(chore))) more.push(chore)
      left = more
    }
    if (!stopped) timer = setTimeout(start, everyMs)
  }
  const start = (): void => {
    running = round()
  }
  start()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
