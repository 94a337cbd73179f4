/** Gauges of pending notifications, queried when metrics are scraped. */
import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { readGauges } from '../../delivery/notifications/deliveries.ts'
import { sharedQuery } from './shared-query.ts'

/** Adds the gauges. They have no values if the database does not answer. */
export function watchOutbox(registry: Registry, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  const labelNames = ['channel']
  const registers = [registry]
  const make = (name: string, help: string): Gauge =>
    new Gauge({ name: `listings_outbox_${name}`, help, labelNames, registers, collect: () => refresh() })
  const pending = make('pending', 'Pending deliveries.')
  const failing = make('failing', 'Pending deliveries after a failed attempt.')
  const setAside = make('set_aside', 'Deliveries set aside until an operator retries them.')
  const oldest = make('oldest_pending_seconds', 'Age of the oldest pending change, in seconds.')
  const refresh = sharedQuery(
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
