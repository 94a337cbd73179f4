/**
 * Polls for due lanes and delivers their events while the process runs. Several processes may do so: one holds a lane at a time. It is no
 * chore of the worker, which waits for a whole batch: here each delivery frees its slot for the next lane.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../platform/db/database.ts'
import { untilNextLook } from '../../../platform/db/upkeep/next-look.ts'
import { type DeliveryDeps, startDue } from './start-due.ts'
import { type ChannelName, channels } from '../outbox.ts'
import type { Log } from '../../../platform/log/log.ts'

/** Concurrent lanes of each channel. */
const slots: Readonly<Record<ChannelName, number>> = { mail: 4, marketplace: 16 }
/** How often due lanes are polled for. */
const pollMs = 500
/** The same for each database. Mail may wait longer, because it is delayed by seconds anyway. */
const nodeMs: Readonly<Record<ChannelName, number>> = { mail: 500, marketplace: 150 }
/** The wait after polls of all databases failed. */
const troubleMs = 5_000

type CourierDeps = DeliveryDeps & { log: Pick<Log, 'warn'> }

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
  const warn = (err: unknown, message: string): void => deps.log.warn({ err, channel }, message)
  /** The nodes whose last poll failed: a failure is logged once. */
  const failing = new WeakSet<Db>()
  const look = async (node: Db): Promise<boolean> => {
    try {
      const started = await startDue({ ...deps, db: node }, channel, slots[channel] - running.size)
      for (const one of started) {
        const ending = one
          .catch((error) => warn(error, 'the outcome of a delivery could not be stored; it is sent again'))
          .finally(() => running.delete(ending))
        running.add(ending)
      }
      failing.delete(node)
      return true
    } catch (error) {
      if (!failing.has(node)) warn(error, 'due notifications could not be read; retrying')
      failing.add(node)
      return false
    }
  }
  for (let round = 0; !stopping.aborted; round += 1) {
    const nodes = await db.nodes().catch(() => [])
    let isAnyThere = false
    // The order rotates, since the first databases leave few slots to the others.
    for (const index of nodes.keys()) {
      const node = nodes[(round + index) % nodes.length]
      if (node === undefined || running.size >= slots[channel] || stopping.aborted) break
      if (await look(node)) isAnyThere = true
    }
    const everyMs = Math.max(pollMs, nodeMs[channel] * nodes.length)
    // The end of a delivery triggers a poll, so no turn (next-look.ts) is reserved while one runs.
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

/** Waits until a running delivery ends, or for `waitMs` if a slot is free. */
async function pause(running: Set<Promise<void>>, count: number, waitMs: number, stopping: AbortSignal) {
  if (running.size >= count) return await Promise.race(running)
  const over = new AbortController()
  const signal = AbortSignal.any([stopping, over.signal])
  await Promise.race([delay(waitMs, undefined, { signal }).catch(() => {}), ...running])
  over.abort()
}
