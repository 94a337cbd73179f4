/**
 * What goes on beside requests: what has served its time is deleted. In the server's process.
 */
import type { Deps } from './deps.ts'
import { reapIdempotencyKeys } from './http/idempotency.ts'
import { reapSignatures } from './http/signature.ts'
import { reapKeyless } from './limits/keyless.ts'
import { reapPhotos } from './photos/reap.ts'

const intervalMs = 60_000
const atATime = 100

/** Each deletes up to so many and tells how many it found. */
const reapers: readonly ((deps: Deps, limit: number) => Promise<number>)[] = [
  ({ photos }, limit) => reapPhotos(photos, limit),
  ({ db, clock }, limit) => reapIdempotencyKeys(db, limit, clock),
  ({ db, clock }, limit) => reapSignatures(db, limit, clock),
  ({ db, clock }, limit) => reapKeyless(db, limit, clock),
]

export type Worker = { stop(): Promise<void> }

/** Works at once and then every minute, one round at a time. `stop` waits for the round that runs. */
export function startWorker(deps: Deps): Worker {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  const round = async (): Promise<void> => {
    try {
      for (const reap of reapers) while (!stopped && (await reap(deps, atATime)) === atATime);
    } catch (error) {
      deps.log.warn({ err: error }, 'the worker failed; it tries again in a minute')
    }
    if (!stopped) timer = setTimeout(start, intervalMs)
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
