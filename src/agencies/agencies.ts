/**
 * Agencies: created, changed and deactivated by the operator (api.md 2.1).
 */
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import { type Db, violatedConstraint } from '../db/database.ts'
import { within } from '../db/transaction.ts'
import { checkEmail } from '../email-address.ts'
import { ApiError, invalid } from '../errors.ts'
import { uuidv7 } from '../ids.ts'
import { checkAgencyName } from '../plain-name.ts'

export type Agency = {
  id: string
  name: string
  slug: string
  /** Where changes of state are notified. */
  email: string | null
  active: boolean
  created_at: string
}

/** An agency as the API and the command line show it. */
export type AgencyView = {
  id: string
  name: string
  slug: string
  url: string
  status: 'active' | 'inactive'
}

const columns = ['id', 'name', 'slug', 'email', 'active', 'created_at'] as const

/** The URL of an agency's public page. */
export function agencyUrl(publicBaseUrl: string, slug: string): string {
  return `${publicBaseUrl}/inmobiliarias/${slug}`
}

/** The shown fields of an agency's row. */
export function toAgency(
  agency: Readonly<{ id: string; name: string; slug: string; active: boolean }>,
  publicBaseUrl: string,
): AgencyView {
  return {
    id: agency.id,
    name: agency.name,
    slug: agency.slug,
    url: agencyUrl(publicBaseUrl, agency.slug),
    status: agency.active ? 'active' : 'inactive',
  }
}

/**
 * Creates an active agency.
 * @throws ApiError 400 `name`, `slug` (malformed or taken) or `email`.
 */
export async function createAgency(
  db: Db | Tx,
  input: Readonly<{ name: string; slug: string; email?: string | null }>,
  clock: Clock,
): Promise<Agency> {
  const name = checkAgencyName(input.name)
  const slug = checkSlug(input.slug)
  const email = input.email == null ? null : checkEmail(input.email)
  try {
    return await within(db, async (tx) => {
      const agency = await tx
        .insertInto('agencies')
        .values({
          id: uuidv7(),
          name,
          slug,
          email,
          created_at: shiftedNow(clock),
          updated_at: shiftedNow(clock),
        })
        .returning(columns)
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('agency_revisions')
        .values({ agency_id: agency.id, changed_at: agency.created_at })
        .execute()
      return agency
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'agencies_slug_key') throw error
    throw slugTaken(slug)
  }
}

/**
 * Changes an agency's profile. Listings contain its name and slug, so changing these raises the profile's version.
 * @throws ApiError 400 `name`, `slug` (malformed or taken) or `email`; 404 without such an agency.
 */
export async function updateAgency(
  tx: Tx,
  agencyId: string,
  input: Readonly<{ name: string; slug: string; email: string | null }>,
  clock: Clock,
): Promise<Agency> {
  const name = checkAgencyName(input.name)
  const slug = checkSlug(input.slug)
  const email = input.email === null ? null : checkEmail(input.email)
  try {
    const agency = await tx
      .updateTable('agencies')
      .set({
        name,
        slug,
        email,
        profile_version: sql<number>`profile_version + (name <> ${name} or slug <> ${slug})::int`,
        updated_at: shiftedNow(clock),
      })
      .where('id', '=', agencyId)
      .returning(columns)
      .executeTakeFirst()
    if (agency === undefined) throw new ApiError('not_found', { message: 'This agency does not exist.' })
    return agency
  } catch (error) {
    if (violatedConstraint(error) !== 'agencies_slug_key') throw error
    throw slugTaken(slug)
  }
}

/** All agencies, by slug. */
export async function listAgencies(db: Db | Tx): Promise<Agency[]> {
  return await db.selectFrom('agencies').select(columns).orderBy('slug').execute()
}

export async function findAgency(db: Db | Tx, slug: string): Promise<Agency | null> {
  const row = await db.selectFrom('agencies').select(columns).where('slug', '=', slug).executeTakeFirst()
  return row ?? null
}

/** @throws ApiError 404 when no agency has the slug. */
export async function getAgency(db: Db | Tx, slug: string): Promise<Agency> {
  return (await findAgency(db, slug)) ?? noSuchAgency(slug)
}

/**
 * Activates or deactivates an agency, with all its keys. No effect if it already is in that state.
 * @throws ApiError 404 when no agency has the slug.
 */
export async function setAgencyActive(
  db: Db | Tx,
  slug: string,
  active: boolean,
  clock: Clock,
): Promise<Agency> {
  await db
    .updateTable('agencies')
    .set({ active, updated_at: shiftedNow(clock) })
    .where('slug', '=', slug)
    .where('active', '!=', active)
    .execute()
  return await getAgency(db, slug)
}

function checkSlug(slug: string): string {
  if (slug.length > 63 || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) {
    throw invalid(
      'slug',
      `"${slug}" is not a valid slug. Use 1 to 63 lowercase letters and digits, separated by single hyphens.`,
      'slug_odd',
    )
  }
  return slug
}

function slugTaken(slug: string): ApiError {
  return invalid('slug', `The slug "${slug}" is taken. Choose another.`, 'slug_taken')
}

function shiftedNow(clock: Clock) {
  return sql<string>`clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms'`
}

function noSuchAgency(slug: string): never {
  throw new ApiError('not_found', { message: `No agency has the slug "${slug}".` })
}
