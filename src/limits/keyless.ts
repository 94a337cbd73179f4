/** The limits of requests without a valid key (api.md 6.5): for each IP, and for all together. */
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { shareStatement } from '../platform/db/statements/shared-statement.ts'
import { statement } from '../platform/db/statements/statement.ts'
import { inTransaction } from '../platform/db/statements/transaction.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'
import { addStatement, readWindows, secondsUntil, type SubjectLimit, type Window } from './counters.ts'
import { blockingLimit, type BlockingLimit, rateLimited } from './refusal.ts'
import { subjectOf } from './subject.ts'
import type { LimitName, Limits } from './table.ts'

const bounds = { maxInFlight: 1, maxAtOnce: 500 }
const maxRemembered = 10_000
const everyone = '*'
const ownName: LimitName = 'keyless_per_address_per_minute'
const sharedName: LimitName = 'keyless_per_minute'

/** Counts a request without a valid key. @throws ApiError `rate_limited` when the limit is exhausted */
export type ChargeKeyless = (ip: string) => Promise<void>

/**
 * Makes the function that charges. An exhausted limit is remembered until its minute is over, and needs no statement until then: these
 * limits do not change while the process runs, and no counter falls within its minute.
 */
export function keylessLimit(db: Db, limits: Limits, clock: Clock): ChargeKeyless {
  const maxOwn = limits[ownName].max
  const maxShared = limits[sharedName].max
  /** When the limit has room again, in milliseconds of this process's clock; `*` for all IPs together. */
  const exhausted = boundedMap<string, number>({ max: maxRemembered })
  const now = (): number => performance.now() + clock.offsetMs

  const blocking = (name: LimitName, resets: number): BlockingLimit =>
    blockingLimit(name, limits[name], { used: limits[name].max, resets })
  const remembered = (subject: string): BlockingLimit[] => {
    const left = (name: LimitName, of: string) => blocking(name, secondsUntil(exhausted.get(of) ?? 0, now()))
    return [left(ownName, subject), left(sharedName, everyone)].filter(({ resets }) => resets > 0)
  }

  /** @returns the blocking limits of each request; it passes if there are none */
  const charge = async (subjects: readonly string[]): Promise<BlockingLimit[][]> => {
    const requests = new Map<string, number>()
    for (const subject of subjects) requests.set(subject, (requests.get(subject) ?? 0) + 1)
    // The database reads its clock later than this, so nothing is remembered too long.
    const sentAt = now()
    const counted = await inTransaction(db, (tx) => count(tx, requests, { maxOwn, maxShared }, clock))
    const { resets } = counted
    if (counted.shared.used >= maxShared) exhausted.set(everyone, sentAt + resets * 1_000)
    for (const [subject, { used }] of counted.own)
      if (used >= maxOwn) exhausted.set(subject, sentAt + resets * 1_000)

    let sharedLeft = counted.shared.granted
    return subjects.map((subject) => {
      const found = counted.own.get(subject) as Counted
      if (found.granted > 0 && sharedLeft > 0) {
        found.granted -= 1
        sharedLeft -= 1
        return []
      }
      const isOwn = found.granted === 0 && found.used >= maxOwn
      const isShared = !isOwn || counted.shared.used >= maxShared
      const names = [...(isOwn ? [ownName] : []), ...(isShared ? [sharedName] : [])]
      return names.map((name) => blocking(name, Math.ceil(resets)))
    })
  }

  const chargeShared = shareStatement(charge, bounds)
  return async (ip) => {
    const subject = subjectOf(ip)
    const known = remembered(subject)
    const refusal = known.length > 0 ? known : await chargeShared(subject)
    if (refusal.length > 0) throw rateLimited(refusal)
  }
}

/** How much of a limit is used, and how many of the requests it lets pass. */
type Counted = { used: number; granted: number }

/** The commit does not wait for the disk: a crash of the database may lose the last counts. */
const commitLater = statement(`select set_config('synchronous_commit', 'off', true)`)

/**
 * Counts requests without a valid key, for each IP and for all together. An IP over its own limit no longer counts toward the shared one.
 * If the committed counters leave no room, nothing is written: they only rise within a minute. The shared counter is locked last, and the
 * others in the order of their IPs, so that transactions never wait for each other in a circle.
 * @param requests by IP
 * @returns `resets`: seconds until the minute is over
 */
async function count(
  tx: Tx,
  requests: ReadonlyMap<string, number>,
  { maxOwn, maxShared }: { maxOwn: number; maxShared: number },
  clock: Clock,
): Promise<{ own: Map<string, Counted>; shared: Counted; resets: number }> {
  const subjects = [...requests.keys()].sort()
  const counters: SubjectLimit[] = [
    ...subjects.map((subject) => ({ name: ownName, subject })),
    { name: sharedName, subject: everyone },
  ]
  const { now, windows } = await readWindows(tx, counters, clock)
  const sharedWindow = windows.at(-1) as Window
  const resets = (sharedWindow.endsAt - now) / 1_000
  const own = new Map(
    subjects.map((subject, nth) => [subject, { used: windows[nth]?.used ?? 0, granted: 0 }]),
  )
  const shared = { used: sharedWindow.used, granted: 0 }
  if (shared.used >= maxShared) return { own, shared, resets }
  const open = counters.flatMap((counter, nth) => {
    const [window, wanted] = [windows[nth], requests.get(counter.subject)]
    return window === undefined || wanted === undefined || window.used >= maxOwn
      ? []
      : { ...counter, window, wanted }
  })
  if (open.length === 0) return { own, shared, resets }
  await commitLater(tx, [])
  const added = await tx.runAll(
    open.map(({ name, subject, window, wanted }) =>
      addStatement({ kind: 'subject', id: subject }, name, now, window, wanted),
    ),
  )
  let total = 0
  for (const [nth, { subject, wanted }] of open.entries()) {
    const counted = grant(wanted, added[nth]?.[0]?.used ?? 0, maxOwn)
    own.set(subject, counted)
    total += counted.granted
  }
  if (total === 0) return { own, shared, resets }
  const [sum] = await tx.run(
    addStatement({ kind: 'subject', id: everyone }, sharedName, now, sharedWindow, total),
  )
  return { own, shared: grant(total, sum?.used ?? 0, maxShared), resets }
}

/** @param used including `wanted` */
function grant(wanted: number, used: number, max: number): Counted {
  return { used, granted: Math.max(0, Math.min(wanted, max - (used - wanted))) }
}
