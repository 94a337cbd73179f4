/**
 * Starts, replaces and stops the processes that serve one port together (adr/0012). The first process opens the port but serves no
 * requests.
 */
import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessFigures } from '../metrics/server.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'
import { type Begin, type Member, startMember } from './member.ts'

/** Backoff applies to a process that dies sooner than this after it began to listen. */
const steadyMs = 10_000
/** Backoff before a replacement after several early deaths: doubles each time. */
const replaceWaitMs = { first: 1_000, most: 30_000 }

export type Crew = ReturnType<typeof gatherCrew>

type CrewOptions = {
  /** Path of the program that each process runs. */
  program: string
  size: number
  /** Environment variables for the processes, added to this one's. */
  settings: Readonly<Record<string, string>>
  print: (line: string) => void
}

/** Starts the processes. They load their program and wait for `begin`. */
export function gatherCrew({ program, size, settings, print }: CrewOptions) {
  // Each process accepts connections itself. Round robin through this process would cost more, and connections passed to a process
  // that is killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // ProcessFigures may be NaN, which JSON cannot represent.
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' })
  const begun = Promise.withResolvers<Begin>()
  /** All that have not ended. */
  const members = new Set<Member>()
  let isServing = false
  let isStopping = false
  let deathsInARow = 0
  let departed: (figures: ProcessFigures) => void = () => {}

  const spawn = (): Member => {
    const member = startMember(settings, begun.promise, (loss) => {
      members.delete(member)
      departed(member.figures)
      if (loss !== null) handleLoss(member, loss)
    })
    members.add(member)
    return member
  }
  /** The processes that are to serve; one that has died until another takes its place. */
  const seats = Array.from({ length: size }, spawn)

  const handleLoss = (member: Member, loss: string): void => {
    const seat = seats.indexOf(member)
    if (seat === -1 || isStopping || !isServing) return
    print(`The ${loss}: another takes its place.`)
    deathsInARow = performance.now() - member.listensSince < steadyMs ? deathsInARow + 1 : 0
    void replace(seat)
  }

  const replace = async (seat: number): Promise<void> => {
    for (; !isStopping; deathsInARow += 1) {
      const { first, most } = replaceWaitMs
      if (deathsInARow > 1) {
        await delay(Math.min(first * 2 ** (deathsInARow - 2), most), undefined, { ref: false })
        if (isStopping) return
      }
      const member = spawn()
      seats[seat] = member
      try {
        return await member.listening
      } catch (error) {
        if (!isStopping) print(`A process cannot serve: ${(error as Error).message}`)
      }
    }
  }

  return {
    /** Lets the processes serve; resolves when all listen. @throws the error of the first that cannot */
    async begin(order: Begin): Promise<void> {
      begun.resolve(order)
      await Promise.all(seats.map(({ listening }) => listening))
      isServing = true
      // A process may have died while the others were starting.
      for (const [seat, { state }] of seats.entries()) if (state === 'gone') void replace(seat)
    },
    /** Stops all processes gracefully. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([...members].map((member) => member.leave()))
    },
    /** Calls the listener with the last figures of each process that ends. */
    onDeparted(listener: (figures: ProcessFigures) => void): void {
      departed = listener
    },
    /** Whether all processes listen. */
    isComplete: () => isServing && seats.every(({ state }) => state === 'listening'),
    /** The figures of each process that serves or is stopping. */
    async count(): Promise<ProcessFigures[]> {
      const counted = [...members].filter(({ state }) => state === 'listening' || state === 'leaving')
      await Promise.all(counted.map((member) => member.count()))
      return counted.filter(({ state }) => state !== 'gone').map(({ figures }) => figures)
    },
  }
}

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
