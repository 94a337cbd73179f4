/** The background chores; `startWorker` lists them. They run in the server's process, or in separate worker processes. */
import { setTimeout as delay } from 'node:timers/promises'
import { isOfAgencies } from '../../platform/db/citus/distribution.ts'
import { oneOff } from '../../platform/db/statements/statement.ts'
import { analyse, analyseShards } from '../../platform/db/upkeep/statistics.ts'
import type { Deps } from '../../deps.ts'
import { chainAudit } from '../../access/audit-log/chain.ts'
import { mailEnquiries } from '../../delivery/mails/enquiry-mails.ts'
import { remindOfKeys } from '../../delivery/mails/key-reminders.ts'
import { mailLinks } from '../../delivery/mails/link-mails.ts'
import { changesMailer } from '../../delivery/mails/listing-changes.ts'
import { mailNotices } from '../../delivery/mails/notice-mails.ts'
import { startCourier } from '../../delivery/notifications/courier/courier.ts'
import { reapPhotos } from '../../listings/photos/unreferenced.ts'
import { viewOfEvent } from '../../listings/history/events.ts'
import { geocodeUnresolved } from '../../listings/upkeep/geocode-unresolved.ts'
import { recomputedAtATime, recomputeAddresses } from '../../listings/upkeep/recompute-addresses.ts'
import { backUpWhenDue } from '../backup/routine/schedule.ts'
import { allReaping } from './reapers.ts'
import { untilNextLook } from '../../platform/db/upkeep/next-look.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import { choreFailures } from '../../platform/log/counters.ts'

const reapingChores = (config: Config): Chore[] =>
  allReaping(config).map(({ expiring: { table }, reap }) => ({
    name: table,
    isOfAgencies: isOfAgencies(table),
    run: ({ db, clock }, limit) => reap(db, limit, clock),
  }))

/** Recomputes all keys of older versions, up to the limit in a transaction. */
const addressKeys: Chore = {
  name: 'address_keys',
  isOfAgencies: true,
  async run({ db, clock, log }, limit, signal) {
    const listings = await recomputeAddresses({ db, clock }, limit, () => !signal.aborted)
    if (listings > 0) log.info({ listings }, 'address keys were recomputed for the rules of this version')
    return 0
  },
}

/**
 * Logs the new ends of the chains: someone who changes the database cannot also change a log that is kept elsewhere (docs/security.md).
 */
const auditChain: Chore = {
  name: 'audit_chain',
  async run({ db, log }, limit) {
    const { count, ends } = await chainAudit(db, limit)
    for (const { chain, number, hash } of ends) log.info({ chain, number, hash }, 'the audit log was chained')
    return count
  },
}

/** After a crash, PostgreSQL has no statistics until autovacuum runs. */
const statistics: readonly Chore[] = [
  {
    name: 'statistics',
    async run({ db, log }) {
      return logAnalysed(log, await analyse((text) => db.run(oneOff(text)), 'lacking'))
    },
  },
  {
    name: 'statistics_of_shards',
    isOfAgencies: true,
    run: async ({ db, log }) => logAnalysed(log, await analyseShards(db)),
  },
]

function logAnalysed(log: Deps['log'], tables: readonly string[]): number {
  if (tables.length > 0) log.info({ tables }, 'tables without statistics were analysed')
  return 0
}

const minuteMs = 60_000

/** Runs the chores at once and then at their intervals. `stop` waits for the current rounds. */
export function startWorker(deps: Deps): Worker {
  const every = (everyMs: number, atATime: number, ...chores: readonly Chore[]) =>
    startLoop(deps, chores, atATime, everyMs)
  const loops = [
    every(minuteMs, 100, ...reapingChores(deps.config)),
    // Chores that wait for other services have their own loops, so a slow storage, geocoder or mail server delays nothing else.
    every(minuteMs, 100, {
      name: 'photos',
      isOfAgencies: true,
      run: ({ photos }, limit) => reapPhotos(photos, limit),
    }),
    every(10_000, 50, { name: 'places', isOfAgencies: true, run: geocodeUnresolved }),
    // Repeated, because an instance of an older version may continue to write older keys for a while.
    every(60 * minuteMs, recomputedAtATime, addressKeys),
    startCourier({
      ...deps,
      viewOfEvent,
      mailChanges: changesMailer(deps),
    }),
    every(10 * minuteMs, 20, { name: 'key_reminders', run: remindOfKeys }),
    // People are waiting for these.
    every(
      5_000,
      4,
      { name: 'link_mails', run: mailLinks },
      { name: 'notices', run: mailNotices },
      { name: 'enquiries', run: mailEnquiries },
    ),
    every(5_000, 500, auditChain),
    every(10 * minuteMs, 1, ...statistics),
    every(minuteMs, 1, { name: 'backup', run: backUpWhenDue }),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

type Chore = Readonly<{
  /** For logs and metrics. */
  name: string
  /** Handles up to `limit` rows and returns their number. A long chore ends early once the signal is aborted. */
  run: (deps: Deps, limit: number, signal: AbortSignal) => Promise<number>
  /** Whether Citus distributes its rows: then it runs for each node, so that a node that is down delays only its own. */
  isOfAgencies?: boolean
}>

type Worker = { stop(): Promise<void> }

/** A chore and its database. */
type Task = { chore: Chore; db: Db }

/** Runs the chores in turn, a batch of each, at once and then at intervals. `stop` waits for the current round. */
function startLoop(deps: Deps, chores: readonly Chore[], atATime: number, everyMs: number): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  /** The chores that failed last time, by database: a failure is logged once. */
  const failing = new Map<Chore, WeakSet<Db>>(chores.map((chore) => [chore, new WeakSet()]))

  /** @returns whether more is due at once. Never rejects: a chore that fails delays no other. */
  const portion = async ({ chore, db }: Task): Promise<boolean> => {
    const failed = failing.get(chore)
    try {
      const count = await chore.run({ ...deps, db, photos: { ...deps.photos, db } }, atATime, signal)
      failed?.delete(db)
      return count === atATime
    } catch (error) {
      choreFailures.add(chore.name)
      // A node that is away was logged once, for all chores (open-database.ts).
      if (failed?.has(db) === false && !(db !== deps.db && db.isAway()))
        deps.log.warn({ err: error, chore: chore.name }, 'a background chore failed; it is retried soon')
      failed?.add(db)
      return false
    }
  }
  const tasks = async (): Promise<Task[]> => {
    const nodes = await deps.db.nodes().catch(() => [])
    return chores.flatMap((chore) =>
      (chore.isOfAgencies === true ? nodes : [deps.db]).map((db) => ({ chore, db })),
    )
  }
  const round = async (): Promise<void> => {
    // One batch of each at a time, so that a chore with much work delays no other.
    for (let left = await tasks(); left.length > 0;) {
      const more: Task[] = []
      for (const task of left) if (!signal.aborted && (await portion(task))) more.push(task)
      left = more
    }
  }
  const rest = async (): Promise<void> => {
    // The processes that run these chores share one turn, named after the first.
    const waitMs = await untilNextLook(deps.db, deps.clock, chores[0]?.name ?? '', everyMs)
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
  const running = (async () => {
    while (!signal.aborted) {
      await round()
      if (!signal.aborted) await rest()
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
