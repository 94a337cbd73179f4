/** Agencies: created, changed and deactivated by the operator (api.md 2.1). */
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import { type Db, violatedConstraint } from '../platform/db/database.ts'
import { readNow } from '../platform/db/statements/now.ts'
import { statement } from '../platform/db/statements/statement.ts'
import type { Row } from '../platform/db/types.ts'
import { within } from '../platform/db/statements/transaction.ts'
import { checkEmail } from '../platform/names/email.ts'
import { ApiError } from '../platform/errors/errors.ts'
import { uuidv7 } from '../platform/names/ids.ts'
import { checkAgencyName } from '../platform/names/plain-name.ts'
import { checkNotReserved, reserveFormerSlug, slugTaken } from './former-slugs.ts'
import { checkNewSlug } from './slugs.ts'

export const agencyColumns = ['id', 'name', 'slug', 'email', 'active', 'created_at', 'test_of'] as const

/** `email` receives notifications of state changes. `test_of`: the agency whose twin it is (twins.ts); null: a real agency. */
export type Agency = Row<'agencies', (typeof agencyColumns)[number]>

/** The URL of an agency's public page. */
export function agencyUrl(publicBaseUrl: string, slug: string): string {
  return `${publicBaseUrl}/inmobiliarias/${slug}`
}

/** An agency as the command line shows it. */
export function toAgency({ id, name, slug, active }: Agency, publicBaseUrl: string) {
  return { id, name, slug, url: agencyUrl(publicBaseUrl, slug), status: active ? 'active' : 'inactive' }
}

/** Creates an active agency. @throws ApiError 400 `name`, `slug` (malformed, reserved or taken) or `email`. */
export async function createAgency(
  db: Db | Tx,
  input: Readonly<{ name: string; slug: string; email?: string | null; id?: string }>,
  clock: Clock,
): Promise<Agency> {
  const { id = uuidv7() } = input
  const name = checkAgencyName(input.name)
  const slug = checkNewSlug(input.slug)
  const email = input.email == null ? null : checkEmail(input.email)
  try {
    return await within(db, async (tx) => {
      const now = await readNow(tx, clock)
      const agency = await tx
        .insertInto('agencies')
        .values({ id, name, slug, email, created_at: now, updated_at: now })
        .returning(agencyColumns)
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('agency_revisions')
        .values({ agency_id: agency.id, changed_at: agency.created_at })
        .execute()
      await checkNotReserved(tx, agency.id, slug, clock)
      return agency
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'agencies_slug_key') throw error
    throw slugTaken(slug)
  }
}

export type AgencyNaming = { name: string; slug: string; email: string | null }

/** Listings contain name and slug, so changing these raises the profile's version. */
const setNaming = statement<Agency>(`
  update agencies set name = $2, slug = $3, email = $4,
    profile_version = profile_version + (name <> $2 or slug <> $3)::int, updated_at = $5
  where id = $1 returning ${agencyColumns.join(', ')}`)

/**
 * Stores the naming of an agency or twin, and keeps the slug that it gives up.
 * @param taken the error if another agency has the new slug
 */
export async function storeNaming(
  tx: Tx,
  { id, slug: before }: Pick<Agency, 'id' | 'slug'>,
  { name, slug, email }: AgencyNaming,
  clock: Clock,
  taken: ApiError = slugTaken(slug),
): Promise<Agency> {
  const now = await readNow(tx, clock)
  try {
    const [agency = noSuchId()] = await setNaming(tx, [id, name, slug, email, now])
    if (slug === before) return agency
    await checkNotReserved(tx, id, slug, clock)
    await reserveFormerSlug(tx, id, before, now)
    return agency
  } catch (error) {
    if (violatedConstraint(error) !== 'agencies_slug_key') throw error
    throw taken
  }
}

/**
 * Changes the given fields. The agency's row stays locked, so that no twin with the old profile can appear before the transaction ends.
 * @throws ApiError 400 `name`, `slug` (malformed, reserved or taken) or `email`; 404 without such an agency.
 */
export async function updateAgency(tx: Tx, agencyId: string, changes: Partial<AgencyNaming>, clock: Clock) {
  const before = await tx
    .selectFrom('agencies')
    .select(['name', 'slug', 'email'])
    .where('id', '=', agencyId)
    .where('test_of', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (before === undefined) return noSuchId()
  const name = changes.name === undefined ? before.name : checkAgencyName(changes.name)
  const email =
    changes.email === undefined ? before.email : changes.email === null ? null : checkEmail(changes.email)
  const slug =
    changes.slug === undefined || changes.slug === before.slug ? before.slug : checkNewSlug(changes.slug)
  return await storeNaming(tx, { id: agencyId, slug: before.slug }, { name, slug, email }, clock)
}

export const selectAgencies = (db: Db | Tx) => db.selectFrom('agencies').select(agencyColumns)

/** All real agencies, by slug: no twins. */
export async function listAgencies(db: Db | Tx): Promise<Agency[]> {
  return await selectAgencies(db).where('test_of', 'is', null).orderBy('slug').execute()
}

/** All twins, by slug. */
export async function listTwins(db: Db | Tx): Promise<Agency[]> {
  return await selectAgencies(db).where('test_of', 'is not', null).orderBy('slug').execute()
}

/** The agency or twin with the slug, or null. */
export async function findAgency(db: Db | Tx, slug: string): Promise<Agency | null> {
  return (await selectAgencies(db).where('slug', '=', slug).executeTakeFirst()) ?? null
}

/** The agency or twin with the id, or null. */
export async function findAgencyById(db: Db | Tx, id: string): Promise<Agency | null> {
  return (await selectAgencies(db).where('id', '=', id).executeTakeFirst()) ?? null
}

/** The agency or twin with the id. @throws ApiError 404 when there is none. */
export async function getAgencyById(db: Db | Tx, id: string): Promise<Agency> {
  return (await findAgencyById(db, id)) ?? noSuchId()
}

/** The agency or twin with the slug. @throws ApiError 404 when there is none. */
export async function getAgency(db: Db | Tx, slug: string): Promise<Agency> {
  return (await findAgency(db, slug)) ?? noSuchAgency(slug)
}

/**
 * Activates or deactivates an agency and its twin, with all their keys. No effect if it already is in that state.
 * @throws ApiError 404 when no agency has the slug.
 */
export async function setAgencyActive(db: Db | Tx, slug: string, active: boolean, clock: Clock) {
  return await within(db, async (tx) => {
    const { id } = await getAgency(tx, slug)
    const now = await readNow(tx, clock)
    for (const column of agencyThenTwin) {
      await tx
        .updateTable('agencies')
        .set({ active, updated_at: now })
        .where(column, '=', id)
        .where('active', '!=', active)
        .execute()
    }
    return await getAgency(tx, slug)
  })
}

/** The columns that hold an agency's id: in its own row, then in its twin's. Writers of both lock the rows in this order. */
export const agencyThenTwin = ['id', 'test_of'] as const

export function noSuchId(): never {
  throw new ApiError('not_found', { message: 'This agency does not exist.' })
}

function noSuchAgency(slug: string): never {
  throw new ApiError('not_found', { message: `No agency has the slug "${slug}".` })
}
