/**
 * The server: settings → database → migrations → demonstration data → application and worker, and a clean close. The only
 * composition root besides the command line.
 */
import { createServer } from 'node:net'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import { composeDeps, openServiceDatabase } from './compose.ts'
import { ConfigError } from './config-values.ts'
import { type Config, configFromEnvironment } from './config.ts'
import { seedDemo } from './demo/seed.ts'
import { greeting } from './demo/greeting.ts'
import { logOptions } from './http/logging.ts'
import { startFailure } from './start-failure.ts'
import { startWorker } from './worker.ts'

const tell = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

async function main(): Promise<void> {
  const config = await withPort(configFromEnvironment())
  const log = pino(logOptions(config))
  const opened = await openServiceDatabase(config, log, tell)
  const lock = opened.embedded?.acquireServerLock()
  if (lock === null) {
    await opened.close()
    throw new ConfigError(
      `Another server already runs on the data directory ${config.dataDir}. Stop it, or set DATA_DIR to another.`,
    )
  }
  const deps = await composeDeps(config, opened.db, log, opened.replica)
  const demo = config.demo ? await seedDemo(deps, tell) : null
  const app = await buildApp(deps, log)
  const worker = config.worker === 'inline' ? startWorker(deps) : null

  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    await app.close()
    await deps.requestLog.close()
    await deps.geocoder.close()
    await worker?.stop()
    await deps.marketplace?.close()
    deps.photos.storage.close()
    lock?.release()
    await opened.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing !== null) return
      tell('Stopping: running requests are finished first.')
      closing = close().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    })
  }
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await close()
    throw error
  }
  tell(demo === null ? `${config.serviceName} listens on ${config.publicBaseUrl}` : greeting(config, demo))
}

/** With PORT=0 a free port is chosen now, because every address the service shows names it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const probe = createServer()
  const port = await new Promise<number>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, config.host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
  return configFromEnvironment({ PORT: String(port) })
}

function fail(error: unknown): never {
  tell(startFailure(error))
  process.exit(1)
}

main().catch(fail)
