/**
 * Starts, replaces and stops the processes that serve one port together (adr/0012). The first process opens the port but serves no
 * requests.
 */
import cluster, { type Worker as Child } from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import { getSystemErrorMessage } from 'node:util'
import type { ClientConfig } from 'pg'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import type { ProcessFigures } from '../metrics/server.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'

/** Backoff applies to a process that dies sooner than this after it began to listen. */
const steadyMs = 10_000
/** Backoff before a replacement after several early deaths: doubles each time. */
const replaceWaitMs = { first: 1_000, most: 30_000 }
/** Timeout for a process's figures. After it, the last known figures are used. */
const countMs = 2_000

export type Crew = {
  /** Lets the processes serve; resolves when all listen. @throws the error of the first that cannot */
  begin(order: Begin): Promise<void>
  /** Stops all processes gracefully. */
  stop(): Promise<void>
  /** Whether all processes listen. */
  isComplete(): boolean
  /** The figures of each process that serves or is stopping. */
  count(): Promise<ProcessFigures[]>
  /** Calls the listener with the last figures of each process that ends. */
  onDeparted(listener: (figures: ProcessFigures) => void): void
}

type CrewOptions = {
  /** Path of the program that each process runs. */
  program: string
  size: number
  /** Environment variables for the processes, added to this one's. */
  settings: Readonly<Record<string, string>>
  print: (line: string) => void
}

type Member = {
  child: Child
  state: 'loading' | 'starting' | 'listening' | 'leaving' | 'gone'
  /** Resolves when it listens; rejects if it ends before. */
  listening: Promise<void>
  gone: Promise<void>
  listensSince: number
  figures: ProcessFigures
  answers: Map<number, () => void>
}

type Seat = { member: Member }

/** Starts the processes. They load their program and wait for `begin`. */
export function gatherCrew({ program, size, settings, print }: CrewOptions): Crew {
  // Each process accepts connections itself. Round robin through this process would cost more, and connections passed to a process
  // that is killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // ProcessFigures may be NaN, which JSON cannot represent.
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' })
  const begun = Promise.withResolvers<Begin>()
  const members = new Set<Member>()
  let isServing = false
  let isStopping = false
  let deathsInARow = 0
  let questions = 0
  let departed: (figures: ProcessFigures) => void = () => {}

  const send = (member: Member, order: Order): void => {
    // A dead process cannot receive messages; its exit event handles that.
    if (member.child.isConnected()) member.child.send(order, () => {})
  }

  const spawn = (): Member => {
    const listening = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    listening.promise.catch(() => {})
    const child = cluster.fork(settings)
    const member: Member = {
      child,
      state: 'loading',
      listening: listening.promise,
      gone: gone.promise,
      listensSince: 0,
      figures: [],
      answers: new Map(),
    }
    let failure: Error | null = null
    const receive = (news: News): void => {
      if (news.news === 'loaded') {
        member.state = 'starting'
        void begun.promise.then((order) => send(member, order))
      } else if (news.news === 'listening') {
        if (member.state === 'starting') member.state = 'listening'
        member.listensSince = performance.now()
        listening.resolve()
      } else if (news.news === 'failed') {
        failure = news.isSetting ? new ConfigError(news.message) : errorOf(news)
      } else {
        member.figures = news.figures
        member.answers.get(news.question)?.()
      }
    }
    members.add(member)
    child.on('message', receive)
    child.on('error', () => {})
    child.once('exit', (code, signal) => {
      const { state } = member
      const ending = `serving process ${child.process.pid} ended with ${signal ?? `code ${code}`}`
      member.state = 'gone'
      members.delete(member)
      for (const answer of member.answers.values()) answer()
      departed(member.figures)
      listening.reject(failure ?? new Error(`the ${ending} before it listened`))
      gone.resolve()
      if (state === 'listening') handleLoss(member, ending)
    })
    return member
  }

  const seats: Seat[] = Array.from({ length: size }, () => ({ member: spawn() }))

  const handleLoss = (member: Member, ending: string): void => {
    const seat = seats.find((one) => one.member === member)
    if (seat === undefined || isStopping || !isServing) return
    print(`The ${ending}: another takes its place.`)
    deathsInARow = performance.now() - member.listensSince < steadyMs ? deathsInARow + 1 : 0
    void replace(seat)
  }

  const replace = async (seat: Seat): Promise<void> => {
    for (; !isStopping; deathsInARow += 1) {
      const { first, most } = replaceWaitMs
      if (deathsInARow > 1) {
        await delay(Math.min(first * 2 ** (deathsInARow - 2), most), undefined, { ref: false })
        if (isStopping) return
      }
      seat.member = spawn()
      try {
        return await seat.member.listening
      } catch (error) {
        if (!isStopping) print(`A process cannot serve: ${(error as Error).message}`)
      }
    }
  }

  return {
    async begin(order) {
      begun.resolve(order)
      await Promise.all(seats.map(({ member }) => member.listening))
      isServing = true
      // A process may have died while the others were starting.
      for (const seat of seats) if (seat.member.state === 'gone') void replace(seat)
    },
    async stop() {
      isStopping = true
      await Promise.all(
        [...members].map((member) => {
          // A process that still loads would not read the message, and has no work to finish.
          if (member.state === 'loading') member.child.process.kill('SIGKILL')
          else send(member, { order: 'leave' })
          member.state = 'leaving'
          return member.gone
        }),
      )
    },
    onDeparted: (listener) => {
      departed = listener
    },
    isComplete: () => isServing && seats.every(({ member }) => member.state === 'listening'),
    async count() {
      const counted = [...members].filter(({ state }) => state === 'listening' || state === 'leaving')
      await Promise.all(
        counted.map(async (member) => {
          questions += 1
          const question = questions
          const answered = new Promise<void>((resolve) => {
            member.answers.set(question, resolve)
          })
          send(member, { order: 'count', question })
          await Promise.race([answered, delay(countMs, undefined, { ref: false })])
          member.answers.delete(question)
        }),
      )
      return counted.filter(({ state }) => state !== 'gone').map(({ figures }) => figures)
    },
  }
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

/** Connections kept free for PostgreSQL itself, the first process and commands. */
const reserved = 40
/** Connections per process besides its pool, shared by short statements (platform/db/database.ts). */
const shared = 2
/** With more, a process would have less than one connection. */
const mostProcesses = 50

/** The number of serving processes: WORKERS, but with the embedded database at most as many as it has connections for. */
export function sizeOfCrew({ workers, databaseUrl }: Config, print: (line: string) => void): number {
  if (databaseUrl !== null || workers <= mostProcesses) return workers
  print(`WORKERS is ${workers}, but with the embedded database at most ${mostProcesses} processes serve.`)
  return mostProcesses
}

const readMost = statement<{ most: number }>(`select current_setting('max_connections')::int as most`)

/** A process's pool size: DATABASE_POOL_SIZE, but at most its share of the embedded database's connections. */
export async function poolSizeOf(config: Config, db: Db, size: number): Promise<number> {
  if (config.databaseUrl !== null) return config.databasePoolSize
  const [row] = await readMost(db, [])
  const share = Math.floor(((row?.most ?? 0) - reserved) / size) - shared
  return Math.max(1, Math.min(config.databasePoolSize, share))
}
