/** The stored form of a listing, the part of it that a payload fills, and the warnings of writes. */
import type { Row } from '../platform/db/types.ts'
import type { FeatureName, FeatureValue } from './fields/features.ts'
import { emptyOf, type Stored } from './fields/field.ts'
import { type Fields, type Leaf, type OwnName, valueColumns } from './fields/field-lists.ts'
import type { LocationStatus, Status } from './fields/vocabulary.ts'

export type Features = { [K in FeatureName]?: FeatureValue }
type RentalParts = Fields['rental']['parts']
export type Rental = { -readonly [Part in keyof RentalParts]: Stored<RentalParts[Part]> }

type PartColumns<Parts> = {
  -readonly [
    Part in keyof Parts as Parts[Part] extends { column: infer Column extends string } ? Column : never
  ]: Stored<Parts[Part]>
}

/** The columns that a payload can set. */
export type Content = { -readonly [Name in OwnName]: Stored<Fields[Name]> } & PartColumns<
  Fields['price']['parts']
> &
  PartColumns<Fields['expenses']['parts']> &
  PartColumns<Fields['location']['parts']> & {
    location_status: LocationStatus | null
    features: Features
    rental: Rental | null
  }

export type Addressed = Pick<Content, 'address' | 'city' | 'province'>

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

export const noContent = {
  ...Object.fromEntries(valueColumns.map(([column, field]) => [column, emptyOf(field)])),
  location_status: null,
  features: {},
  rental: null,
} as Content

/** The stored value of a field that agencies send; null, false or an empty list if it has none. */
export function leafValue(content: Content, { name, group, field }: Leaf): unknown {
  if (group === 'features') return content.features[name as FeatureName] ?? null
  if (group === 'rental') return content.rental?.[name as keyof Rental] ?? emptyOf(field)
  return content[(group === null ? name : field.column) as keyof Content]
}

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
