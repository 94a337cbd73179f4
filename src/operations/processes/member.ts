/** One of the processes that serve the port, as the first process sees it, and the messages between the two. */
import cluster from 'node:cluster'
import { getSystemErrorMessage } from 'node:util'
import type { ClientConfig } from 'pg'
import { inTime } from '../../platform/clock.ts'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import type { ProcessFigures } from '../metrics/server.ts'

/** Timeout for a process's figures. After it, the last known figures are used. */
const countMs = 2_000

export type Member = {
  state: 'loading' | 'starting' | 'listening' | 'leaving' | 'gone'
  /** Resolves when it listens; rejects if it ends before. */
  listening: Promise<void>
  listensSince: number
  figures: ProcessFigures
  /** Refreshes its figures. */
  count(): Promise<void>
  /** Stops it gracefully. */
  leave(): Promise<void>
}

/**
 * Starts a process, which loads its program and waits for `begun`.
 * @param onEnd called when it has ended, with a description if it was listening and should not have ended
 */
export function startMember(
  settings: Readonly<Record<string, string>>,
  begun: Promise<Begin>,
  onEnd: (loss: string | null) => void,
): Member {
  const listening = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  listening.promise.catch(() => {})
  const child = cluster.fork(settings)
  let failure: Error | null = null
  let questions = 0
  const answers = new Map<number, () => void>()

  const send = (order: Order): void => {
    // A dead process cannot receive messages; its exit event handles that.
    if (child.isConnected()) child.send(order, () => {})
  }
  const member: Member = {
    state: 'loading',
    listening: listening.promise,
    listensSince: 0,
    figures: [],
    async count() {
      questions += 1
      const question = questions
      const answered = Promise.withResolvers<void>()
      answers.set(question, answered.resolve)
      send({ order: 'count', question })
      await inTime(countMs, answered.promise, undefined)
      answers.delete(question)
    },
    async leave() {
      // A process that still loads would not read the message, and has no work to finish.
      if (member.state === 'loading') child.process.kill('SIGKILL')
      else send({ order: 'leave' })
      member.state = 'leaving'
      await gone.promise
    },
  }
  const receive = (news: News): void => {
    if (news.news === 'loaded') {
      member.state = 'starting'
      void begun.then(send)
    } else if (news.news === 'listening') {
      if (member.state === 'starting') member.state = 'listening'
      member.listensSince = performance.now()
      listening.resolve()
    } else if (news.news === 'failed') {
      failure = news.isSetting ? new ConfigError(news.message) : errorOf(news)
    } else {
      member.figures = news.figures
      answers.get(news.question)?.()
    }
  }
  child.on('message', receive)
  child.on('error', () => {})
  child.once('exit', (code, signal) => {
    const isLoss = member.state === 'listening'
    const ending = `serving process ${child.process.pid} ended with ${signal ?? `code ${code}`}`
    member.state = 'gone'
    for (const answer of answers.values()) answer()
    listening.reject(failure ?? new Error(`the ${ending} before it listened`))
    gone.resolve()
    onEnd(isLoss ? ending : null)
  })
  return member
}

function errorOf({ code, errno, syscall, message }: NewsOf<'failed'>): Error {
  if (syscall !== 'bind' || errno === undefined) return Object.assign(new Error(message), { code, syscall })
  // Cluster reports `bind` errors. Report `listen`, as a single process does and operators know it.
  const text = message.replace(`bind ${code}`, `listen ${code}: ${getSystemErrorMessage(errno)}`)
  return Object.assign(new Error(text), { code, syscall: 'listen' })
}

/** Messages from the first process to the serving processes. */
export type Begin = {
  order: 'begin'
  /** The embedded database's connection; null to use DATABASE_URL. */
  connection: ClientConfig | null
  poolSize: number
}

export type Order =
  | Begin
  /** End gracefully. */
  | { order: 'leave' }
  | { order: 'count'; question: number }

export type News =
  /** Ready for messages. */
  | { news: 'loaded' }
  | { news: 'listening' }
  | { news: 'failed'; code?: string; errno?: number; syscall?: string; message: string; isSetting: boolean }
  /** `question` 0 marks the last figures, sent without a question. */
  | { news: 'counted'; question: number; figures: ProcessFigures }

type NewsOf<Name extends News['news']> = Extract<News, { news: Name }>
