/**
 * The server: settings → database → migrations → demonstration data → application and worker, and a clean close.
 *
 * With WORKERS=1 all of it runs in this process. With more, this process is the primary, which does everything but serve, and the
 * processes of operations/processes/serving-process.ts share the port.
 */
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import { closeDeps, composeDeps } from './compose.ts'
import { type Config, configFromEnvironment } from './platform/config/config.ts'
import { seedDemo } from './samples/seed.ts'
import { greeting } from './samples/keys.ts'
import type { Deps } from './deps.ts'
import { logOptions } from './http/logging.ts'
import { type OpenedDatabase, openServiceDatabase } from './operations/open-database.ts'
import {
  countServingProcesses,
  loadServingProcesses,
  poolSizeOf,
  type ServingProcesses,
} from './operations/processes/primary.ts'
import { openMetrics, watchProcess, type Watched } from './operations/processes/watched.ts'
import { closeAtSignals, print, reportSecrets, show, startFailure } from './operations/processes/program.ts'
import { startWorker } from './operations/worker/worker.ts'
import { rethrowAfter } from './platform/errors/errors.ts'

/** The serving part, in this process or in others. */
type Serving = {
  start(): Promise<void>
  stop(): Promise<void>
  /** This process's application; null if others serve. */
  own: Watched | null
}

async function main(): Promise<void> {
  const config = await withPort(configFromEnvironment())
  const count = countServingProcesses(config, print)
  // The other processes load their program while the database starts.
  const others =
    count === 1
      ? null
      : loadServingProcesses({
          program: fileURLToPath(new URL('operations/processes/serving-process.ts', import.meta.url)),
          count,
          settings: { PORT: String(config.port) },
          print,
        })
  await run(config, others, count).catch(rethrowAfter(() => others?.stop()))
}

async function run(config: Config, others: ServingProcesses | null, count: number): Promise<void> {
  const log = pino(logOptions(config))
  const opened = await openServiceDatabase(config, log, print, { isServer: true })
  const deps = await composeDeps(config, opened.db, log, { replica: opened.replica })
  reportSecrets(deps.storedSecrets)
  const serving = others === null ? await inThisProcess(deps, log) : inOthers(others, count, config, opened)
  let isServing = false
  const closeMetrics = await openMetrics(deps, {
    own: serving.own,
    others,
    isServing: () => isServing && (others?.areListening() ?? true),
  }).catch(rethrowAfter(opened.close))
  let worker: ReturnType<typeof startWorker> | null = null

  const close = async (): Promise<void> => {
    isServing = false
    await serving.stop()
    await closeDeps(deps, async () => worker?.stop())
    closeMetrics()
    await serving.own?.close()
    await opened.close()
  }
  // SIGHUP: the terminal was closed.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const notice = 'Stopping. Running requests are finished first.'
  const isClosing = closeAtSignals(signals, notice, close, fail)
  try {
    const demo = config.demo ? await seedDemo(deps, print, config.demoFills) : null
    if (isClosing()) return
    worker = config.worker === 'inline' ? startWorker(deps) : null
    await serving.start()
    if (isClosing()) return
    isServing = true
    if (demo === null) print(`${config.serviceName} listens on ${config.publicBaseUrl}`)
    else show(greeting(config, demo))
  } catch (error) {
    if (isClosing()) return
    await close()
    throw error
  }
}

async function inThisProcess(deps: Deps, log: Logger): Promise<Serving> {
  // Imported here, because a process that does not serve needs no application.
  const { openServer } = await import('./operations/processes/listen.ts')
  const own = await watchProcess(deps)
  const server = await openServer(deps, log, own.watches)
  return { own, start: server.listen, stop: server.stop }
}

function inOthers(
  others: ServingProcesses,
  count: number,
  config: Config,
  { db, connection }: OpenedDatabase,
): Serving {
  return {
    own: null,
    async start() {
      const poolSize = await poolSizeOf(config, db, count)
      await others.start({ command: 'start', connection, poolSize })
    },
    stop: others.stop,
  }
}

/** With PORT=0 a free port is chosen now, because every URL of the service contains it. */
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
  print(startFailure(error))
  process.exit(1)
}

main().catch(fail)
