/**
 * A geocoder that calls a service as rarely as possible (api.md 12.2): equal questions are merged, the cache is used first, and waiting
 * questions share a request. Every question gets its answer within its patience.
 */
import type { Provider } from './services/client.ts'
import type { Geocoder, GeocodingResult } from './geocoder.ts'
import { type Question, toQuestion } from './question.ts'
import { none, type OpenQuestion, questionQueue, toResult, unavailable } from './question-queue.ts'
import type { Pins, RemoteGeocoderOptions } from './question-sender.ts'
import { openCache } from './storage.ts'
import { inTime } from '../../platform/time/clock.ts'
import { geocoderAnswers } from '../../platform/log/figures.ts'

/** Long enough for two attempts. */
const defaultPatienceMs = 5_500

/** Makes the geocoder. Call `close` at the end. */
export function remoteGeocoder(provider: Provider, options: RemoteGeocoderOptions): Geocoder {
  const { log } = options
  const cache = openCache(options.db, options.clock, provider.name)
  const queue = questionQueue(provider, cache, options)
  /** By the key of the question. */
  const unanswered = new Map<string, OpenQuestion>()

  const findMany: Geocoder['findMany'] = (addresses, { patienceMs = defaultPatienceMs } = {}) => {
    const fresh: OpenQuestion[] = []
    const results = addresses.map((address): GeocodingResult | Promise<GeocodingResult> => {
      const question = toQuestion(address)
      if (question === null) return none
      const same = unanswered.get(question.key)
      // The first caller may have more patience.
      if (same !== undefined) return inTime(patienceMs, same.result, unavailable)
      const added = openQuestion(unanswered, question, patienceMs)
      fresh.push(added)
      return added.result
    })
    if (fresh.length > 0) void lookUp(fresh)
    return Promise.all(results)
  }

  /** Answers from the cache; the other questions wait for the service. */
  const lookUp = async (fresh: readonly OpenQuestion[]): Promise<void> => {
    const cached = await cache.read(fresh.map(({ question }) => question.key)).catch((error: unknown) => {
      log.warn({ err: error }, 'the geocoding cache could not be read')
      return new Map() as Pins
    })
    for (const { question, settle } of fresh)
      if (cached.has(question.key)) settle(toResult(cached.get(question.key)))
    queue.add(fresh.filter((one) => one.isOpen()))
  }

  return {
    findMany,
    async find(address, findOptions) {
      const [result] = await findMany([address], findOptions)
      return result ?? none
    },
    isReady: queue.isReady,
    async close() {
      for (const { settle } of unanswered.values()) settle(unavailable)
      await queue.close()
    },
  }
}

/** Adds the question to those unanswered, until it is settled or its patience ends. */
function openQuestion(
  unanswered: Map<string, OpenQuestion>,
  question: Question,
  patienceMs: number,
): OpenQuestion {
  const { promise, resolve } = Promise.withResolvers<GeocodingResult>()
  const isOpen = (): boolean => unanswered.get(question.key) === added
  const added: OpenQuestion = {
    question,
    endsAt: performance.now() + patienceMs,
    isAlone: false,
    result: promise,
    isOpen,
    settle(result) {
      if (!isOpen()) return
      unanswered.delete(question.key)
      clearTimeout(timer)
      geocoderAnswers.add(result.status)
      resolve(result)
    },
  }
  const timer = setTimeout(() => added.settle(unavailable), patienceMs)
  unanswered.set(question.key, added)
  return added
}
