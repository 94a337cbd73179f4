/** The charges of a request to limits. */
import { sql } from 'kysely'
import type { TestApp } from '../../support/app/app.ts'
import type { Subject } from './agency-state.ts'

/** Charges by the name of the limit. */
export type Charges = Readonly<Record<string, number>>

/** Charges in the current windows: of the agency, and of all people and visitors together, since only one case runs at a time. */
export async function chargesOf(t: TestApp, { agency }: Subject): Promise<Charges> {
  const { rows } = await sql<{ name: string; used: number }>`
    select 'writes' as name, coalesce(sum(day_writes), 0)::int as used from key_usage where agency_id = ${agency.id}
    union all select 'new_listings', day_new_listings from agency_revisions where agency_id = ${agency.id}
    union all select u.name, sum(u.used)::int from agency_usage u join agencies a on a.id = u.agency_id
      where a.id = ${agency.id} or a.test_of = ${agency.id} group by u.name
    union all select name, sum(used)::int from subject_usage where name !~ '^(keyless|pages|map_tiles)_' group by name`.execute(
    t.deps.db,
  )
  return Object.fromEntries(rows.map(({ name, used }) => [name, used]))
}

export function since(before: Charges, after: Charges): Charges {
  return Object.fromEntries(Object.entries(after).map(([name, used]) => [name, used - (before[name] ?? 0)]))
}

/**
 * Limits of effects. All others limit attempts: api.md 6.1 counts writes "before validation", and photos "before photos are downloaded […];
 * never refunded"; dashboard.md counts attempts to sign in and mails before they are sent.
 */
const ofEffects = /^(?:new_listings|slug_changes)/
/** A success forgives these attempts. */
const forgiven = /^(?:sign_ins|second_steps)/

/** Charges beyond those of a faultless run, for each attempt or each effect. */
export function excess(
  charged: Charges,
  faultless: Charges,
  times: { attempts: number; effects: number },
): string[] {
  return Object.entries(charged).flatMap(([name, used]) => {
    const once = forgiven.test(name) ? 1 : (faultless[name] ?? 0)
    const max = once * (ofEffects.test(name) ? times.effects : times.attempts)
    return used > max ? [`${name}: ${used} instead of ${max}`] : []
  })
}
