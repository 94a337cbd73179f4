/**
 * Delivers while the process runs. Several processes may do so at once: each lane belongs to one of them at a time.
 */
import { type DeliveryDeps, startDue } from './deliver.ts'
import { type ChannelName, channels } from './outbox.ts'

/** Concurrent lanes of each channel. */
const slots: Readonly<Record<ChannelName, number>> = { mail: 4, marketplace: 16 }
/** Between two queries for due lanes. */
const pollMs = 500
/** After a failed query. */
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
  const running = new Set<Promise<void>>()
  const fail = (error: unknown): void =>
    deps.log.warn({ err: error, channel }, 'a delivery could not be stored; it will be retried')
  while (!stopping.aborted) {
    let waitMs = pollMs
    try {
      const started = await startDue(deps, channel, slots[channel] - running.size)
      for (const one of started) {
        const ending = one.catch(fail).finally(() => running.delete(ending))
        running.add(ending)
      }
    } catch (error) {
      fail(error)
      waitMs = troubleMs
    }
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
