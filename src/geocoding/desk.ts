/**
 * Where questions to one service wait for their turn (spec 'Address handling'). Those that come together go in one request where the
 * service takes many, the most urgent first. Each is answered within its patience, whatever the service does.
 */
import { geocoderRequests } from '../figures.ts'
import type { Breaker, Pass } from './breaker.ts'
import type { Client } from './client.ts'
import type { Found, Pin } from './geocoder.ts'
import { judge } from './judge.ts'
import { type Provider, ProviderFailure } from './provider.ts'
import type { Question } from './question.ts'

export type GeocodingLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

export type DeskOptions = {
  provider: Provider
  client: Client
  breaker: Breaker
  /** Milliseconds on a clock that never goes back. */
  now: () => number
  /** Reserves the next moment for a request and tells how long to wait for it; null: too long. */
  reserve: () => Promise<number | null>
  /** Rejects with the signal's reason when that aborts first. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Keeps answers by the questions' keys. */
  remember: (answers: ReadonlyMap<string, Pin | null>) => Promise<void>
  log: GeocodingLog
}

export type Desk = {
  /** @param patienceMs after so long the answer is `unavailable` */
  ask(question: Question, patienceMs: number): Promise<Found>
  /** Whether a question would be sent at all now. */
  isReady(): boolean
  /** Answers `unavailable` to whoever waits, and from now on. */
  close(): void
}

type Item = {
  question: Question
  /** When its patience ends, on the clock of performance.now(). */
  endsAt: number
  /** It was refused together with others. */
  alone: boolean
  settle: (found: Found) => void
  onSettled: () => void
}

const unavailable: Found = { status: 'unavailable' }
/** More than so many do not wait: they would not be answered in time. */
const maxWaiting = 1_000
const maxAttempts = 2
/** A service that takes no question but single ones is asked so for this long. */
const singlyMs = 600_000
/** What tells that it does: no such resource, method, kind of body. */
const takesNoMany = new Set([404, 405, 415, 501])
/** What may be the fault of one question among many, or of their being many. */
const mayBeMany = new Set([200, 400, 413, 422, 500, ...takesNoMany])

/** Opens the desk of a service. */
export function openDesk(options: DeskOptions): Desk {
  const { provider, client, breaker, now, reserve, wait, remember, log } = options
  /** All that are not answered yet; `waiting` are those of them that are not under way. */
  const unsettled = new Set<Item>()
  let waiting: Item[] = []
  let requests = 0
  let scheduled = false
  let closed = false
  let singlyUntil = Number.NEGATIVE_INFINITY

  const isReady = (): boolean => !closed && !breaker.isOpen()

  const sendWaiting = (): void => {
    scheduled = false
    waiting = waiting.filter((item) => unsettled.has(item)).sort((a, b) => a.endsAt - b.endsAt)
    while (waiting.length > 0 && requests < provider.atOnce) {
      if (!isReady()) {
        for (const item of waiting.splice(0)) item.settle(unavailable)
        return
      }
      requests += 1
      void send(takeSome()).finally(() => {
        requests -= 1
        sendWaiting()
      })
    }
  }

  /** Those that go in the next request. */
  const takeSome = (): Item[] => {
    const together = now() < singlyUntil ? 0 : waiting.findIndex((item) => item.alone)
    return waiting.splice(0, Math.max(1, Math.min(together < 0 ? Infinity : together, provider.perRequest)))
  }

  /** Asks for each by itself, as far as their patience lasts. */
  const takeApart = (items: readonly Item[], { status, message }: ProviderFailure): void => {
    log.info({ provider: provider.name, reason: message }, 'the geocoder is asked one by one')
    if (status !== null && takesNoMany.has(status)) singlyUntil = now() + singlyMs
    for (const item of items) {
      item.alone = true
      item.onSettled = () => {}
      if (unsettled.has(item)) waiting.push(item)
    }
    waiting.sort((a, b) => a.endsAt - b.endsAt)
  }

  /** Answers the items. Never rejects. */
  const send = async (items: readonly Item[]): Promise<void> => {
    // Nobody waits any more: the request ends too.
    const controller = new AbortController()
    let open = items.length
    for (const item of items) {
      item.onSettled = () => {
        open -= 1
        if (open === 0) controller.abort()
      }
    }
    const questions = items.map(({ question }) => question)
    const answers = await exchange(questions, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) log.warn({ err: error }, 'the geocoder could not be asked')
      return null
    })
    if (answers instanceof ProviderFailure) takeApart(items, answers)
    else for (const [index, item] of items.entries()) item.settle(answers?.[index] ?? unavailable)
  }

  /** Null when the service gives no answer; the failure when it may answer each of the questions by itself. */
  const exchange = async (
    questions: readonly Question[],
    signal: AbortSignal,
  ): Promise<Found[] | ProviderFailure | null> => {
    for (let attempt = 1; ; attempt += 1) {
      const waitMs = await reserve()
      if (waitMs === null) return null
      if (waitMs > 0) await wait(waitMs, signal)
      signal.throwIfAborted()
      const pass = breaker.enter()
      if (pass === null) return null
      const pins = await tryOnce(questions, signal, pass)
      if (!(pins instanceof ProviderFailure)) {
        await keep(questions, pins)
        return pins.map(toFound)
      }
      if (questions.length > 1 && pins.status !== null && mayBeMany.has(pins.status)) return pins
      const last = pins.kind !== 'down' || attempt === maxAttempts
      if (last) {
        const { kind, message } = pins
        log.warn({ provider: provider.name, kind, reason: message }, 'the geocoder gave no answer')
        return null
      }
      // Not all at the same moment, where several had been waiting.
      await wait(50 + Math.random() * 150, signal)
    }
  }

  /** Pin, null for an unknown place, or undefined where that part of the answer is nonsense. */
  const tryOnce = async (
    questions: readonly Question[],
    signal: AbortSignal,
    pass: Pass,
  ): Promise<(Pin | null | undefined)[] | ProviderFailure> => {
    try {
      const answer = await client.send(provider.request(questions), signal)
      const candidates = provider.read(answer, questions)
      if (candidates.every((one) => one === null))
        throw new ProviderFailure('nonsense', 'No part of the answer is of its shape.', { status: 200 })
      pass.succeeded()
      geocoderRequests.add('answered')
      return questions.map((question, index) => {
        const places = candidates[index]
        return places == null ? undefined : judge(question, places)
      })
    } catch (error) {
      if (!(error instanceof ProviderFailure)) {
        pass.abandoned()
        throw error
      }
      geocoderRequests.add(error.kind)
      if (error.kind === 'refused') pass.succeeded()
      else if (error.kind === 'blocked') pass.blocked(error.pauseMs)
      else pass.failed()
      return error
    }
  }

  const keep = async (
    questions: readonly Question[],
    pins: readonly (Pin | null | undefined)[],
  ): Promise<void> => {
    const answers = new Map<string, Pin | null>()
    for (const [index, { key }] of questions.entries()) {
      const pin = pins[index]
      if (pin !== undefined) answers.set(key, pin)
    }
    try {
      await remember(answers)
    } catch (error) {
      log.warn({ err: error }, 'answers of the geocoder could not be kept')
    }
  }

  return {
    isReady,
    ask(question, patienceMs) {
      if (!isReady() || waiting.length >= maxWaiting) return Promise.resolve(unavailable)
      return new Promise((resolve) => {
        const item: Item = {
          question,
          endsAt: performance.now() + patienceMs,
          alone: false,
          onSettled: () => {},
          settle: (found) => {
            if (!unsettled.delete(item)) return
            clearTimeout(timer)
            resolve(found)
            item.onSettled()
          },
        }
        const timer = setTimeout(() => item.settle(unavailable), patienceMs)
        unsettled.add(item)
        waiting.push(item)
        if (!scheduled) setImmediate(sendWaiting)
        scheduled = true
      })
    },
    close() {
      closed = true
      for (const item of unsettled) item.settle(unavailable)
    },
  }
}

function toFound(pin: Pin | null | undefined): Found {
  if (pin === undefined) return unavailable
  return pin === null ? { status: 'none' } : { status: 'found', pin }
}
