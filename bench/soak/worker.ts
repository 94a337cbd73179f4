/**
 * The worker of a long run: that of `npm run worker`, with rows that expire early. Days of requests do not fit into an hour, so the reapers
 * of the busy tables see a clock that is ahead: a row expires after minutes, and as many rows are deleted as are inserted.
 */
import { pino } from 'pino'
import { logDays, reapLogged } from '../../src/access/request-log/request-log.ts'
import { closeDeps, composeDeps } from '../../src/compose.ts'
import { reapNotifications } from '../../src/delivery/notifications/reap.ts'
import { logOptions } from '../../src/http/logging.ts'
import { reapIdempotencyKeys } from '../../src/http/writes/idempotency.ts'
import { openServiceDatabase } from '../../src/operations/open-database.ts'
import { openMetrics } from '../../src/operations/processes/watched.ts'
import { startWorker } from '../../src/operations/worker/worker.ts'
import type { Clock } from '../../src/platform/time/clock.ts'
import { configFromEnvironment } from '../../src/platform/config/config.ts'
import { dayMs } from '../../src/platform/time/days.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { messageOf } from '../../src/platform/errors/errors.ts'

type Reaper = {
  keptDays: number
  atOnce: number
  reap: (db: Db, limit: number, clock: Clock) => Promise<number>
}

const everyMs = 60_000
const config = configFromEnvironment()
const log = pino(logOptions(config))
const opened = await openServiceDatabase(config, log, () => {})
const deps = await composeDeps(config, opened.db, log)
const closeMetrics = await openMetrics(deps, { own: null, others: null, isServing: () => true })
const worker = startWorker(deps)

const keptDays = config.notificationsKeptDays ?? 90
/** In the batches of the worker itself. */
const reapers: readonly Reaper[] = [
  { keptDays: 1, atOnce: 100, reap: reapIdempotencyKeys },
  { keptDays: logDays, atOnce: 2_000, reap: reapLogged },
  { keptDays, atOnce: 100, reap: (db, limit, clock) => reapNotifications(db, limit, clock, keptDays) },
]
const keptMs = Number(process.env['KEPT_MINUTES']) * 60_000
let reaping = Promise.resolve()

async function reapAll(): Promise<void> {
  for (const { keptDays: days, atOnce, reap } of reapers) {
    const clock = { offsetMs: days * dayMs - keptMs }
    while ((await reap(opened.db, atOnce, clock)) >= atOnce);
  }
}

const timer = setInterval(() => {
  reaping = reaping
    .then(reapAll)
    .catch((error: unknown) => void process.stderr.write(`${messageOf(error)}\n`))
}, everyMs)

process.once('SIGTERM', () => {
  clearInterval(timer)
  void reaping
    .then(() => closeDeps(deps, worker.stop))
    .then(closeMetrics)
    .then(() => opened.close())
    .then(() => process.exit(0))
})
process.send?.({ ready: true })
