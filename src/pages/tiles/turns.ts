/** Chooses the tile to fetch next. Clients take turns; when too many tiles wait, the client with the most waiting loses its newest. */
import { createLimiter } from '../../platform/concurrency.ts'
import { tileBudgets } from '../../limits/sizes.ts'

/** A tile in a queue. */
export type Turn = {
  /** The client whose queue it is in. */
  client: string
  /** Ends the wait, for another queue; null while it does not wait. */
  moved: AbortController | null
}

/** @param closing ends all waits */
export function openTurns(closing: AbortSignal) {
  const { atOnce, waiting, waitingEach, waitSeconds } = tileBudgets
  const limiter = createLimiter(atOnce, atOnce, { most: waiting, mostEach: waitingEach })
  return {
    /** Runs the work in its turn. @throws WaitedTooLong, the reason of `closing`, errors of the work */
    async take<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
      for (;;) {
        const moved = new AbortController()
        turn.moved = moved
        try {
          return await limiter(
            () => {
              turn.moved = null
              return work()
            },
            {
              party: turn.client,
              signal: AbortSignal.any([closing, moved.signal]),
              maxWaitMs: waitSeconds * 1_000,
            },
          )
        } catch (error) {
          // It continues to wait, in the other queue.
          if (turn.moved === null || !moved.signal.aborted) throw error
        }
      }
    },
    /** Moves the tile to the queue of another client that wants it, if that is shorter, so that a busy client delays nobody else. */
    share(turn: Turn, client: string): void {
      if (turn.moved === null || limiter.waiting(client) + 1 >= limiter.waiting(turn.client)) return
      turn.client = client
      turn.moved.abort()
    },
  }
}
