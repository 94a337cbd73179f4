/**
 * Statements of Citus's coordinator that wait for a node that is away. It may never answer, and Citus waits without end, so these end here:
 * the coordinator's few connections are all people's, whichever node their agency is on.
 */
import type pg from 'pg'

/** `longestMs`: longer than statements usually take, as long as a silent node takes to be known as away. */
const usualTimes = { longestMs: 3_000, pauseMs: 500 }

export type StuckStatements = {
  /** Notes a statement that was sent. @returns a function to call at its end */
  begin(client: pg.PoolClient): () => void
  /** Ends what waits for longer than it should, for as long as a node is away. Called when one goes away. */
  watch(isAnyAway: () => boolean): void
}

export function stuckStatements({ longestMs, pauseMs } = usualTimes): StuckStatements {
  const sent = new Set<{ client: pg.PoolClient; at: number }>()
  let isWatching = false

  const endStuck = (): void => {
    const before = performance.now() - longestMs
    for (const { client, at } of sent) if (at < before) client.connection.stream.destroy()
  }
  return {
    begin(client) {
      const one = { client, at: performance.now() }
      sent.add(one)
      return () => void sent.delete(one)
    },
    watch(isAnyAway) {
      if (isWatching) return
      isWatching = true
      const look = (): void => {
        isWatching = isAnyAway()
        if (!isWatching) return
        endStuck()
        setTimeout(look, pauseMs).unref()
      }
      look()
    },
  }
}
