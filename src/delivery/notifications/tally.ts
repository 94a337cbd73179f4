/** Counts the attempts of this process since its start, for metrics. */
import type { ChannelName } from './outbox.ts'

type AttemptOutcome = 'delivered' | 'failed'

export type Tally = {
  add(channel: ChannelName, outcome: AttemptOutcome, durationMs: number): void
  /** Attempts by channel and outcome, and their total time. */
  read(): { channel: ChannelName; outcome: AttemptOutcome; attempts: number; seconds: number }[]
}

export function newTally(): Tally {
  const counts = new Map<string, ReturnType<Tally['read']>[number]>()
  return {
    add(channel, outcome, durationMs) {
      const name = `${channel} ${outcome}`
      const count = counts.get(name) ?? { channel, outcome, attempts: 0, seconds: 0 }
      counts.set(name, {
        ...count,
        attempts: count.attempts + 1,
        seconds: count.seconds + durationMs / 1_000,
      })
    },
    read: () => [...counts.values()],
  }
}
