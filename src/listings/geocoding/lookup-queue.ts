/** The queue of lookups to the geocoding service. They share requests; those whose patience ends first are sent first. */
import type { Provider } from './services/client.ts'
import type { GeocodingResult, Pin } from './geocoder.ts'
import type { Lookup } from './lookup.ts'
import { lookupSender, type Pins, type RemoteGeocoderOptions } from './lookup-sender.ts'
import type { openCache } from './geocoding-cache.ts'

/** A lookup without a result yet. */
export type OpenLookup = {
  lookup: Lookup
  /** When its patience ends, on the clock of performance.now(). */
  endsAt: number
  /** Whether it must be sent alone, because a shared request was refused. */
  isAlone: boolean
  result: Promise<GeocodingResult>
  /** Whether it has no result yet. */
  isOpen(): boolean
  /** Only the first call counts. */
  settle(result: GeocodingResult): void
}

export const none: GeocodingResult = { status: 'none' }
export const unavailable: GeocodingResult = { status: 'unavailable' }

/** @param pin null for an unknown address; undefined without an answer */
export function toResult(pin: Pin | null | undefined): GeocodingResult {
  if (pin === undefined) return unavailable
  return pin === null ? none : { status: 'found', pin }
}

/** More would not be answered in time. */
const maxWaiting = 1_000

/** @param cache stores the answers */
export function lookupQueue(
  provider: Provider,
  cache: ReturnType<typeof openCache>,
  options: RemoteGeocoderOptions,
) {
  const { log } = options
  const sender = lookupSender(provider, options)
  const closing = new AbortController()
  let waiting: OpenLookup[] = []
  let requests = 0

  const isReady = (): boolean => !closing.signal.aborted && sender.isReady()

  const sendWaiting = (): void => {
    waiting = waiting.filter((one) => one.isOpen()).sort((a, b) => a.endsAt - b.endsAt)
    while (waiting.length > 0 && requests < provider.atOnce) {
      if (!isReady()) {
        for (const one of waiting.splice(0)) one.settle(unavailable)
        return
      }
      requests += 1
      void send(takeNext(waiting, sender.maxPerRequest())).finally(() => {
        requests -= 1
        sendWaiting()
      })
    }
  }

  /** Settles the lookups, or queues them to be sent one by one. Never rejects. */
  const send = async (taken: readonly OpenLookup[]): Promise<void> => {
    const lookups = taken.map(({ lookup }) => lookup)
    const signal = AbortSignal.any([closing.signal, endOfPatience(taken)])
    let pins: Pins | null = null
    try {
      const answer = await sender.send(lookups, signal)
      if (answer === 'refused') {
        for (const one of taken) one.isAlone = true
        waiting.push(...taken)
        return
      }
      pins = answer
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the geocoder request failed')
    }
    if (pins !== null)
      await cache.write(pins).catch((error: unknown) => {
        log.warn({ err: error }, 'geocoding results could not be cached')
      })
    for (const { lookup, settle } of taken) settle(toResult(pins?.get(lookup.key)))
  }

  return {
    /** False while the service is known to be down. */
    isReady,
    /** Settles each lookup at some time: as `unavailable` if too many wait, or if the service is down. */
    add(lookups: readonly OpenLookup[]): void {
      for (const one of lookups)
        if (isReady() && waiting.length < maxWaiting) waiting.push(one)
        else one.settle(unavailable)
      sendWaiting()
    },
    /** Aborts running requests. */
    async close(): Promise<void> {
      closing.abort(new Error('the geocoder is closed'))
      await sender.close()
    },
  }
}

/** Takes the next request's lookups out of the queue: one that must be sent alone, or as many as fit before the first such lookup. */
function takeNext(waiting: OpenLookup[], max: number): OpenLookup[] {
  const single = waiting.findIndex(({ isAlone }) => isAlone)
  return waiting.splice(0, Math.max(1, single === -1 ? max : Math.min(single, max)))
}

/** After the longest patience, no caller waits for the request. */
function endOfPatience(lookups: readonly OpenLookup[]): AbortSignal {
  const patienceMs = Math.max(...lookups.map(({ endsAt }) => endsAt)) - performance.now()
  return AbortSignal.timeout(Math.max(0, Math.ceil(patienceMs)))
}
