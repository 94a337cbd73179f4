/** The stored form of a listing, and the warnings of writes. */
import type { Row } from '../platform/db/types.ts'
import { type Content, noContent } from './fields/content.ts'
import type { Status } from './fields/vocabulary.ts'

/** The columns that the service sets: those before the content, and those after it. */
const leading = ['agency_id', 'id', 'public_id', 'version', 'status'] as const
const trailing = [
  'photos',
  'reserved',
  'close_reason',
  'closed_at',
  'close_amount',
  'close_currency',
  'published_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const
type SystemColumn = Exclude<(typeof leading | typeof trailing)[number], 'status'>

/** A row of `properties`, without the columns for search, comparison and queues. */
export type Listing = Row<'properties', SystemColumn> & Content & { status: Status }

/** Every column of a Listing, in the order of the table. */
export const listingColumns = [
  ...leading,
  ...(Object.keys(noContent) as (keyof Content)[]),
  ...trailing,
] as const

/** Columns of a table or subquery `p`, and the type of the rows that they give. */
export type Selection<Row> = {
  columns: string
  /** Never set; carries the row type. */
  readonly row?: Row
}

export const wholeListing: Selection<Listing> = {
  columns: listingColumns.map((column) => `p.${column}`).join(', '),
}

type WarningCode =
  | 'location_unresolved'
  | 'status_ignored'
  | 'photos_ignored'
  | 'feature_not_applicable'
  | 'photo_failed'
  | 'photos_kept'
  | 'location_outside_country'

/** Something that a write ignored, could not do, or considers a probable mistake. */
export type Warning = { code: WarningCode; message: string; parameter?: string }
