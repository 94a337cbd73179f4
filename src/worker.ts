/**
 * The worker as a process of its own (`npm run worker`): settings → database → migrations → worker, and a clean close. Any number may
 * run, beside servers with or without workers of their own.
 */
import { pino } from 'pino'
import { closeDeps, composeDeps } from './compose.ts'
import { openServiceDatabase } from './operations/open-database.ts'
import { ConfigError } from './platform/config/settings-reader.ts'
import { configFromEnvironment } from './platform/config/config.ts'
import { logOptions } from './http/logging.ts'
import { openMetrics } from './operations/processes/watched.ts'
import { closeAtSignals, print, reportSecrets } from './operations/processes/program.ts'
import { startWorker } from './operations/worker/worker.ts'
import { rethrowAfter } from './platform/errors/errors.ts'

async function main(): Promise<void> {
  const config = configFromEnvironment()
  const log = pino(logOptions(config))
  const opened = await openServiceDatabase(config, log, print)
  const deps = await composeDeps(config, opened.db, log)
  reportSecrets(deps.storedSecrets)
  let isServing = true
  const closeMetrics = await openMetrics(deps, {
    own: null,
    others: null,
    isServing: () => isServing,
  }).catch(rethrowAfter(opened.close))
  const worker = startWorker(deps)
  // Keeps the process alive while nothing is due.
  const alive = setInterval(() => {}, 60_000)

  const close = async (): Promise<void> => {
    isServing = false
    clearInterval(alive)
    await closeDeps(deps, worker.stop)
    closeMetrics()
    await opened.close()
  }
  closeAtSignals(['SIGINT', 'SIGTERM'], 'Stopping: running deliveries are finished first.', close, fail)
  print(`The worker of ${config.serviceName} is running.`)
}

function fail(error: unknown): never {
  const { message } = error as Error
  print(error instanceof ConfigError ? message : `The worker cannot run: ${message}`)
  process.exit(1)
}

main().catch(fail)
