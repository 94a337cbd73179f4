/**
 * Counts visits of listings' public pages, and contacts from there, by listing and day, without cookies and without storing visitors' data.
 * Counts are collected in memory and written in groups; a crash loses the last few seconds.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../platform/time/clock.ts'
import { dayMs, dayOf, dayStart } from '../platform/time/days.ts'
import { delayedFlush } from '../platform/time/delayed-flush.ts'
import type { Db } from '../platform/db/database.ts'
import { reaper } from '../platform/db/upkeep/reaper.ts'
import { statement } from '../platform/db/statements/statement.ts'
import { visitorsOfNetwork } from '../limits/sizes.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'
import type { Log } from '../platform/log/log.ts'

/** `shared`: passed on by the page's own buttons. `enquiries`: by the form. */
export const visitKinds = ['views', 'phone', 'whatsapp', 'email', 'shared', 'enquiries'] as const
export type VisitKind = (typeof visitKinds)[number]
export const contactKinds: readonly VisitKind[] = ['phone', 'whatsapp', 'email', 'enquiries']

type Counts = Record<VisitKind, number>

/** Distinguishes visitors within a day. `device`: the User-Agent, which clients can invent. */
export type Visitor = Readonly<{ network: string; device: string }>

export type Visits = Readonly<{
  /** A visitor counts once per listing, kind and day; a network counts as at most `visitorsOfNetwork` visitors. */
  count(agencyId: string, publicId: string, kind: VisitKind, visitor: Visitor): void
  /** Stores what is pending. */
  flush(): Promise<void>
}>

const flushAfterMs = 10_000
/** Maximum pending counts by listing and day; while the database is away, further ones are dropped. */
const maxWaiting = 50_000
/** Maximum visitors remembered per day; beyond it, the least recently seen may count again. */
const maxVisitors = 200_000

/** Values: agency, then a list for each column: public codes, days and the counts of each kind. */
const addVisits = statement(`
  insert into listing_visits as v (agency_id, public_id, day, ${visitKinds.join(', ')})
  select $1::uuid, r.* from unnest($2::text[], $3::timestamptz[], ${visitKinds.map((_, index) => `$${index + 4}::int[]`).join(', ')}) r
  on conflict (agency_id, public_id, day) do update set ${visitKinds.map((kind) => `${kind} = v.${kind} + excluded.${kind}`).join(', ')}`)

type Waiting = { agencyId: string; publicId: string; day: string; counts: Counts }

/** Opens the counter. Nothing runs until something is counted. */
export function openVisits(db: Db, clock: Clock, log: Pick<Log, 'warn'>): Visits {
  let waiting = new Map<string, Waiting>()
  let seen = nobodyOn('')

  const nameOf = (text: string): string =>
    hash('sha256', Buffer.concat([seen.salt, Buffer.from(text)]), 'base64url').slice(0, 22)

  const isFirst = (day: string, { network, device }: Visitor, what: string): boolean => {
    // A new salt each day, stored nowhere: a visitor cannot be recognised the next day.
    if (seen.day !== day) seen = nobodyOn(day)
    const { visitors } = seen
    const name = nameOf(`${network}\n${device}\n${what}`)
    if (visitors.get(name) !== undefined) return false
    // Many people share a network, but a program that changes its User-Agent each time is one visitor.
    const crowd = nameOf(`${network}\n${what}`)
    const known = visitors.get(crowd) ?? 0
    if (known >= visitorsOfNetwork) return false
    visitors.set(name, 1)
    visitors.set(crowd, known + 1)
    return true
  }

  const write = async (): Promise<void> => {
    const all = [...waiting.values()]
    waiting = new Map()
    for (const [agencyId, entries] of Map.groupBy(all, (entry) => entry.agencyId)) {
      // In a fixed order, because other instances update the same rows.
      entries.sort((a, b) => (`${a.publicId} ${a.day}` < `${b.publicId} ${b.day}` ? -1 : 1))
      try {
        await addVisits(await db.at(agencyId), [
          agencyId,
          entries.map(({ publicId }) => publicId),
          entries.map(({ day }) => startOf(day)),
          ...visitKinds.map((kind) => entries.map(({ counts }) => counts[kind])),
        ])
      } catch (error) {
        log.warn({ err: error }, 'visits could not be stored')
      }
    }
  }
  const { schedule, flush } = delayedFlush(write, flushAfterMs)
  return {
    count(agencyId, publicId, kind, visitor) {
      const day = dayOf(Date.now() + clock.offsetMs)
      if (!isFirst(day, visitor, `${agencyId}\n${publicId}\n${kind}`)) return
      const name = `${agencyId} ${publicId} ${day}`
      const known = waiting.get(name)
      if (known === undefined && waiting.size >= maxWaiting) return
      const counts = known?.counts ?? noCounts()
      counts[kind] += 1
      if (known === undefined) waiting.set(name, { agencyId, publicId, day, counts })
      schedule()
    },
    flush,
  }
}

function nobodyOn(day: string) {
  return { day, salt: randomBytes(16), visitors: boundedMap<string, number>({ max: maxVisitors }) }
}

function startOf(day: string): string {
  return new Date(dayStart(day) ?? Number.NaN).toISOString()
}

function noCounts(): Counts {
  return { views: 0, phone: 0, whatsapp: 0, email: 0, shared: 0, enquiries: 0 }
}

const sums = visitKinds.map((kind) => `sum(${kind})::int as ${kind}`).join(', ')
const ofListing = statement<Counts & { day: string }>(`
  select day, ${visitKinds.join(', ')} from listing_visits
  where agency_id = $1 and public_id = $2 and day >= $3 order by day`)
const ofAgency = statement<Counts & { public_id: string }>(`
  select public_id, ${sums} from listing_visits where agency_id = $1 and day >= $2
  group by public_id order by sum(views) desc, public_id limit $3`)

function daysAgo(days: number, clock: Clock): string {
  return dayOf(Date.now() + clock.offsetMs - days * dayMs)
}

/** A listing's visits in the last days, today included, oldest first; every day has an entry. */
export async function listingVisits(db: Db, agencyId: string, publicId: string, days: number, clock: Clock) {
  const found = await ofListing(db, [agencyId, publicId, startOf(daysAgo(days - 1, clock))])
  const byDay = new Map(found.map((row) => [dayOf(Date.parse(row.day)), row]))
  return Array.from({ length: days }, (_, index) => {
    const day = daysAgo(days - 1 - index, clock)
    return { ...noCounts(), ...byDay.get(day), day }
  })
}

/** The most visited listings of the last days, today included. */
export async function mostVisited(db: Db, agencyId: string, days: number, limit: number, clock: Clock) {
  return await ofAgency(db, [agencyId, startOf(daysAgo(days - 1, clock)), limit])
}

export const reapVisits = reaper({
  table: 'listing_visits',
  key: 'agency_id, public_id, day',
  column: 'day',
  keptFor: '400 days',
})
