/**
 * What goes on beside requests: changes of state are notified, what has served its time is deleted, addresses that could not be placed
 * are looked for again, and those that older rules compared are compared by the rules of now. In the server's process, or in processes
 * of their own.
 */
import { sql } from 'kysely'
import { remindOfKeys } from './dashboard/key-reminders.ts'
import { mailLinks } from './dashboard/mails.ts'
import { mailNotices } from './dashboard/notice-mails.ts'
import { analyse } from './db/statistics.ts'
import type { Deps } from './deps.ts'
import { choreFailures } from './figures.ts'
import { reapRequestLog } from './keys/request-log.ts'
import { startCourier } from './notifications/courier.ts'
import { reapNotifications } from './notifications/reap.ts'
import { reapPhotos } from './photos/reap.ts'
import { viewOfEvent } from './properties/events.ts'
import { placeUnresolved } from './properties/place-unresolved.ts'
import { recomputeAddressKeys } from './properties/readdress.ts'
import { reapers } from './reapers.ts'

const reapEveryMs = 60_000
const placeEveryMs = 10_000
/** An instance of an older version may go on writing older keys for a while. */
const readdressEveryMs = 3_600_000
const remindEveryMs = 600_000
const statisticsEveryMs = 600_000
/** Somebody waits for them. */
const mailEveryMs = 5_000

/** Does up to so many and tells how many there were; a long one asks whether it goes on. Known by its name where it fails. */
type Chore = Readonly<{
  name: string
  run: (deps: Deps, limit: number, goesOn: () => boolean) => Promise<number>
}>

const reapAtATime = 100
const placeAtATime = 50
const remindAtATime = 20
const mailAtATime = 4

const reaping: readonly Chore[] = [
  ...reapers.map((reap): Chore => ({
    name: reap.expiring.table,
    run: ({ db, clock }, limit) => reap(db, limit, clock),
  })),
  {
    name: 'notification_deliveries',
    run: async ({ db, clock, config: { notificationsKeptDays: days } }, limit) =>
      days === null ? 0 : await reapNotifications(db, limit, clock, days),
  },
  { name: 'request_log', run: ({ db, clock }, limit) => reapRequestLog(db, limit, clock) },
]
const photos: Chore = { name: 'photos', run: (deps, limit) => reapPhotos(deps.photos, limit) }
const places: Chore = { name: 'places', run: placeUnresolved }
const keyReminders: Chore = { name: 'key_reminders', run: remindOfKeys }
const linkMails: Chore = { name: 'link_mails', run: mailLinks }
const notices: Chore = { name: 'notices', run: mailNotices }

/** All that there are, in transactions of its own size. */
const addressKeys: Chore = {
  name: 'address_keys',
  async run({ db, clock, log }, _limit, goesOn) {
    const listings = await recomputeAddressKeys({ db, clock }, { goesOn })
    if (listings > 0) log.info({ listings }, 'addresses are compared by the rules of this version')
    return 0
  },
}

/** What a crash of the database has kept autovacuum from. */
const statistics: Chore = {
  name: 'statistics',
  async run({ db, log }) {
    const send = async (text: string) => (await sql.raw(text).execute(db)).rows
    const tables = await analyse(send, 'lacking')
    if (tables.length > 0) log.info({ tables }, 'tables without statistics were analysed')
    return 0
  },
}

export type Worker = { stop(): Promise<void> }

/** Works at once and then at its intervals. `stop` waits for the rounds that run. */
export function startWorker(deps: Deps): Worker {
  const loops = [
    startLoop(deps, reaping, reapAtATime, reapEveryMs),
    // What asks others has a timer of its own: a slow storage, geocoder or mail server keeps nothing else waiting.
    startLoop(deps, [photos], reapAtATime, reapEveryMs),
    startLoop(deps, [places], placeAtATime, placeEveryMs),
    startLoop(deps, [addressKeys], 1, readdressEveryMs),
    startCourier({ ...deps, tally: deps.deliveryTally, viewOfEvent }),
    startLoop(deps, [keyReminders], remindAtATime, remindEveryMs),
    startLoop(deps, [linkMails, notices], mailAtATime, mailEveryMs),
    startLoop(deps, [statistics], 1, statisticsEveryMs),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

function startLoop(deps: Deps, chores: readonly Chore[], atATime: number, everyMs: number): Worker {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  const goesOn = (): boolean => !stopped

  /** @returns whether there is more to do at once. Never rejects: one that fails keeps no other waiting. */
  const portion = async ({ name, run }: Chore): Promise<boolean> => {
    try {
      return (await run(deps, atATime, goesOn)) === atATime
    } catch (error) {
      choreFailures.add(name)
      deps.log.warn({ err: error, chore: name }, 'a chore of the worker failed; it is tried again soon')
      return false
    }
  }
  const round = async (): Promise<void> => {
    // In turn, a portion each: one that has much to do keeps no other waiting either.
    for (let left = chores; left.length > 0;) {
      const more: Chore[] = []
      for (const chore of left) if (goesOn() && (await portion(chore))) more.push(chore)
      left = more
    }
    if (!stopped) timer = setTimeout(start, everyMs)
  }
  const start = (): void => {
    running = round()
  }
  start()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
