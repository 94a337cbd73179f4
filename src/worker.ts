/**
 * The worker as a process of its own (`npm run worker`): settings → database → migrations → worker, and a clean close. Any number may
 * run, beside servers with or without workers of their own.
 */
import { pino } from 'pino'
import { closeDeps, composeDeps } from './compose.ts'
import { openServiceDatabase } from './operations/open-database.ts'
import { ConfigError } from './platform/config/values.ts'
import { configFromEnvironment } from './platform/config/config.ts'
import { logOptions } from './http/logging.ts'
import { openMetrics } from './operations/processes/watched.ts'
import { startWorker } from './operations/worker/worker.ts'

const print = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

async function main(): Promise<void> {
  const config = configFromEnvironment()
  const log = pino(logOptions(config))
  const opened = await openServiceDatabase(config, log, print)
  const deps = await composeDeps(config, opened.db, log)
  let closing: Promise<void> | null = null
  const isServing = () => closing === null
  const closeMetrics = await openMetrics(deps, { own: null, crew: null, isServing }).catch(
    async (error: unknown) => {
      await opened.close()
      throw error
    },
  )
  const worker = startWorker(deps)
  // Keeps the process alive while nothing is due.
  const alive = setInterval(() => {}, 60_000)

  const close = async (): Promise<void> => {
    clearInterval(alive)
    await closeDeps(deps, worker.stop)
    closeMetrics()
    await opened.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing !== null) return
      print('Stopping: running deliveries are finished first.')
      closing = close().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    })
  }
  print(`The worker of ${config.serviceName} runs.`)
}

function fail(error: unknown): never {
  const { message } = error as Error
  print(error instanceof ConfigError ? message : `The worker cannot run: ${message}`)
  process.exit(1)
}

main().catch(fail)
