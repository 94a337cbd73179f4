/** What waits to be notified, asked of the database when the figures are. */
import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { readGauges } from '../notifications/queue.ts'
import { askedTogether } from './asked.ts'

/** Adds the gauges. Where the database does not answer they are left out. */
export function watchOutbox(registry: Registry, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const labelNames = ['channel']
  const registers = [registry]
  const make = (name: string, help: string): Gauge =>
    new Gauge({ name: `listings_outbox_${name}`, help, labelNames, registers, collect: () => refresh() })
  const pending = make('pending', 'Deliveries that wait.')
  const failing = make('failing', 'Deliveries that wait after an attempt that failed.')
  const setAside = make('set_aside', 'Deliveries that were given up, until an operator retries them.')
  const oldest = make('oldest_pending_seconds', 'Since the oldest change that waits to be told.')
  const refresh = askedTogether(
    () => readGauges(db, clock),
    (gauges) => {
      for (const one of [pending, failing, setAside, oldest]) one.reset()
      for (const { channel, ...of } of gauges) {
        pending.set({ channel }, of.pending)
        failing.set({ channel }, of.failing)
        setAside.set({ channel }, of.set_aside)
        oldest.set({ channel }, of.oldest_pending_seconds)
      }
    },
  )
}
