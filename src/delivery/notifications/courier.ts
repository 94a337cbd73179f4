/**
 * Delivers while the process runs. Several processes may do so at once: each lane belongs to one of them at a time.
 */
import type { Db } from '../../platform/db/database.ts'
import { untilNextLook } from '../../platform/db/next-look.ts'
import { type DeliveryDeps, startDue } from './deliver.ts'
import { type ChannelName, channels } from './outbox.ts'

/** Concurrent lanes of each channel. */
const slots: Readonly<Record<ChannelName, number>> = { mail: 4, marketplace: 16 }
/** Between two looks for due lanes. */
const pollMs = 500
/** Between two looks, for each database that they ask. Mail gathers for seconds anyway. */
const nodeMs: Readonly<Record<ChannelName, number>> = { mail: 500, marketplace: 150 }
/** After all looks failed. */
const troubleMs = 5_000

type CourierDeps = DeliveryDeps & { log: { warn(details: object, message: string): void } }

type Courier = {
  /** Takes no more lanes, and waits for running deliveries. */
  stop(): Promise<void>
}

export function startCourier(deps: CourierDeps): Courier {
  const stopping = new AbortController()
  const loops = channels.map((channel) => deliverForever(deps, channel, stopping.signal))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

async function deliverForever(deps: CourierDeps, channel: ChannelName, stopping: AbortSignal): Promise<void> {
  const { db, clock } = deps
  const running = new Set<Promise<void>>()
  const fail = (error: unknown): void =>
    deps.log.warn({ err: error, channel }, 'a delivery could not be stored; it will be retried')
  /** The nodes at which the last look failed: it is told once. */
  const failing = new WeakSet<Db>()
  const look = async (node: Db): Promise<boolean> => {
    try {
      const started = await startDue({ ...deps, db: node }, channel, slots[channel] - running.size)
      for (const one of started) {
        const ending = one.catch(fail).finally(() => running.delete(ending))
        running.add(ending)
      }
      failing.delete(node)
      return true
    } catch (error) {
      if (!failing.has(node)) fail(error)
      failing.add(node)
      return false
    }
  }
  for (let round = 0; !stopping.aborted; round += 1) {
    const nodes = await db.nodes().catch(() => [])
    let isAnyThere = false
    // Another comes first each time, since those that come first leave the others few slots.
    for (const index of nodes.keys()) {
      const node = nodes[(round + index) % nodes.length]
      if (node === undefined || running.size >= slots[channel] || stopping.aborted) break
      if (await look(node)) isAnyThere = true
    }
    const everyMs = Math.max(pollMs, nodeMs[channel] * nodes.length)
    // Who delivers looks again when that ends, in nobody's turn.
    const waitMs =
      running.size > 0
        ? pollMs
        : isAnyThere
          ? await untilNextLook(db, clock, `lanes_${channel}`, everyMs)
          : troubleMs
    await pause(running, slots[channel], waitMs, stopping)
  }
  await Promise.all(running)
}

/** Waits until a running delivery ends, or for `waitMs` where a slot is free. */
async function pause(
  running: ReadonlySet<Promise<void>>,
  count: number,
  waitMs: number,
  stopping: AbortSignal,
): Promise<void> {
  if (running.size >= count) {
    await Promise.race(running)
    return
  }
  if (stopping.aborted) return
  let wake = (): void => {}
  const over = new Promise<void>((resolve) => {
    wake = resolve
  })
  const timer = setTimeout(wake, waitMs)
  stopping.addEventListener('abort', wake, { once: true })
  await Promise.race([over, ...running])
  clearTimeout(timer)
  stopping.removeEventListener('abort', wake)
}
