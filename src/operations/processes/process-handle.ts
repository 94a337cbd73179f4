/** A serving process as the primary process controls it, and the messages between the two: commands and events. */
import cluster from 'node:cluster'
import { getSystemErrorMessage } from 'node:util'
import type { ClientConfig } from 'pg'
import { inTime } from '../../platform/time/clock.ts'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import type { ProcessFigures } from '../metrics/sum.ts'

/** Timeout for a process's figures. After it, the last known figures are used. */
const figuresMs = 2_000

export type ProcessHandle = {
  state: 'loading' | 'starting' | 'listening' | 'stopping' | 'exited'
  /** Resolves when it listens; rejects if it exits before. */
  listening: Promise<void>
  listensSince: number
  pid: number | undefined
  /** Heartbeats requested since the last response. */
  missedBeats: number
  /** Requests a heartbeat. */
  beat(): void
  /** Kills it. It is then replaced, as after a crash. */
  kill(): void
  figures: ProcessFigures
  /** Refreshes `figures`. */
  readFigures(): Promise<void>
  /** Stops it gracefully. */
  stop(): Promise<void>
}

/**
 * Forks a process, which loads its program and waits for the command to start.
 * @param onExit called when it has exited, with a description if it was listening and should not have exited
 */
export function startProcess(
  settings: Readonly<Record<string, string>>,
  started: Promise<StartCommand>,
  onExit: (crash: string | null) => void,
): ProcessHandle {
  const listening = Promise.withResolvers<void>()
  const exited = Promise.withResolvers<void>()
  listening.promise.catch(() => {})
  const child = cluster.fork(settings)
  let failure: Error | null = null
  let requests = 0
  /** By request: a function to call when its figures have arrived. */
  const pending = new Map<number, () => void>()

  const send = (command: Command): void => {
    // A dead process cannot receive messages; its exit event handles that.
    if (child.isConnected()) child.send(command, () => {})
  }
  const handle: ProcessHandle = {
    state: 'loading',
    listening: listening.promise,
    listensSince: 0,
    pid: child.process.pid,
    missedBeats: 0,
    beat() {
      handle.missedBeats += 1
      send({ command: 'beat' })
    },
    kill: () => void child.process.kill('SIGKILL'),
    figures: [],
    async readFigures() {
      requests += 1
      const request = requests
      const arrived = Promise.withResolvers<void>()
      pending.set(request, arrived.resolve)
      send({ command: 'figures', request })
      await inTime(figuresMs, arrived.promise, undefined)
      pending.delete(request)
    },
    async stop() {
      // A process that still loads would not read the message, and has no work to finish.
      if (handle.state === 'loading') handle.kill()
      else send({ command: 'stop' })
      handle.state = 'stopping'
      await exited.promise
    },
  }
  const handleEvent = (event: ProcessEvent): void => {
    if (event.event === 'loaded') {
      handle.state = 'starting'
      void started.then(send)
    } else if (event.event === 'listening') {
      if (handle.state === 'starting') handle.state = 'listening'
      handle.listensSince = performance.now()
      listening.resolve()
    } else if (event.event === 'failed') {
      failure = event.isSetting ? new ConfigError(event.message) : errorOf(event)
    } else if (event.event === 'beat') handle.missedBeats = 0
    else {
      handle.figures = event.figures
      pending.get(event.request)?.()
    }
  }
  child.on('message', handleEvent)
  child.on('error', () => {})
  child.once('exit', (code, signal) => {
    const isCrash = handle.state === 'listening'
    const description = `serving process ${child.process.pid} ended with ${signal ?? `code ${code}`}`
    handle.state = 'exited'
    for (const resolve of pending.values()) resolve()
    listening.reject(failure ?? new Error(`the ${description} before it listened`))
    exited.resolve()
    onExit(isCrash ? description : null)
  })
  return handle
}

function errorOf({ code, errno, syscall, message }: FailedEvent): Error {
  if (syscall !== 'bind' || errno === undefined) return Object.assign(new Error(message), { code, syscall })
  // Cluster reports a `bind` error. A single process reports `listen`, which operators know.
  const text = message.replace(`bind ${code}`, `listen ${code}: ${getSystemErrorMessage(errno)}`)
  return Object.assign(new Error(text), { code, syscall: 'listen' })
}

/** The primary process's command to serve. */
export type StartCommand = {
  command: 'start'
  connection: ClientConfig
  poolSize: number
}

/** Messages from the primary process to the serving processes. */
export type Command =
  | StartCommand
  /** Exit gracefully. */
  | { command: 'stop' }
  | { command: 'beat' }
  | { command: 'figures'; request: number }

type FailedEvent = {
  event: 'failed'
  code?: string
  errno?: number
  syscall?: string
  message: string
  isSetting: boolean
}

/** Messages from a serving process to the primary process. */
export type ProcessEvent =
  /** Ready for messages. */
  | { event: 'loaded' }
  | { event: 'listening' }
  | FailedEvent
  | { event: 'beat' }
  /** `request` 0 marks the last figures, sent without a request. */
  | { event: 'figures'; request: number; figures: ProcessFigures }
