/**
 * Finds and erases the people whom listings name, as actors in the history and as senders of photos that failed. For exports and erasures
 * of a person's data.
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { lockAgency } from '../../writing/under-lock.ts'
import { isWarnedBy, type PhotoWarnings, withoutSenders } from '../reading/warnings/photo-warnings.ts'

type Agency = Readonly<{ id: string; slug: string }>

/** The accounts' ids. The whole history is read: it has no index by actor, because every write would pay for one. */
type Ids = readonly string[]

const selectByActors = statement<{
  at: string
  id: string
  uuid: string
  action: string
  name: string | null
  request_id: string | null
}>(`
  select h.at, p.public_id as id, h.property_id as uuid, h.action, h.actor_name as name, h.request_id
  from listing_history h join properties p on p.agency_id = h.agency_id and p.id = h.property_id
  where h.agency_id = $1 and h.actor_id = any ($2::uuid[]) order by h.at, h.property_id`)

/** Changes of the agency's listings by these people, oldest first. */
export async function findInHistory(db: Executor, { id, slug }: Agency, actors: Ids): Promise<object[]> {
  return (await selectByActors(db, [id, actors])).map((entry) => ({ agency: slug, ...entry }))
}

const eraseNames = statement(`
  update listing_history set actor_name = null
  where agency_id = $1 and actor_id = any ($2::uuid[]) and actor_name is not null returning 1`)

/** @returns the number of entries */
export async function eraseFromHistory(tx: Executor, { id }: Agency, actors: Ids): Promise<number> {
  return (await eraseNames(tx, [id, actors])).length
}

const selectNames = statement<{ name: string }>(`
  select distinct actor_name as name from listing_history
  where agency_id = $1 and actor_id = any ($2::uuid[]) and actor_name is not null`)

/** The names, present and former, that the agency's history has for these people. */
export async function findNames(db: Executor, { id }: Agency, actors: Ids): Promise<string[]> {
  return (await selectNames(db, [id, actors])).map(({ name }) => name)
}

const selectWarned = statement<{ uuid: string; warnings: PhotoWarnings }>(`
  select property_id as uuid, warnings from photo_sources where agency_id = $1 and warnings is not null order by property_id`)

/** Warnings have no ids of their senders: a namesake in the agency counts as the person. */
type Names = ReadonlySet<string>

async function selectSent(db: Executor, agencyId: string, names: Names) {
  return (await selectWarned(db, [agencyId])).filter(({ warnings }) => isWarnedBy(warnings, names))
}

/** The agency's listings with warnings about photos that people with these names sent. */
export async function findInPhotoWarnings(
  db: Executor,
  { id, slug }: Agency,
  names: Names,
): Promise<object[]> {
  return (await selectSent(db, id, names)).map(({ uuid }) => ({ agency: slug, uuid }))
}

const storeWarnings = statement(
  'update photo_sources set warnings = $3::jsonb where agency_id = $1 and property_id = $2',
)

/** Takes the agency's lock if there is anything to erase. Without it, a concurrent write of photos could store an erased name again. */
export async function eraseFromPhotoWarnings(
  tx: Tx,
  { id }: Agency,
  names: Names,
  clock: Clock,
): Promise<number> {
  if ((await selectSent(tx, id, names)).length === 0) return 0
  await lockAgency(tx, id, clock)
  const sent = await selectSent(tx, id, names)
  for (const { uuid, warnings } of sent)
    await storeWarnings(tx, [id, uuid, JSON.stringify(withoutSenders(warnings, names))])
  return sent.length
}
