/** Finds listings of the same agency that resemble one: of the same operation, ranked by type, city, price and bedrooms. */
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import type { BlurredPlaceOf } from '../geocoding/blurred-place.ts'
import type { Listing } from '../listing.ts'
import { type PublicListing, type PublicRow, publicRow, toPublic } from './public.ts'
import { foldForSearch } from '../addresses/fold.ts'

/** Index entries read above the price, below it, and among the newest. So an agency's size makes no difference. */
const reach = 100

const columns = 'id, public_id, type, city_folded, price_kind, price_amount, bedrooms'
const published = `agency_id = $1 and status = 'published' and deleted_at is null`

/**
 * The nearest in price of the same kind, and the newest of the same operation, the most similar first. Another type weighs as much as
 * another city and a wholly different price together.
 */
const findNear = statement<{ id: string }>(`
  with near as (
    (select ${columns} from properties where ${published} and price_kind = $3 and price_amount >= $4::numeric
     order by price_amount, public_id limit ${reach})
    union
    (select ${columns} from properties where ${published} and price_kind = $3 and price_amount < $4::numeric
     order by price_amount desc, public_id desc limit ${reach})
    union
    (select ${columns} from (
       select operation, ${columns} from properties where ${published} order by listed_at desc, public_id limit ${reach}
     ) newest where operation is not distinct from $5)
  )
  select id from near where id <> $2
  order by
    case when type is not distinct from $6 then 0 else 2 end
    + case when city_folded = $7::text then 0 else 1 end
    + case when price_kind = $3 then least(1, abs(ln((greatest(price_amount, 1) / greatest($4::numeric, 1))::float8))) else 1 end
    + case when bedrooms is null or $8::float8 is null then 0.25 else least(0.5, abs(bedrooms - $8::float8) / 4) end,
    public_id
  limit $9`)

/** Keeps the order of the ids. A listing that has been unpublished since is missing. */
const findRows = statement<PublicRow>(`
  select ${publicRow.columns} from properties p
  where p.agency_id = $1 and p.id = any ($2::uuid[]) and p.status = 'published' and p.deleted_at is null
  order by array_position($2::uuid[], p.id)`)

/** Published listings of its agency, the most similar first. @param listing published or not */
export async function findSimilar(
  db: Executor,
  listing: Listing,
  max: number,
  blurredPlace: BlurredPlaceOf,
): Promise<PublicListing[]> {
  const { agency_id: agencyId, operation, type, city } = listing
  const { bedrooms } = listing.features
  const near = await findNear(db, [
    agencyId,
    listing.id,
    `${operation ?? 'none'} ${listing.price_currency ?? 'none'}`,
    listing.price_amount,
    operation,
    type,
    city === null ? null : foldForSearch(city),
    typeof bedrooms === 'number' ? bedrooms : null,
    max,
  ])
  if (near.length === 0) return []
  const rows = await findRows(db, [agencyId, near.map((row) => row.id)])
  return rows.map((row) => toPublic(row, blurredPlace))
}
