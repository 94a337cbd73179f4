/**
 * Creates listings in the database (migrations/functions/create_listings.sql): in the transaction of a write, or by a single statement
 * that creations of several agencies share. The statement costs PostgreSQL a third of a transaction.
 */
import { type Db, isOfStatement, violatedConstraint } from '../../../platform/db/database.ts'
import { shareStatement } from '../../../platform/db/statements/shared-statement.ts'
import { boundedWait, statement, type Statement } from '../../../platform/db/statements/statement.ts'
import type { Deps } from '../../../deps.ts'
import type { LimitDeps } from '../../../limits/counters.ts'
import type { Counters } from '../../../limits/take.ts'
import type { Limits } from '../../../limits/table.ts'
import { perObject } from '../../../platform/memory/per-object.ts'
import type { Actor } from '../../../writing/actor.ts'
import { type ReferenceToStore, retentionHours } from '../../../writing/reference-to-store.ts'
import { inStatementSlot } from '../../../writing/write-slots.ts'
import type { Listing } from '../../listing.ts'
import { rowOf } from '../../store/write-statements.ts'

/** A listing to create. */
export type NewListing = {
  /** The database sets its version and timestamps. */
  listing: Listing
  /** False if another listing may have its address. */
  comparesAddress: boolean
  actor: Actor
  /** Stored for an Idempotency-Key that nobody has claimed; null without a key, or if the transaction has claimed it. */
  response: ReferenceToStore | null
}

/** Why the database did not create a listing. */
type Rejection = 'busy' | 'key_in_use' | 'external_id_exists' | 'duplicate_property' | 'rate_limited'

export type Created = { id: string } & (
  | { rejection: null; revision: number; at: string }
  | { rejection: Exclude<Rejection, 'rate_limited'>; existing_id: string | null }
  | ({ rejection: 'rate_limited'; existing_id: string | null } & Counters)
)

/**
 * See migrations/functions/create_listings.sql. Values: the rows as JSON; for each, whether to compare its address, its actor and the
 * response to store; hours until the responses expire, the clock's offset, the limits per hour and per day, whether to store.
 */
const create = statement<Created>(
  `select created.*, ${boundedWait} from create_listings($1, $2, $3, $4, $5, $6, $7, $8, $9) created`,
)

/**
 * The statement that creates the listings. Two of one agency must differ in external id and street.
 * @param limits null to count no new listing
 * @param stores false to check them without storing any
 */
export function createStatement(
  newListings: readonly NewListing[],
  { offsetMs }: Deps['clock'],
  limits: Limits | null,
  stores = true,
): Statement<Created> {
  return create.with([
    JSON.stringify(newListings.map(({ listing }) => rowOf(listing))),
    newListings.map(({ comparesAddress }) => comparesAddress),
    newListings.map(({ actor: { kind, id, name, requestId } }) =>
      JSON.stringify({ kind, id, name, request_id: requestId }),
    ),
    newListings.map(
      ({ response }) => response && JSON.stringify({ ...response, hash: bytea(response.hash) }),
    ),
    retentionHours,
    offsetMs,
    limits?.new_listings_per_hour.max ?? null,
    limits?.new_listings_per_day.max ?? null,
    stores,
  ])
}

const bytea = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** The listing as the database created it. */
export function asCreated(
  listing: Listing,
  { revision: version, at }: Extract<Created, { rejection: null }>,
): Listing {
  const published_at = listing.status === 'published' ? at : null
  return { ...listing, version, created_at: at, updated_at: at, published_at }
}

type Dependencies = LimitDeps & Pick<Deps, 'log'>
type Unsaved = { deps: Dependencies; newListing: NewListing }

/** One statement at a time: two would have half as many creations each, and most of PostgreSQL's work is starting and committing. */
const bounds = { maxInFlight: 1, maxAtOnce: 32 }

const sharingOf = perObject<Db, (unsaved: Unsaved) => Promise<Created>>(() =>
  shareStatement(createAll, bounds),
)

/** Creates a listing and commits, together with other agencies' creations that arrive meanwhile. An agency runs one at a time. */
export async function createTogether(deps: Dependencies, newListing: NewListing): Promise<Created> {
  const share = sharingOf(deps.db)
  return inStatementSlot(deps.db, newListing.listing.agency_id, () => share({ deps, newListing }))
}

async function createAll(all: readonly Unsaved[]): Promise<Created[]> {
  const [{ deps }] = all as [Unsaved]
  const newListings = all.map(({ newListing }) => newListing)
  try {
    const rows = await deps.db.run(createStatement(newListings, deps.clock, deps.limits))
    const created = new Map(rows.map((row) => [row.id, row]))
    return newListings.map(({ listing }) => created.get(listing.id) ?? busy(listing))
  } catch (error) {
    // One creation's error must not fail the others. Each continues in its own transaction, where the error occurs again. Only a violated
    // constraint is expected: another request has just taken the key or the public id.
    if (!isOfStatement(error)) throw error
    if (violatedConstraint(error) === null)
      deps.log.warn({ err: error }, 'a shared creation of listings failed; each is created alone')
    return newListings.map(({ listing }) => busy(listing))
  }
}

function busy({ id }: Listing): Created {
  return { id, rejection: 'busy', existing_id: null }
}
