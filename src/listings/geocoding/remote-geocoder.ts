/**
 * A geocoder that calls a service as rarely as possible (api.md 12.2): equal questions are merged, the cache is used first, and waiting
 * questions share a request. Every question gets its answer within its patience.
 */
import type { Provider } from './client.ts'
import type { Geocoder, GeocodingResult, Pin } from './geocoder.ts'
import { type Question, toQuestion } from './question.ts'
import { type Pins, questionSender, type RemoteGeocoderOptions } from './question-sender.ts'
import { openCache } from './storage.ts'
import { inTime } from '../../platform/time/clock.ts'
import { geocoderAnswers } from '../../platform/log/figures.ts'

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
/** More would not be answered in time. */
const maxWaiting = 1_000

/** Makes the geocoder. Call `close` at the end. */
export function remoteGeocoder(provider: Provider, options: RemoteGeocoderOptions): Geocoder {
  const { log } = options
  const cache = openCache(options.db, options.clock, provider.name)
  const sender = questionSender(provider, options)
  const closing = new AbortController()
  /** By the key of the question. */
  const unanswered = new Map<string, Item>()
  let waiting: Item[] = []
  let requests = 0

  const isReady = (): boolean => !closing.signal.aborted && sender.isReady()

  const findMany: Geocoder['findMany'] = (addresses, { patienceMs = defaultPatienceMs } = {}) => {
    const fresh: Item[] = []
    const results = addresses.map((address): GeocodingResult | Promise<GeocodingResult> => {
      const question = toQuestion(address)
      if (question === null) return none
      const same = unanswered.get(question.key)
      // The first caller may have more patience.
      if (same !== undefined) return inTime(patienceMs, same.result, unavailable)
      const item = addItem(unanswered, question, patienceMs)
      fresh.push(item)
      return item.result
    })
    if (fresh.length > 0) void lookUp(fresh)
    return Promise.all(results)
  }

  /** Answers from the cache; the other items wait for the service. */
  const lookUp = async (items: readonly Item[]): Promise<void> => {
    const kept = await cache.read(items.map(({ question }) => question.key)).catch((error: unknown) => {
      log.warn({ err: error }, 'the geocoding cache could not be read')
      return new Map() as Pins
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
    waiting = waiting
      .filter((item) => unanswered.get(item.question.key) === item)
      .sort((a, b) => a.endsAt - b.endsAt)
    while (waiting.length > 0 && requests < provider.atOnce) {
      if (!isReady()) {
        for (const item of waiting.splice(0)) item.settle(unavailable)
        return
      }
      requests += 1
      void send(takeNext(waiting, sender.most())).finally(() => {
        requests -= 1
        sendWaiting()
      })
    }
  }

  /** Settles the items, or queues them to be sent one by one. Never rejects. */
  const send = async (items: readonly Item[]): Promise<void> => {
    const questions = items.map(({ question }) => question)
    const signal = AbortSignal.any([closing.signal, endOfPatience(items)])
    let pins: Pins | null = null
    try {
      const answer = await sender.send(questions, signal)
      if (answer === 'refused') {
        for (const item of items) item.isAlone = true
        waiting.push(...items)
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
    for (const { question, settle } of items) settle(toResult(pins?.get(question.key)))
  }

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
      await sender.close()
    },
  }
}

/** Adds the question to those unanswered, until it is settled or its patience ends. */
function addItem(unanswered: Map<string, Item>, question: Question, patienceMs: number): Item {
  const { promise, resolve } = Promise.withResolvers<GeocodingResult>()
  const item: Item = {
    question,
    endsAt: performance.now() + patienceMs,
    isAlone: false,
    result: promise,
    settle(result) {
      if (unanswered.get(question.key) !== item) return
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

/** Takes the items of the next request out of the queue: an item that must be sent alone, or as many as fit before the first such item. */
function takeNext(waiting: Item[], most: number): Item[] {
  const single = waiting.findIndex(({ isAlone }) => isAlone)
  return waiting.splice(0, Math.max(1, single === -1 ? most : Math.min(single, most)))
}

/** After the longest patience, no caller waits for the request. */
function endOfPatience(items: readonly Item[]): AbortSignal {
  const patienceMs = Math.max(...items.map(({ endsAt }) => endsAt)) - performance.now()
  return AbortSignal.timeout(Math.max(0, Math.ceil(patienceMs)))
}

function toResult(pin: Pin | null | undefined): GeocodingResult {
  if (pin === undefined) return unavailable
  return pin === null ? none : { status: 'found', pin }
}
