/**
 * Ends statements on Citus's coordinator that wait for a node that is away. The node may never answer and Citus waits forever, while
 * agencies of all nodes share the coordinator's few connections.
 */
import type pg from 'pg'

/** `maxMs`: longer than statements usually take, and as long as it takes to notice that a silent node is away. */
const usualTimes = { maxMs: 3_000, pauseMs: 500 }

export type StuckStatements = ReturnType<typeof stuckStatements>

export function stuckStatements({ maxMs, pauseMs } = usualTimes) {
  const sent = new Set<{ client: pg.PoolClient; at: number }>()
  let isWatching = false

  const endStuck = (): void => {
    const before = performance.now() - maxMs
    for (const { client, at } of sent) if (at < before) client.connection.stream.destroy()
  }
  return {
    /** Registers a statement that was sent. @returns a function to call at its end */
    begin(client: pg.PoolClient): () => void {
      const one = { client, at: performance.now() }
      sent.add(one)
      return () => void sent.delete(one)
    },
    /** Ends statements that wait too long, while a node is away. Call it when one goes away. */
    watch(isAnyAway: () => boolean): void {
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
