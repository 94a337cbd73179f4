/** The service as the server composes it, without demonstration data; a child process that also reports its CPU time. */
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { composeDeps } from '../../src/compose.ts'
import { openServiceDatabase } from '../../src/operations/open-database.ts'
import { configFromEnvironment } from '../../src/platform/config/config.ts'
import { logOptions } from '../../src/http/logging.ts'
import { startWorker } from '../../src/operations/worker/worker.ts'
import { reportCpu } from './report-cpu.ts'

const config = configFromEnvironment()
const log = pino(logOptions(config))
const opened = await openServiceDatabase(config, log, () => {})
const deps = await composeDeps(config, opened.db, log)
const app = await buildApp(deps, log)
const worker = config.worker === 'inline' ? startWorker(deps) : null
await app.listen({ host: config.host, port: config.port })

process.on('SIGTERM', () => {
  void app
    .close()
    .then(() => deps.requestLog.flush())
    .then(() => worker?.stop())
    .then(() => opened.close())
    .then(() => process.exit(0))
})
reportCpu()
