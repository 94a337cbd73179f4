/**
 * Slugs that agencies gave up. Their URLs redirect to the new ones, and for a year no other agency can take them: links in portals, mails
 * and search engines must not suddenly show another agency.
 */
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { fromNow } from '../platform/db/statements/now.ts'
import { shortStatement } from '../platform/db/statements/statement.ts'
import { type ApiError, invalid } from '../platform/errors/errors.ts'
import { slugReservedDays } from '../limits/sizes.ts'
import { isSlug } from './slugs.ts'

/** Call it in the transaction that gives the agency another slug. */
export async function reserveFormerSlug(tx: Tx, agencyId: string, slug: string, now: string): Promise<void> {
  const row = { agency_id: agencyId, given_up_at: now }
  await tx
    .insertInto('former_slugs')
    .values({ slug, ...row })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .execute()
}

/**
 * Call it in the transaction that has just given the agency the slug, not earlier: the unique slug may have waited for another transaction
 * to release it, and only later reads see that.
 * @throws ApiError 400 `slug`; the transaction must not commit then
 */
export async function checkNotReserved(tx: Tx, agencyId: string, slug: string, clock: Clock): Promise<void> {
  const reserved = await tx
    .selectFrom('former_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .where('agency_id', '!=', agencyId)
    .where('given_up_at', '>', reservedSince(clock))
    .executeTakeFirst()
  if (reserved !== undefined) throw slugTaken(slug)
}

/** The same error for a slug in use and one that was in use recently. */
export function slugTaken(slug: string): ApiError {
  return invalid('slug', `The slug "${slug}" is taken. Choose another.`, 'slug_taken')
}

const current = shortStatement<{ slug: string }>(`
  select a.slug from former_slugs f join agencies a on a.id = f.agency_id where f.slug = $1`)

/** The current slug of the last agency that gave this slug up, or null. */
export async function findSuccessor(db: Db, slug: string): Promise<string | null> {
  if (!isSlug(slug)) return null
  return (await current(db, [slug]))[0]?.slug ?? null
}

export type FormerSlug = { slug: string; given_up_at: string; is_reserved: boolean }

/** The former slugs that lead to the agency, latest first. */
export async function listFormerSlugs(db: Db, agencyId: string, clock: Clock): Promise<FormerSlug[]> {
  return await db
    .selectFrom('former_slugs as f')
    .select(['f.slug', 'f.given_up_at'])
    .select((eb) => eb('f.given_up_at', '>', reservedSince(clock)).$castTo<boolean>().as('is_reserved'))
    .where('f.agency_id', '=', agencyId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('agencies as a').select('a.id').whereRef('a.slug', '=', 'f.slug'))),
    )
    .orderBy('f.given_up_at', 'desc')
    .execute()
}

function reservedSince(clock: Clock) {
  return fromNow(clock, -slugReservedDays * 86_400)
}
