/**
 * What goes on beside requests: changes of state are notified, what has served its time is deleted, addresses that could not be placed
 * are looked for again, and those that older rules compared are compared by the rules of now. In the server's process, or in processes
 * of their own.
 */
import { reapAttempts } from './accounts/attempts.ts'
import { reapLinks } from './accounts/links.ts'
import { reapSessions } from './accounts/sessions.ts'
import { remindOfKeys } from './dashboard/key-reminders.ts'
import { mailLinks } from './dashboard/mails.ts'
import type { Deps } from './deps.ts'
import { reapGeocodingCache } from './geocoding/cache.ts'
import { reapIdempotencyKeys } from './http/idempotency.ts'
import { reapSignatures } from './http/signature.ts'
import { reapRequestLog } from './keys/request-log.ts'
import { reapKeyless } from './limits/keyless.ts'
import { startCourier } from './notifications/courier.ts'
import { reapPhotos } from './photos/reap.ts'
import { viewOfEvent } from './properties/events.ts'
import { placeUnresolved } from './properties/place-unresolved.ts'
import { recomputeAddressKeys } from './properties/readdress.ts'

const reapEveryMs = 60_000
const placeEveryMs = 10_000
/** An instance of an older version may go on writing older keys for a while. */
const readdressEveryMs = 3_600_000
const remindEveryMs = 600_000
/** Somebody waits for them. */
const mailEveryMs = 5_000

/** Does up to so many and tells how many there were; a long one asks whether it goes on. */
type Chore = (deps: Deps, limit: number, goesOn: () => boolean) => Promise<number>

const reapAtATime = 100
const placeAtATime = 50
const remindAtATime = 20
const mailAtATime = 4

const reapers: readonly Chore[] = [
  ({ photos }, limit) => reapPhotos(photos, limit),
  ({ db, clock }, limit) => reapIdempotencyKeys(db, limit, clock),
  ({ db, clock }, limit) => reapSignatures(db, limit, clock),
  ({ db, clock }, limit) => reapKeyless(db, limit, clock),
  ({ db, clock }, limit) => reapGeocodingCache(db, limit, clock),
  ({ db, clock }, limit) => reapSessions(db, limit, clock),
  ({ db, clock }, limit) => reapLinks(db, limit, clock),
  ({ db, clock }, limit) => reapAttempts(db, limit, clock),
  ({ db, clock }, limit) => reapRequestLog(db, limit, clock),
]

/** All that there are, in transactions of its own size. */
const readdress: Chore = async ({ db, clock, log }, _limit, goesOn) => {
  const listings = await recomputeAddressKeys({ db, clock }, { goesOn })
  if (listings > 0) log.info({ listings }, 'addresses are compared by the rules of this version')
  return 0
}

export type Worker = { stop(): Promise<void> }

/** Works at once and then at its intervals. `stop` waits for the rounds that run. */
export function startWorker(deps: Deps): Worker {
  const loops = [
    startLoop(deps, reapers, reapAtATime, reapEveryMs),
    // On a timer of its own: a slow geocoder keeps nothing else waiting.
    startLoop(deps, [placeUnresolved], placeAtATime, placeEveryMs),
    startLoop(deps, [readdress], 1, readdressEveryMs),
    startCourier({ ...deps, tally: deps.deliveryTally, viewOfEvent }),
    startLoop(deps, [remindOfKeys], remindAtATime, remindEveryMs),
    startLoop(deps, [mailLinks], mailAtATime, mailEveryMs),
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

  const round = async (): Promise<void> => {
    try {
      for (const chore of chores) while (goesOn() && (await chore(deps, atATime, goesOn)) === atATime);
    } catch (error) {
      deps.log.warn({ err: error }, 'the worker failed; it tries again soon')
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
