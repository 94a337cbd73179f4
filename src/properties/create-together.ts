/**
 * Creates listings by a statement that judges, stores and commits: those of one moment together, each of another agency; at a node of
 * Citus, several of an agency too. For a creation with anything in its way it stores nothing: the transaction of create.ts then decides and
 * says why. Nearly all creations without photos go this way, for a fraction of what that transaction costs PostgreSQL.
 */
import { type Db, isOfStatement, violatedConstraint } from '../db/database.ts'
import { shareStatement } from '../db/shared-statement.ts'
import { boundedWait, hotStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { newPublicId } from '../ids.ts'
import { usedSince, windowStart } from '../limits/window.ts'
import type { Revision } from '../writing/agency-lock.ts'
import type { Author } from '../writing/author.ts'
import { type ReferenceToKeep, retentionHours } from '../writing/kept-reference.ts'
import { aloneInTurn, someInTurn } from '../writing/turns.ts'
import { isAtAddress } from './duplicates.ts'
import type { Listing } from './listing.ts'
import type { NewListing } from './store.ts'
import { rowOf, writtenColumns } from './write-statements.ts'

/** One statement after the other: two at a time would each have half as many, and PostgreSQL's work is in starting and committing them. */
const bounds = { mostInFlight: 1, mostAtOnce: 32 }

const usedIn = (window: 'hour' | 'day'): string =>
  usedSince(`moment.${window}`, { start: `agency.${window}`, used: `agency.${window}_new_listings` })

const ofRevision: Readonly<Record<string, string>> = {
  version: 'raised.revision',
  created_at: 'raised.at',
  updated_at: 'raised.at',
}

/*
 * `free` are the creations without a conflict in the statement's snapshot. `locked` takes their agencies' locks; one that another write holds
 * is left out, because the others must not wait for it. Every write of a listing changes its agency's row: the same version of that row says
 * that what was looked for still is not there. Limits of an agency's own are left to the transaction. `kept` leaves out those whose key is
 * in use, without reading it first.
 *
 * `offset 0` keeps the planner, which knows nothing of how few they are, from reading whole tables.
 */
const statement = hotStatement<Stored>(
  `
  with moment as materialized (
    select now, ${windowStart(`interval '1 hour'`, 'now')} as hour, ${windowStart(`interval '1 day'`, 'now')} as day, ${boundedWait}
    from (select clock_timestamp() + $3::float8 * interval '1 ms' as now) present
  ), asked as materialized (
    select * from json_to_recordset($1::json) as asked (agency_id uuid, property_id uuid, external_id text, street_key text, city_key text,
      key text, hash bytea, token uuid, status smallint, rest text, actor_id uuid, actor_name text, request_id text)
  ), free as materialized (
    select * from asked cross join lateral (select ctid as place from agency_revisions where agency_id = asked.agency_id offset 0) seen
    where not exists (select from properties where agency_id = asked.agency_id and external_id = asked.external_id and deleted_at is null
        offset 0)
      and not exists (select from properties where ${isAtAddress('asked.agency_id', 'asked.street_key', 'asked.city_key')} offset 0)
  ), locked as materialized (
    select free.*, agency.revision + 1 as revision, now,
      greatest(date_trunc('milliseconds', now), agency.changed_at + interval '1 ms') as at,
      greatest(agency.hour, moment.hour) as hour, ${usedIn('hour')} + 1 as used_of_hour,
      greatest(agency.day, moment.day) as day, ${usedIn('day')} + 1 as used_of_day
    from moment cross join free cross join lateral (
      select *, ctid as place_now from agency_revisions where agency_id = free.agency_id and limits is null
      for no key update skip locked) agency
    where agency.place_now = free.place and ${usedIn('hour')} < $4::int and ${usedIn('day')} < $5::int
  ), kept as (
    insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
    select agency_id, key, hash, token, now, now + interval '${retentionHours} hours', status, property_id, revision, rest from locked
    on conflict (agency_id, key) do nothing returning agency_id
  ), raised as (
    update agency_revisions r set revision = locked.revision, changed_at = at, hour = locked.hour, hour_new_listings = used_of_hour,
      day = locked.day, day_new_listings = used_of_day
    from locked join kept using (agency_id) where r.ctid = place
    returning locked.agency_id, property_id, locked.revision, at, actor_id, actor_name, request_id
  ), written as (
    insert into properties (${writtenColumns.join(', ')})
    select ${writtenColumns.map((column) => ofRevision[column] ?? `sent.${column}`).join(', ')}
    from json_populate_recordset(null::properties, $2::json) sent join raised on raised.agency_id = sent.agency_id
  )
  insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id)
  select agency_id, property_id, revision, at, 'created', 'key', actor_id, actor_name, request_id from raised
  returning property_id as id, revision, at`,
  'plain',
)

/*
 * The same of agencies that one node of Citus holds, several of each: step by step, by statements that Citus plans but once
 * (migrations/0083).
 */
const atNode = hotStatement<Stored>(
  'select created as id, raised as revision, moment as at from create_listings($1, $2, $3, $4, $5)',
)

type Dependencies = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>

/** A draft to store, with its author, a key, and the answer to keep. `force`: even if another listing has its address. */
type Asked = { draft: NewListing; force: boolean; author: Author; kept: ReferenceToKeep }

type Unsaved = Asked & { deps: Dependencies; listing: Listing; row: ReturnType<typeof rowOf> }

const sharing = new WeakMap<Db, (unsaved: Unsaved) => Promise<Listing | null>>()

/** Stores a creation, with others of the same moment. @returns null if something is in its way: nothing of it was stored then */
export async function createTogether(deps: Dependencies, asked: Asked): Promise<Listing | null> {
  const listing = { ...asked.draft, ...unnumbered, public_id: newPublicId() }
  const share = sharing.get(deps.db) ?? shareStatement(store, bounds)
  sharing.set(deps.db, share)
  const unsaved = { ...asked, deps, listing, row: rowOf(listing) }
  // One at a time of an agency: the second would find that the agency has changed. The function takes several.
  const run = deps.db.isDistributed ? someInTurn : aloneInTurn
  return run(deps.db, listing.agency_id, () => share(unsaved))
}

/** @param all of one pool */
async function store(all: readonly Unsaved[]): Promise<(Listing | null)[]> {
  const [{ deps }] = all as [Unsaved]
  const { new_listings_per_hour: perHour, new_listings_per_day: perDay } = deps.config.limits
  const asked = JSON.stringify(deps.db.isDistributed ? all.map(askedAtNode) : all.map(askedOf))
  const rows = JSON.stringify(all.map(({ row }) => row))
  const values = [asked, rows, deps.clock.offsetMs, perHour.max, perDay.max]
  const stored = new Map((await run(deps, values)).map((row) => [row.id, row]))
  return all.map(({ listing }) => {
    const { revision: version, at } = stored.get(listing.id) ?? {}
    if (version === undefined || at === undefined) return null
    return { ...listing, version, created_at: at, updated_at: at }
  })
}

/** What the statement replaces, and what no draft has. */
const epoch = new Date(0).toISOString()
const unnumbered = { version: 0, created_at: epoch, updated_at: epoch, published_at: null, deleted_at: null }

function askedOf({ row, force, author, kept }: Unsaved) {
  const { agency_id, id, external_id, street_key, city_key } = row
  return {
    agency_id,
    property_id: id,
    external_id,
    street_key: force ? null : street_key,
    city_key: force ? null : city_key,
    status: kept.status,
    ...claimOf(kept, author),
  }
}

/** What the listing's own row does not say. */
function askedAtNode({ row, force, author, kept }: Unsaved) {
  return { compared_street: force ? null : row.street_key, answer: kept.status, ...claimOf(kept, author) }
}

function claimOf(kept: ReferenceToKeep, author: Author) {
  return {
    key: kept.key,
    hash: `\\x${kept.hash.toString('hex')}`,
    token: kept.token,
    rest: kept.rest,
    actor_id: author.id,
    actor_name: author.name,
    request_id: author.requestId,
  }
}

type Stored = Revision & { id: string }

/** @throws only if the connection fails: an error of one creation must not fail the others, and comes again in its transaction */
async function run({ db, log }: Dependencies, values: readonly unknown[]): Promise<Stored[]> {
  try {
    return await (db.isDistributed ? atNode : statement)(db, values)
  } catch (error) {
    if (!isOfStatement(error)) throw error
    // A key or code was taken meanwhile. Nothing else is expected.
    if (violatedConstraint(error) === null) log.warn({ err: error }, 'listings could not be created together')
    return []
  }
}
