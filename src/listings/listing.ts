/**
 * The stored form of a listing, the part of it that a payload fills, and the warnings of writes.
 */
import type { Selectable } from 'kysely'
import type { Properties } from '../platform/db/types.ts'
import type { FeatureName, LocationStatus, Operation, Period, PropertyType, Status } from './vocabulary.ts'

export type Features = { [K in FeatureName]?: number | string | boolean }
export type Rental = { min_stay: number | null; min_lease_months: number | null; services_included: string[] }

/** The columns that a payload can set. */
export type Content = {
  external_id: string | null
  title: string | null
  description: string | null
  operation: Operation | null
  type: PropertyType | null
  price_amount: number | null
  price_currency: string | null
  price_period: Period | null
  price_on_request: boolean
  expenses_amount: number | null
  expenses_currency: string | null
  address: string | null
  city: string | null
  province: string | null
  lat: number | null
  lng: number | null
  location_status: LocationStatus | null
  features: Features
  amenities: string[]
  video_url: string | null
  video_urls: string[]
  virtual_tour_url: string | null
  rental: Rental | null
}

/** A row of `properties`, without the columns for search, comparison and queues. */
export type Listing = Omit<
  Selectable<Properties>,
  | keyof Content
  | 'status'
  | 'city_folded'
  | 'search_folded'
  | 'street_key'
  | 'city_key'
  | 'address_rules'
  | 'sought_version'
  | 'bedrooms'
  | 'bathrooms'
  | 'main_m2'
  | 'price_kind'
  | 'listed_at'
  | 'place_blurred'
  | 'rough_folded'
> &
  Content & { status: Status }

export const noContent: Content = {
  external_id: null,
  title: null,
  description: null,
  operation: null,
  type: null,
  price_amount: null,
  price_currency: null,
  price_period: null,
  price_on_request: false,
  expenses_amount: null,
  expenses_currency: null,
  address: null,
  city: null,
  province: null,
  lat: null,
  lng: null,
  location_status: null,
  features: {},
  amenities: [],
  video_url: null,
  video_urls: [],
  virtual_tour_url: null,
  rental: null,
}

const contentColumns = Object.keys(noContent) as (keyof Content)[]

/** Every column of a Listing, in the order of the table. */
export const listingColumns = [
  'agency_id',
  'id',
  'public_id',
  'version',
  'status',
  ...contentColumns,
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
] as const satisfies readonly (keyof Listing)[]

/** Columns of a table or subquery `p`, and the type of the rows that they give. */
export type Selection<Row> = {
  columns: string
  /** Never set; carries the row type. */
  readonly row?: Row
}

/** The whole listing. */
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
