/** Sends lookups to a geocoding service at its pace, retries once, and pauses while it fails (api.md 12.2). */
import { createBreaker } from '../../platform/outside/breaker.ts'
import { ServiceFailure } from '../../platform/outside/outside-service.ts'
import { type ClientLimits, openClient, type Provider } from './services/client.ts'
import type { Pin } from './geocoder.ts'
import { choosePin, type Lookup } from './lookup.ts'
import { reserveSlot } from './geocoding-cache.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { geocoderRequests } from '../../platform/log/counters.ts'
import type { Log } from '../../platform/log/log.ts'

export type RemoteGeocoderOptions = {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Null: the service's public URL. */
  url: string | null
  serviceName: string
  publicBaseUrl: string
  limits: ClientLimits
  /** Rejects when the signal aborts first. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** By the key of the lookup; null for an unknown address. A lookup whose part of the response is invalid is missing. */
export type Pins = Map<string, Pin | null>

const maxAttempts = 2
/** The longest wait for a slot among the requests of all instances. */
const maxSlotWaitMs = 3_000
/** How long a service that takes no shared requests gets single lookups. */
const singlyMs = 600_000
/** Statuses of a service that takes no shared requests: no such resource, method or content type. */
const takesSingleOnly = new Set([404, 405, 415, 501])
/** Statuses of a shared request that one lookup, or the number of lookups, may have caused. Its lookups are retried one by one. */
const mayBeNumber = new Set([200, 400, 413, 422, 500, ...takesSingleOnly])

export function lookupSender(provider: Provider, options: RemoteGeocoderOptions) {
  const { name, perRequest, intervalMs } = provider
  const { db, clock, log, wait } = options
  const now = (): number => performance.now() + clock.offsetMs
  const client = openClient({ ...options, baseUrl: options.url ?? provider.defaultUrl })
  const breaker = createBreaker({
    now,
    onChange: (state) => {
      if (state === 'open') log.warn({ provider: name }, 'the geocoder is failing; requests are paused')
      else log.info({ provider: name }, 'the geocoder works again')
    },
  })
  let singlyUntil = Number.NEGATIVE_INFINITY

  /** Reserves a time slot and waits for it. @returns false if it would come too late */
  const awaitSlot = async (signal: AbortSignal): Promise<boolean> => {
    const pace = { provider: name, intervalMs, maxWaitMs: maxSlotWaitMs }
    const waitMs = intervalMs === 0 ? 0 : await reserveSlot(db, clock, pace)
    if (waitMs === null) return false
    if (waitMs > 0) await wait(waitMs, signal)
    signal.throwIfAborted()
    return true
  }

  const exchange = async (lookups: readonly Lookup[], signal: AbortSignal): Promise<Pins> => {
    const response = await client.send(provider.request(lookups), signal)
    const candidates = provider.read(response, lookups)
    if (candidates.every((one) => one === null))
      throw new ServiceFailure('nonsense', 'No part of the answer has the expected shape.', { status: 200 })
    geocoderRequests.add('answered')
    const pins: Pins = new Map()
    for (const [index, lookup] of lookups.entries()) {
      const ofLookup = candidates[index]
      if (ofLookup != null) pins.set(lookup.key, choosePin(lookup, ofLookup))
    }
    return pins
  }

  return {
    /** False while the service is known to be down. */
    isReady: () => !breaker.isOpen(),
    /** The most lookups in one request. */
    maxPerRequest: () => (now() < singlyUntil ? 1 : perRequest),
    /**
     * @returns `refused` if the lookups must be sent one by one; null without an answer
     * @throws the signal's reason when that aborts
     */
    async send(lookups: readonly Lookup[], signal: AbortSignal): Promise<Pins | 'refused' | null> {
      for (let attempt = 1; await awaitSlot(signal); attempt += 1) {
        try {
          return await breaker.run(() => exchange(lookups, signal))
        } catch (error) {
          if (!(error instanceof ServiceFailure)) throw error
          const { kind, status, message: reason } = error
          geocoderRequests.add(kind)
          if (lookups.length > 1 && status !== null && mayBeNumber.has(status)) {
            log.info(
              { provider: name, reason },
              'a request with several addresses was refused: they are sent one by one',
            )
            if (takesSingleOnly.has(status)) singlyUntil = now() + singlyMs
            return 'refused'
          }
          if (kind !== 'down' || attempt === maxAttempts) {
            log.warn({ provider: name, kind, reason }, 'the geocoder gave no answer')
            return null
          }
          // Spread over time, in case several requests failed together.
          await wait(50 + Math.random() * 150, signal)
        }
      }
      return null
    },
    close: () => client.close(),
  }
}
