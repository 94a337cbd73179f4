/**
 * The primary process of a server with several: starts, watches, restarts and stops the processes that serve one port together (adr/0012).
 * It opens the port but serves no requests.
 */
import cluster from 'node:cluster'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessFigures } from '../metrics/sum.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Db, sharedCount } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { backoffMs } from '../../platform/time/backoff.ts'
import { watchHeartbeats } from './heartbeat.ts'
import { type ProcessHandle, type StartCommand, startProcess } from './process-handle.ts'

/** Backoff applies to a process that exits sooner than this after it began to listen. */
const steadyMs = 10_000
/** Backoff before a restart after several early exits. */
const restartWaitMs = { first: 1_000, max: 30_000 }

export type ServingProcesses = ReturnType<typeof loadServingProcesses>

type ServingOptions = {
  /** Path of the program that each process runs. */
  program: string
  count: number
  /** Environment variables for the processes, added to this one's. */
  settings: Readonly<Record<string, string>>
  print: (line: string) => void
}

/** Forks the processes. They load their program and wait for `start`. */
export function loadServingProcesses({ program, count, settings, print }: ServingOptions) {
  // Each process accepts connections itself. Round robin through this process would cost more, and connections passed to a process
  // that is killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // ProcessFigures may be NaN, which JSON cannot represent.
  cluster.setupPrimary({ exec: program, args: [], serialization: 'advanced' })
  const started = Promise.withResolvers<StartCommand>()
  /** All that have not exited. */
  const running = new Set<ProcessHandle>()
  watchHeartbeats(running, print)
  let isServing = false
  let isStopping = false
  let earlyExits = 0
  let onExit: (figures: ProcessFigures) => void = () => {}

  const spawn = (): ProcessHandle => {
    const child = startProcess(settings, started.promise, (crash) => {
      running.delete(child)
      onExit(child.figures)
      if (crash !== null) handleCrash(child, crash)
    })
    running.add(child)
    return child
  }
  /** One entry per serving process. An exited process keeps its entry until its replacement starts. */
  const slots = Array.from({ length: count }, spawn)

  const handleCrash = (child: ProcessHandle, crash: string): void => {
    const slot = slots.indexOf(child)
    if (slot === -1 || isStopping || !isServing) return
    print(`The ${crash}; starting another.`)
    earlyExits = performance.now() - child.listensSince < steadyMs ? earlyExits + 1 : 0
    void restart(slot)
  }

  const restart = async (slot: number): Promise<void> => {
    for (; !isStopping; earlyExits += 1) {
      if (earlyExits > 1) {
        await delay(backoffMs(restartWaitMs, earlyExits - 2), undefined, { ref: false })
        if (isStopping) return
      }
      const child = spawn()
      slots[slot] = child
      try {
        return await child.listening
      } catch (error) {
        if (!isStopping) print(`A process cannot serve: ${(error as Error).message}`)
      }
    }
  }

  return {
    /** Lets the processes serve; resolves when all listen. @throws the error of the first that cannot */
    async start(command: StartCommand): Promise<void> {
      started.resolve(command)
      await Promise.all(slots.map(({ listening }) => listening))
      isServing = true
      // A process may have exited while the others were starting.
      for (const [slot, { state }] of slots.entries()) if (state === 'exited') void restart(slot)
    },
    /** Stops all processes gracefully. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.all([...running].map((child) => child.stop()))
    },
    /** Calls the listener with the last figures of each process that exits. */
    onExit(listener: (figures: ProcessFigures) => void): void {
      onExit = listener
    },
    /** Whether all processes listen. */
    areListening: () => isServing && slots.every(({ state }) => state === 'listening'),
    /** The figures of each process that serves or is stopping. */
    async readFigures(): Promise<ProcessFigures[]> {
      const read = [...running].filter(({ state }) => state === 'listening' || state === 'stopping')
      await Promise.all(read.map((child) => child.readFigures()))
      return read.filter(({ state }) => state !== 'exited').map(({ figures }) => figures)
    },
  }
}

/** Connections kept free for PostgreSQL itself, the primary process and commands. */
const reserved = 40
/** With more, a process would have less than one connection. */
const maxProcesses = 50

/** The number of serving processes: WORKERS, but with the embedded database at most as many as it has connections for. */
export function countServingProcesses(
  { workers, databaseUrl }: Config,
  print: (line: string) => void,
): number {
  if (databaseUrl !== null || workers <= maxProcesses) return workers
  print(`WORKERS is ${workers}, but with the embedded database at most ${maxProcesses} processes serve.`)
  return maxProcesses
}

const readMaxConnections = statement<{ max: number }>(`select current_setting('max_connections')::int as max`)

/** A process's pool size: DATABASE_POOL_SIZE, but at most its share of the embedded database's connections. */
export async function poolSizeOf(config: Config, db: Db, count: number): Promise<number> {
  if (config.databaseUrl !== null) return config.databasePoolSize
  const [row] = await readMaxConnections(db, [])
  const share = Math.floor(((row?.max ?? 0) - reserved) / count) - sharedCount
  return Math.max(1, Math.min(config.databasePoolSize, share))
}
