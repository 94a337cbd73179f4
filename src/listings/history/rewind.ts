/** A listing as it was at one of its versions: its row, with every later change reverted by the history. */
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { type Changes, type RecordedFields, describedBefore } from './history.ts'
import { emptyOf } from '../fields/field.ts'
import { partColumns } from '../fields/field-lists.ts'
import { type Listing, wholeListing } from '../listing.ts'
import type { Rental } from '../fields/content.ts'

type Row = Listing & {
  /** The entry's revision. The first row has the wanted version. */
  revision: number
  at: string
  changes: Changes
  /** When the listing was last published, up to the wanted version; null if never, or only by its creation. */
  last_published_at: string | null
}

/** One statement, so that row and entries are of one snapshot. */
const selectWithLaterEntries = statement<Row>(`
  select ${wholeListing.columns}, h.revision, h.at, h.changes, (
      select at from listing_history
      where agency_id = $1 and property_id = $2 and revision <= $3 and action = 'published' order by revision desc limit 1
    ) as last_published_at
  from properties p join listing_history h on h.agency_id = p.agency_id and h.property_id = p.id
  where p.agency_id = $1 and p.id = $2 and h.revision >= $3 order by h.revision`)

/**
 * The listing, removed since then or not, as it was after the write of this version.
 * @throws Error if it never had this version, which is a defect
 */
export async function getListingAt(
  db: Executor,
  agencyId: string,
  listingId: string | null,
  version: number | null,
): Promise<Listing> {
  const listing =
    listingId === null || version === null ? null : await findListingAt(db, agencyId, listingId, version)
  if (listing === null) throw new Error(`listing ${listingId} has no version ${version}`)
  return listing
}

/** As `getListingAt`, or null. */
export async function findListingAt(
  db: Executor,
  agencyId: string,
  listingId: string,
  version: number,
): Promise<Listing | null> {
  const [row, ...later] = await selectWithLaterEntries(db, [agencyId, listingId, version])
  if (row?.revision !== version) return null
  const { revision: _, at, changes: __, last_published_at: lastPublishedAt, ...now } = row
  const fields = describedBefore(now, later)
  return {
    ...now,
    ...columnsOf(fields),
    version,
    // A draft was never published. A listing without a publication in its history was created as published.
    published_at: lastPublishedAt ?? (fields.status === 'draft' ? null : now.created_at),
    updated_at: at,
    // Only restoring changes a removed listing.
    deleted_at: fields.deleted ? at : null,
  }
}

function columnsOf(fields: RecordedFields): Partial<Listing> {
  const { price: _price, expenses: _expenses, location: _location, deleted: _deleted, ...others } = fields
  const { rental, close_price: closePrice, ...same } = others
  const { period: _period, ...terms } = rental ?? { period: null }
  return {
    ...same,
    ...Object.fromEntries(
      partColumns.map(({ column, group, name, field }) => {
        const parts: Readonly<Record<string, unknown>> | null = fields[group]
        return [column, parts?.[name] ?? emptyOf(field)]
      }),
    ),
    rental: rental && (terms as Rental),
    close_amount: closePrice?.amount ?? null,
    close_currency: closePrice?.currency ?? null,
  }
}
