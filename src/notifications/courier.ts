/**
 * Delivers for as long as the process runs. Several processes may do so at once: a lane is with one of them at a time.
 */
import { type DeliveryDeps, startDue } from './deliver.ts'
import { type ChannelName, channels } from './outbox.ts'

/** Lanes of a channel that are delivered at the same time. */
const slots: Readonly<Record<ChannelName, number>> = { mail: 4, marketplace: 16 }
/** Between two looks at what is due. */
const pollMs = 500
/** After the database could not be asked. */
const troubleMs = 5_000

type CourierDeps = DeliveryDeps & { log: { warn(details: object, message: string): void } }

type Courier = {
  /** Takes nothing more, and waits for the deliveries that run. */
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
    deps.log.warn({ err: error, channel }, 'a delivery could not be stored; it is tried again')
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

/** Until one of those that run has ended, which frees its lane; and while all slots are taken, for that alone. */
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
