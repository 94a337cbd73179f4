/**
 * An agency's twin is its test environment (api.md 2.8): an agency of its own, which the test keys of the real agency see. It has the real
 * agency's name, contact details and state, which are copied whenever they change, and a slug made from the real agency's.
 */
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { readNow } from '../platform/db/statements/now.ts'
import { type ApiError, invalid } from '../platform/errors/errors.ts'
import { type Agency, agencyColumns, getAgency, noSuchId, selectAgencies, storeNaming } from './agencies.ts'
import { type AgencyDetails, detailColumns, storedDetails } from './details.ts'
import { checkNotReserved } from './former-slugs.ts'
import { twinSlug } from './slugs.ts'

/** The twin, active or not; null before the agency's first test key. */
export async function findTwin(db: Db | Tx, agencyId: string): Promise<Agency | null> {
  return (await selectAgencies(db).where('test_of', '=', agencyId).executeTakeFirst()) ?? null
}

/** The agencies whose histories may name a person: the person's own agency and its twin; for an operator (null), all. */
export async function agenciesNaming(db: Db | Tx, agencyId: string | null) {
  const all = db.selectFrom('agencies').select(['id', 'slug']).orderBy('id')
  if (agencyId === null) return await all.execute()
  return await all
    .where(({ eb, or }) => or([eb('id', '=', agencyId), eb('test_of', '=', agencyId)]))
    .execute()
}

/**
 * The agency with the slug, for actions that a twin does not allow because it follows its agency.
 * @throws ApiError 404 when no agency has the slug; 400 `slug` when it is a twin's
 */
export async function getRealAgency(db: Db | Tx, slug: string): Promise<Agency> {
  const agency = await getAgency(db, slug)
  if (agency.test_of === null) return agency
  throw invalid('slug', `${followsText(slug)} Use "${realSlug(slug)}".`, 'slug_of_test')
}

/** The slug of the real agency, from its twin's. */
export function realSlug(slug: string): string {
  return slug.slice(0, -twinSlug('').length)
}

/** The message of the error for an action that a twin does not allow. */
export function followsText(slug: string): string {
  return `"${slug}" is the test environment of "${realSlug(slug)}" and follows it.`
}

/**
 * Creates the twin, without listings. Locks the agency's row, so its profile cannot change until the transaction ends. A shared lock
 * would do on plain PostgreSQL, but on Citus two transactions that share it would wait for each other to insert.
 * @throws the database's error if the agency has a twin already, or another agency has its slug
 */
export async function createTwin(tx: Tx, agencyId: string, twinId: string, clock: Clock): Promise<Agency> {
  const real = await tx
    .selectFrom('agencies')
    .select(['name', 'slug', 'email', 'active', ...detailColumns])
    .where('id', '=', agencyId)
    .where('test_of', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (real === undefined) return noSuchId()
  const now = await readNow(tx, clock)
  const twin = await tx
    .insertInto('agencies')
    .values({
      ...storedDetails(real as typeof real & AgencyDetails),
      id: twinId,
      slug: twinSlug(real.slug),
      test_of: agencyId,
      created_at: now,
      updated_at: now,
    })
    .returning(agencyColumns)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('agency_revisions')
    .values({ agency_id: twinId, changed_at: twin.created_at, is_test: true })
    .execute()
  await checkNotReserved(tx, twinId, twin.slug, clock)
  return twin
}

/**
 * Gives the twin its agency's new name, slug and email.
 * @throws ApiError 400 `slug` if another agency has the slug that the twin would get
 */
export async function updateTwin(tx: Tx, twin: Agency, { name, slug, email }: Agency, clock: Clock) {
  const own = twinSlug(slug)
  const taken = invalid(
    'slug',
    `The slug "${slug}" cannot be used: the test environment would get "${own}", which another agency has. Choose another.`,
    'slug_taken',
  )
  await storeNaming(tx, twin, { name, slug: own, email }, clock, taken)
}

/** 400 `test`: the slug that the twin would have belongs to another agency. */
export function testSlugTaken(slug: string): ApiError {
  return invalid(
    'test',
    `"${slug}" cannot have a test environment: another agency has its slug, "${twinSlug(slug)}". Rename that agency first.`,
    'test_slug_taken',
  )
}
