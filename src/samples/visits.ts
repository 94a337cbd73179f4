/**
 * Invents visits of the demonstration's public pages in the last weeks, the same each time, so that the dashboard has something to show.
 */
import { hash } from 'node:crypto'
import { type VisitKind, visitKinds } from '../agencies/visits.ts'
import type { Clock } from '../platform/time/clock.ts'
import { dayMs, dayOf, dayStart } from '../platform/time/days.ts'
import type { Db } from '../platform/db/database.ts'
import { statement } from '../platform/db/statements/statement.ts'

/** A listing that visitors have seen. `name`: the seed of its numbers. */
export type Visited = Readonly<{
  name: string
  publicId: string
  publishedDaysAgo: number
  /** Days since it was last shown; 0: it is shown. */
  lastDaysAgo: number
}>

const weeks = 6
/** By weekday from Sunday on: people look for homes at the weekend. */
const ofWeekday = [1.4, 1, 0.9, 0.9, 0.8, 0.9, 1.3] as const
/** The share of page views that lead to further actions. */
const share = {
  views: 1,
  phone: 0.012,
  whatsapp: 0.04,
  email: 0.006,
  shared: 0.02,
  enquiries: 0.011,
} as const

/** Values: agency, public ids, days, and the numbers of each kind. */
const insertVisits = statement(`
  insert into listing_visits (agency_id, public_id, day, ${visitKinds.join(', ')})
  select $1::uuid, r.* from unnest($2::text[], $3::timestamptz[], ${visitKinds.map((_, index) => `$${4 + index}::int[]`).join(', ')}) r
  on conflict do nothing`)

/** Stores the visits up to yesterday; existing rows of another process stay. */
export async function seedVisits(db: Db, agencyId: string, listings: readonly Visited[], clock: Clock) {
  const today = dayStart(dayOf(Date.now() + clock.offsetMs)) ?? 0
  const daysAgo = Array.from({ length: 7 * weeks }, (_, index) => index + 1)
  const rows = listings.flatMap((listing) =>
    daysAgo
      .filter((days) => days <= listing.publishedDaysAgo && days > listing.lastDaysAgo)
      .map((days) => {
        const start = today - days * dayMs
        return { listing, day: new Date(start).toISOString(), counts: countsOf(listing, days, start) }
      }),
  )
  const publicIds = rows.map(({ listing }) => listing.publicId)
  const days = rows.map(({ day }) => day)
  const numbers = visitKinds.map((kind) => rows.map(({ counts }) => counts[kind]))
  await insertVisits(db, [agencyId, publicIds, days, ...numbers])
}

function countsOf({ name, publishedDaysAgo }: Visited, daysAgo: number, start: number) {
  const chance = (what: string) => hash('sha256', `${name} ${what}`, 'buffer').readUInt32BE() / 2 ** 32
  const age = publishedDaysAgo - daysAgo
  const liking = 3 + 17 * chance('liking') ** 2
  const novelty = 1 + 2 * Math.exp(-age / 4)
  const expected =
    liking * novelty * (ofWeekday[new Date(start).getUTCDay()] ?? 1) * (0.6 + 0.8 * chance(`day ${daysAgo}`))
  const views = Math.round(expected)
  return Object.fromEntries(
    visitKinds.map((kind) => {
      if (kind === 'views') return [kind, views]
      return [kind, Math.min(views, Math.floor(views * share[kind] + chance(`${kind} ${daysAgo}`)))]
    }),
  ) as Record<VisitKind, number>
}
