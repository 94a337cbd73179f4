/** Chooses the tile to fetch next. Clients take turns; when too many tiles wait, the client with the most waiting loses its newest. */
import { createLimiter } from '../../platform/concurrency.ts'
import { tileBudgets } from '../../limits/sizes.ts'

/** A tile in a queue. */
export type QueuedTile = {
  /** The client whose queue it is in. */
  client: string
  /** Ends the wait, for another queue; null while it does not wait. */
  moved: AbortController | null
}

/** @param closing ends all waits */
export function openQueue(closing: AbortSignal) {
  const { atOnce, waiting, waitingEach, waitSeconds } = tileBudgets
  const limiter = createLimiter(atOnce, atOnce, { max: waiting, maxEach: waitingEach })
  return {
    /** Runs the work when the tile comes first. @throws WaitedTooLong, the reason of `closing`, errors of the work */
    async run<T>(tile: QueuedTile, work: () => Promise<T>): Promise<T> {
      for (;;) {
        const moved = new AbortController()
        tile.moved = moved
        try {
          return await limiter(
            () => {
              tile.moved = null
              return work()
            },
            {
              party: tile.client,
              signal: AbortSignal.any([closing, moved.signal]),
              maxWaitMs: waitSeconds * 1_000,
            },
          )
        } catch (error) {
          // It continues to wait, in the other queue.
          if (tile.moved === null || !moved.signal.aborted) throw error
        }
      }
    },
    /** Moves the tile to the queue of another client that wants it, if that is shorter, so that a busy client delays nobody else. */
    share(tile: QueuedTile, client: string): void {
      if (tile.moved === null || limiter.waiting(client) + 1 >= limiter.waiting(tile.client)) return
      tile.client = client
      tile.moved.abort()
    },
  }
}
