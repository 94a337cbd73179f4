/**
 * The program of one of several serving processes. It serves once the primary process has the database ready, and stops gracefully when
 * the primary commands it or exits. It ignores signals, which Ctrl-C sends to every process; the primary handles them.
 */
import cluster from 'node:cluster'
import { pino } from 'pino'
import { closeDeps, composeDeps } from '../../compose.ts'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import { configFromEnvironment } from '../../platform/config/config.ts'
import { rethrowAfter } from '../../platform/errors/errors.ts'
import { logOptions } from '../../http/logging.ts'
import type { ProcessFigures } from '../metrics/sum.ts'
import { openPool } from '../open-database.ts'
import { openServer } from './listen.ts'
import type { Command, ProcessEvent, StartCommand } from './process-handle.ts'
import { watchProcess } from './watched.ts'

/** Resolves when the message is sent. */
function report(event: ProcessEvent): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(event, undefined, {}, () => resolve())
    else resolve()
  })
}

type Running = { readFigures(): Promise<ProcessFigures>; close(): Promise<void> }

async function start({ connection, poolSize }: StartCommand): Promise<Running> {
  const config = { ...configFromEnvironment(), databasePoolSize: poolSize }
  const log = pino(logOptions(config))
  const pool = await openPool(config, connection, log)
  const deps = await composeDeps(config, pool.db, log, { replica: pool.replica })
  const watched = await watchProcess(deps)
  const server = await openServer(deps, log, watched.watches)
  const close = async (): Promise<void> => {
    await server.stop()
    await closeDeps(deps)
    await watched.close()
    await pool.close()
  }
  await server.listen().catch(rethrowAfter(close))
  return { readFigures: watched.readFigures, close }
}

let started: Promise<Running> | null = null
let stopping: Promise<void> | null = null

async function stop(): Promise<void> {
  const running = await started?.catch(() => null)
  await running?.close()
  if (running !== null && running !== undefined) await reportFigures(running, 0)
  process.exit(0)
}

async function reportFigures(running: Running, request: number): Promise<void> {
  await report({ event: 'figures', request, figures: await running.readFigures() })
}

function execute(command: Command): void {
  if (command.command === 'start') {
    started = start(command)
    started.then(() => report({ event: 'listening' }), fail)
  } else if (command.command === 'stop') {
    stopping ??= stop()
  } else if (command.command === 'beat') void report({ event: 'beat' })
  else void started?.then((running) => reportFigures(running, command.request))
}

async function fail(error: unknown): Promise<void> {
  const { code, errno, syscall, message } = error as NodeJS.ErrnoException
  await report({
    event: 'failed',
    code,
    errno,
    syscall,
    message,
    isSetting: error instanceof ConfigError,
  })
  process.exit(1)
}

// Without this, Node exits at once when the IPC channel to the primary process closes.
if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => {
  stopping ??= stop()
})
process.on('message', execute)
void report({ event: 'loaded' })
