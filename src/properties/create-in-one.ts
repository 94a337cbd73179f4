/**
 * Creates a listing by one statement, which judges, stores and commits. It stores nothing if anything is in the way, or if another write of
 * the agency came in between: the transaction of create.ts then decides and says why. Nearly all creations without photos go this way, for
 * a third of what that transaction costs PostgreSQL.
 */
import { type Db, violatedConstraint } from '../db/database.ts'
import { boundedWait, hotStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { newPublicId } from '../ids.ts'
import { usedSince, windowStart } from '../limits/window.ts'
import type { Revision } from '../writing/agency-lock.ts'
import type { Author } from '../writing/author.ts'
import {
  keepingReference,
  referenceLength,
  type ReferenceToKeep,
  referenceValues,
} from '../writing/kept-reference.ts'
import { aloneInTurn } from '../writing/turns.ts'
import { isAtAddress } from './duplicates.ts'
import type { Listing } from './listing.ts'
import type { NewListing } from './store.ts'
import { rowOf, writtenColumns } from './write-statements.ts'

/** The columns whose values the statement has already, or makes. The others are parameters of their own. */
const known: Readonly<Record<string, string>> = {
  agency_id: '$1',
  external_id: '$5',
  version: 'raised.revision',
  created_at: 'raised.at',
  updated_at: 'raised.at',
}
const firstOfAuthor = 8
const firstOfKey = 11
const firstOfRow = firstOfKey + referenceLength
const sent = writtenColumns.filter((column) => !(column in known))
const valueOf = (column: (typeof writtenColumns)[number]): string =>
  known[column] ?? `$${firstOfRow + sent.indexOf(column)}`

const usedIn = (window: 'hour' | 'day'): string =>
  usedSince(`seen.${window}`, { start: `r.${window}`, used: `r.${window}_new_listings` })
const countsOne = (window: 'hour' | 'day'): string =>
  `${window} = greatest(r.${window}, seen.${window}), ${window}_new_listings = ${usedIn(window)} + 1`

/*
 * `seen` looks for conflicts, in the statement's snapshot. `raised` takes the agency's lock, for which it may wait. Every write of a listing
 * raises the revision: an unchanged one says that what was seen still holds. Limits of an agency's own are left to the transaction.
 */
const statementOf = (isClaimed: boolean) => {
  const { isFree, keep } = keepingReference(firstOfKey, isClaimed)
  return hotStatement<Revision>(`
  with moment as materialized (
    select clock_timestamp() + $2::float8 * interval '1 ms' as now, ${boundedWait} as bounded
  ), seen as materialized (
    select revision, now, ${windowStart(`interval '1 hour'`, 'now')} as hour, ${windowStart(`interval '1 day'`, 'now')} as day
    from moment, agency_revisions
    where agency_id = $1 and limits is null
      and not exists (select from properties where agency_id = $1 and external_id = $5 and deleted_at is null)
      and not exists (select from properties where ${isAtAddress(6)})
      and ${isFree}
  ), raised as (
    update agency_revisions r set revision = r.revision + 1,
      changed_at = greatest(date_trunc('milliseconds', now), r.changed_at + interval '1 ms'), ${countsOne('hour')}, ${countsOne('day')}
    from seen
    where r.agency_id = $1 and r.revision = seen.revision and ${usedIn('hour')} < $3::int and ${usedIn('day')} < $4::int
    returning r.revision, r.changed_at as at, now
  ), written as (
    insert into properties (${writtenColumns.join(', ')}) select ${writtenColumns.map(valueOf).join(', ')} from raised
  ), kept as (
    ${keep('raised', valueOf('id'))}
  )
  insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id)
  select $1, ${valueOf('id')}, revision, at, 'created', 'key', $${firstOfAuthor}, $${firstOfAuthor + 1}, $${firstOfAuthor + 2} from raised
  returning revision, at`)
}
const unclaimed = statementOf(false)
const claimed = statementOf(true)

/**
 * Stores a new draft and the answer that shows it.
 * @param force whatever listing has its address
 * @param author a key
 * @returns null if something is in the way: nothing was stored then
 */
export async function createInOne(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  draft: NewListing,
  force: boolean,
  author: Author,
  kept: ReferenceToKeep & { isClaimed: boolean },
): Promise<Listing | null> {
  const unsaved = { ...draft, ...unnumbered, public_id: newPublicId() }
  const row = rowOf(unsaved)
  const { limits } = config
  const values: unknown[] = [
    draft.agency_id,
    clock.offsetMs,
    limits.new_listings_per_hour.max,
    limits.new_listings_per_day.max,
    row.external_id,
    force ? null : row.street_key,
    force ? null : row.city_key,
    author.id,
    author.name,
    author.requestId,
    ...referenceValues(kept),
  ]
  for (const column of sent) values.push(row[column])
  const statement = kept.isClaimed ? claimed : unclaimed
  const stored = await aloneInTurn(db, draft.agency_id, () => run(db, statement, values))
  return stored && { ...unsaved, version: stored.revision, created_at: stored.at, updated_at: stored.at }
}

/** What a listing gets when it is stored. */
const unnumbered = { version: 0, created_at: '', updated_at: '', published_at: null, deleted_at: null }

async function run(
  db: Db,
  statement: typeof unclaimed,
  values: readonly unknown[],
): Promise<Revision | null> {
  try {
    const [revision = null] = await statement(db, values)
    return revision
  } catch (error) {
    // The code or the key was taken meanwhile.
    if (violatedConstraint(error) !== null) return null
    throw error
  }
}
