/**
 * Slugs that agencies gave up. Their old addresses lead to the new ones, and for a year nobody else can take them: links in portals, mails
 * and search engines must not suddenly show another agency.
 */
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { fromNow } from '../platform/db/now.ts'
import { shortStatement } from '../platform/db/statement.ts'
import { type ApiError, invalid } from '../platform/errors.ts'
import { slugKeptDays } from '../limits/table.ts'

/** In the transaction that gives the agency another slug. */
export async function keepFormerSlug(tx: Tx, agencyId: string, slug: string, now: string): Promise<void> {
  const row = { agency_id: agencyId, given_up_at: now }
  await tx
    .insertInto('former_slugs')
    .values({ slug, ...row })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(row))
    .execute()
}

/**
 * In the transaction that has just given the agency the slug. Not before: the unique slug may have waited for another transaction to give it
 * up, and only what is read afterwards sees that.
 * @throws ApiError 400 `slug`; the transaction must not commit then
 */
export async function checkNotKept(tx: Tx, agencyId: string, slug: string, clock: Clock): Promise<void> {
  const kept = await tx
    .selectFrom('former_slugs')
    .select('slug')
    .where('slug', '=', slug)
    .where('agency_id', '!=', agencyId)
    .where('given_up_at', '>', keptSince(clock))
    .executeTakeFirst()
  if (kept !== undefined) throw slugTaken(slug)
}

/** The same for a slug that somebody has and one that somebody had lately. */
export function slugTaken(slug: string): ApiError {
  return invalid('slug', `The slug "${slug}" is taken. Choose another.`, 'slug_taken')
}

const current = shortStatement<{ slug: string }>(`
  select a.slug from former_slugs f join agencies a on a.id = f.agency_id where f.slug = $1`)

/** Where the addresses of a slug that no agency has lead: the slug that its last agency has now, or null. */
export async function findSuccessor(db: Db, slug: string): Promise<string | null> {
  if (!/^[a-z0-9-]{1,68}$/.test(slug)) return null
  return (await current(db, [slug]))[0]?.slug ?? null
}

export type FormerSlug = { slug: string; given_up_at: string; is_kept: boolean }

/** Those that lead to the agency, the last first. */
export async function listFormerSlugs(db: Db, agencyId: string, clock: Clock): Promise<FormerSlug[]> {
  return await db
    .selectFrom('former_slugs as f')
    .select(['f.slug', 'f.given_up_at'])
    .select((eb) => eb('f.given_up_at', '>', keptSince(clock)).$castTo<boolean>().as('is_kept'))
    .where('f.agency_id', '=', agencyId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('agencies as a').select('a.id').whereRef('a.slug', '=', 'f.slug'))),
    )
    .orderBy('f.given_up_at', 'desc')
    .execute()
}

function keptSince(clock: Clock) {
  return fromNow(clock, -slugKeptDays * 86_400)
}
