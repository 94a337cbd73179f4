/**
 * The program of one of several serving processes. It serves once the first process has the database ready, and stops gracefully on the
 * first process's order or death. It ignores signals, which Ctrl-C sends to every process; the first process handles them.
 */
import cluster from 'node:cluster'
import { pino } from 'pino'
import { closeDeps, composeDeps } from '../../compose.ts'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import { configFromEnvironment } from '../../platform/config/config.ts'
import { rethrowAfter } from '../../platform/errors.ts'
import { logOptions } from '../../http/logging.ts'
import type { ProcessFigures } from '../metrics/server.ts'
import { openPool } from '../open-database.ts'
import type { Begin, News, Order } from './member.ts'
import { serve } from './serve.ts'
import { watchProcess } from './watched.ts'

/** Resolves when the message is sent. */
function report(news: News): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(news, undefined, {}, () => resolve())
    else resolve()
  })
}

type Process = { count(): Promise<ProcessFigures>; close(): Promise<void> }

async function begin({ connection, poolSize }: Begin): Promise<Process> {
  const config = { ...configFromEnvironment(), databasePoolSize: poolSize }
  const log = pino(logOptions(config))
  const pool = await openPool(config, connection ?? { connectionString: config.databaseUrl ?? '' }, log)
  const deps = await composeDeps(config, pool.db, log, pool.replica)
  const watched = await watchProcess(deps)
  const serving = await serve(deps, log, watched.watches)
  const close = async (): Promise<void> => {
    await serving.stop()
    await closeDeps(deps)
    await watched.close()
    await pool.close()
  }
  await serving.begin().catch(rethrowAfter(close))
  return { count: watched.count, close }
}

let begun: Promise<Process> | null = null
let leaving: Promise<void> | null = null

async function leave(): Promise<void> {
  const running = await begun?.catch(() => null)
  await running?.close()
  if (running !== null && running !== undefined) await reportFigures(running, 0)
  process.exit(0)
}

async function reportFigures(running: Process, question: number): Promise<void> {
  await report({ news: 'counted', question, figures: await running.count() })
}

function obey(order: Order): void {
  if (order.order === 'begin') {
    begun = begin(order)
    begun.then(() => report({ news: 'listening' }), fail)
  } else if (order.order === 'leave') {
    leaving ??= leave()
  } else void begun?.then((running) => reportFigures(running, order.question))
}

async function fail(error: unknown): Promise<void> {
  const { code, errno, syscall, message } = error as NodeJS.ErrnoException
  await report({
    news: 'failed',
    code,
    errno,
    syscall,
    message,
    isSetting: error instanceof ConfigError,
  })
  process.exit(1)
}

// Without this, Node exits at once when the IPC channel to the first process closes.
if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => {
  leaving ??= leave()
})
process.on('message', obey)
void report({ news: 'loaded' })
