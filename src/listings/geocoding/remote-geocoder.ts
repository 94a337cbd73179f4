/**
 * A geocoder that calls a service as rarely as possible (api.md 12.2): equal questions are merged, the cache is used first, and waiting
 * questions share a request. Every question gets its answer within its patience.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createBreaker } from '../../limits/breaker.ts'
import { ServiceFailure } from '../../limits/outside-service.ts'
import { type ClientLimits, openClient, type Provider } from './client.ts'
import type { Geocoder, GeocodingResult, Pin } from './geocoder.ts'
import { judge, type Question, toQuestion } from './question.ts'
import { openCache, reserveMoment } from './storage.ts'
import { type Clock, inTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { geocoderAnswers, geocoderRequests } from '../../platform/figures.ts'
import type { Log } from '../../platform/log.ts'

export type RemoteGeocoderOptions = {
  db: Db
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Null: the service's public URL. */
  url: string | null
  serviceName: string
  publicBaseUrl: string
  limits?: Partial<ClientLimits>
  /** Milliseconds on a monotonic clock. */
  now?: () => number
  /** Rejects when the signal aborts first. */
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** A question that is not answered yet. */
type Item = {
  question: Question
  /** When its patience ends, on the clock of performance.now(). */
  endsAt: number
  /** Whether it must be sent alone, because a shared request was refused. */
  isAlone: boolean
  result: Promise<GeocodingResult>
  /** Only the first call counts. */
  settle(result: GeocodingResult): void
}

const none: GeocodingResult = { status: 'none' }
const unavailable: GeocodingResult = { status: 'unavailable' }

/** Long enough for two attempts. */
const defaultPatienceMs = 5_500
const maxAttempts = 2
/** More would not be answered in time. */
const maxWaiting = 1_000
/** The longest wait for a turn among the requests of all instances. */
const maxTurnMs = 3_000
/** For this long, a service that rejected a shared request gets single questions. */
const singlyMs = 600_000
/** Statuses that mean this: no such resource, method or content type. */
const takesSingleOnly = new Set([404, 405, 415, 501])
/** Statuses that one of several questions, or their number, may have caused. */
const mayBeNumber = new Set([200, 400, 413, 422, 500, ...takesSingleOnly])

/** Makes the geocoder. Call `close` at the end. */
export function remoteGeocoder(provider: Provider, options: RemoteGeocoderOptions): Geocoder {
  const { name } = provider
  const { db, clock, log, now = () => performance.now() } = options
  const wait = options.wait ?? ((ms, signal) => delay(ms, undefined, { signal }))
  const cache = openCache(db, clock, name)
  const client = openClient({ ...options, baseUrl: options.url ?? provider.defaultUrl })
  const breaker = createBreaker({
    now,
    onChange: (state) => {
      if (state === 'open') log.warn({ provider: name }, 'the geocoder fails; requests pause')
      else log.info({ provider: name }, 'the geocoder works again')
    },
  })
  const closing = new AbortController()
  /** By the key of the question. */
  const unanswered = new Map<string, Item>()
  let waiting: Item[] = []
  let requests = 0
  let singlyUntil = Number.NEGATIVE_INFINITY

  const isReady = (): boolean => !closing.signal.aborted && !breaker.isOpen()

  const findMany: Geocoder['findMany'] = (addresses, { patienceMs = defaultPatienceMs } = {}) => {
    const fresh: Item[] = []
    const results = addresses.map((address): GeocodingResult | Promise<GeocodingResult> => {
      const question = toQuestion(address)
      if (question === null) return none
      const same = unanswered.get(question.key)
      // The first caller may have more patience.
      if (same !== undefined) return inTime(patienceMs, same.result, unavailable)
      const item = newItem(question, patienceMs)
      fresh.push(item)
      return item.result
    })
    if (fresh.length > 0) void lookUp(fresh)
    return Promise.all(results)
  }

  const newItem = (question: Question, patienceMs: number): Item => {
    const { promise, resolve } = Promise.withResolvers<GeocodingResult>()
    const item: Item = {
      question,
      endsAt: performance.now() + patienceMs,
      isAlone: false,
      result: promise,
      settle(result) {
        if (!isUnanswered(item)) return
        unanswered.delete(question.key)
        clearTimeout(timer)
        geocoderAnswers.add(result.status)
        resolve(result)
      },
    }
    const timer = setTimeout(() => item.settle(unavailable), patienceMs)
    unanswered.set(question.key, item)
    return item
  }

  /** Answers from the cache; the other items wait for the service. */
  const lookUp = async (items: readonly Item[]): Promise<void> => {
    const kept = await cache.read(items.map(({ question }) => question.key)).catch((error: unknown) => {
      log.warn({ err: error }, 'the geocoding cache could not be read')
      return new Map<string, Pin | null>()
    })
    for (const item of items) {
      const pin = kept.get(item.question.key)
      if (pin !== undefined) item.settle(toResult(pin))
      else if (isReady() && waiting.length < maxWaiting) waiting.push(item)
      else item.settle(unavailable)
    }
    sendWaiting()
  }

  const sendWaiting = (): void => {
    waiting = waiting.filter(isUnanswered).sort((a, b) => a.endsAt - b.endsAt)
    while (waiting.length > 0 && requests < provider.atOnce) {
      if (!isReady()) {
        for (const item of waiting.splice(0)) item.settle(unavailable)
        return
      }
      const single = now() < singlyUntil ? 0 : waiting.findIndex(({ isAlone }) => isAlone)
      const together = single === -1 ? provider.perRequest : Math.min(single, provider.perRequest)
      requests += 1
      void ask(waiting.splice(0, Math.max(1, together))).finally(() => {
        requests -= 1
        sendWaiting()
      })
    }
  }

  /** Calls the service and settles the items, or queues them to be sent one by one. Never rejects. */
  const ask = async (items: readonly Item[]): Promise<void> => {
    // After the longest patience, no caller waits for the request.
    const patienceMs = Math.max(...items.map(({ endsAt }) => endsAt)) - performance.now()
    const patience = AbortSignal.timeout(Math.max(0, Math.ceil(patienceMs)))
    const signal = AbortSignal.any([closing.signal, patience])
    try {
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        const turnMs = await reserveTurn()
        if (turnMs === null) break
        if (turnMs > 0) await wait(turnMs, signal)
        signal.throwIfAborted()
        try {
          const pins = await breaker.run(() => exchange(items, signal))
          if (pins === null) break
          await keep(items, pins)
          for (const [index, item] of items.entries()) item.settle(toResult(pins[index]))
          return
        } catch (error) {
          if (!(error instanceof ServiceFailure)) throw error
          const { kind, status, message } = error
          geocoderRequests.add(kind)
          if (items.length > 1 && status !== null && mayBeNumber.has(status)) {
            log.info(
              { provider: name, reason: message },
              'a request with several addresses was refused: they are sent one by one',
            )
            if (takesSingleOnly.has(status)) singlyUntil = now() + singlyMs
            for (const item of items) item.isAlone = true
            waiting.push(...items)
            return
          }
          if (kind !== 'down' || attempt === maxAttempts) {
            log.warn({ provider: name, kind, reason: message }, 'the geocoder gave no answer')
            break
          }
          // Spread over time, in case several requests failed together.
          await wait(50 + Math.random() * 150, signal)
        }
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the geocoder request failed')
    }
    for (const item of items) item.settle(unavailable)
  }

  const reserveTurn = async (): Promise<number | null> => {
    const { intervalMs } = provider
    if (intervalMs === 0) return 0
    return reserveMoment(db, clock, { provider: name, intervalMs, maxWaitMs: maxTurnMs })
  }

  /** A pin for each item, null for an unknown address, undefined if that part of the response is invalid. */
  const exchange = async (
    items: readonly Item[],
    signal: AbortSignal,
  ): Promise<(Pin | null | undefined)[]> => {
    const questions = items.map(({ question }) => question)
    const answer = await client.send(provider.request(questions), signal)
    const candidates = provider.read(answer, questions)
    if (candidates.every((one) => one === null))
      throw new ServiceFailure('nonsense', 'No part of the answer has the expected shape.', { status: 200 })
    geocoderRequests.add('answered')
    return questions.map((question, index) => {
      const ofQuestion = candidates[index]
      return ofQuestion == null ? undefined : judge(question, ofQuestion)
    })
  }

  const keep = async (items: readonly Item[], pins: readonly (Pin | null | undefined)[]): Promise<void> => {
    const answers = new Map<string, Pin | null>()
    for (const [index, { question }] of items.entries()) {
      const pin = pins[index]
      if (pin !== undefined) answers.set(question.key, pin)
    }
    await cache.write(answers).catch((error: unknown) => {
      log.warn({ err: error }, 'geocoding results could not be cached')
    })
  }

  const isUnanswered = (item: Item): boolean => unanswered.get(item.question.key) === item

  return {
    findMany,
    async find(address, findOptions) {
      const [result] = await findMany([address], findOptions)
      return result ?? none
    },
    isReady,
    async close() {
      closing.abort(new Error('the geocoder is closed'))
      for (const item of unanswered.values()) item.settle(unavailable)
      await client.close()
    },
  }
}

function toResult(pin: Pin | null | undefined): GeocodingResult {
  if (pin === undefined) return unavailable
  return pin === null ? none : { status: 'found', pin }
}
