/** What waits to be notified, asked of the database when the figures are: once, whatever the number of processes. */
import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { readGauges } from '../notifications/queue.ts'

/** An answer is good for a moment, whoever asks. */
const keptMs = 2_000
const patienceMs = 5_000

/** Adds the gauges. Where the database does not answer they are left out. */
export function watchOutbox(registry: Registry, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const labelNames = ['channel']
  const registers = [registry]
  const make = (name: string, help: string): Gauge =>
    new Gauge({ name: `listings_outbox_${name}`, help, labelNames, registers, collect: refresh })
  const pending = make('pending', 'Deliveries that wait.')
  const failing = make('failing', 'Deliveries that wait after an attempt that failed.')
  const setAside = make('set_aside', 'Deliveries that were given up, until an operator retries them.')
  const oldest = make('oldest_pending_seconds', 'Since the oldest change that waits to be told.')
  let askedAt = Number.NEGATIVE_INFINITY
  let asked = Promise.resolve()

  const read = async (): Promise<void> => {
    const gauges = await inTime(readGauges(db, clock))
    for (const one of [pending, failing, setAside, oldest]) one.reset()
    for (const { channel, ...of } of gauges) {
      pending.set({ channel }, of.pending)
      failing.set({ channel }, of.failing)
      setAside.set({ channel }, of.set_aside)
      oldest.set({ channel }, of.oldest_pending_seconds)
    }
  }
  /** All of them are read at once, by whichever is asked first. */
  function refresh(): Promise<void> {
    if (performance.now() - askedAt >= keptMs) {
      askedAt = performance.now()
      asked = read()
    }
    return asked
  }
}

/** What was asked, or nothing when that fails or takes too long. */
async function inTime<Row>(asked: Promise<Row[]>): Promise<Row[]> {
  const { promise: late, resolve } = Promise.withResolvers<Row[]>()
  const timer = setTimeout(() => resolve([]), patienceMs)
  const rows = await Promise.race([asked.catch(() => []), late])
  clearTimeout(timer)
  return rows
}
