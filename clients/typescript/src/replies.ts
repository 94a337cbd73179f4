/**
 * Parameters and results of the client's methods: the response's body, with `response` added.
 */
import type { ItemError } from './errors.ts'
import type { components } from './openapi.ts'
import type { ResponseInfo } from './send.ts'
import type {
  Cost,
  DeletedProperty,
  FieldName,
  GeocodeResult,
  ListLinks,
  ListMeta,
  ListQuery,
  PhotoCounts,
  PhotoResult,
  Property,
  Room,
  SetPhotoCounts,
  SetPhotoResult,
  TriedProperty,
  Warning,
} from './types.ts'

export type ReadOptions = { signal?: AbortSignal }

export type WriteOptions = {
  /** 8 to 64 of `A-Za-z0-9._:-`. By default the client generates one and keeps it for its retries. Pass yours to resume after a crash. */
  idempotencyKey?: string
  /** An `etag`: write only if the listing is still at that version, else `precondition_failed`. Null is a RangeError. */
  ifMatch?: string | null
  dryRun?: false
  signal?: AbortSignal
}

/** Checks the write without storing anything. */
export type DryRunOptions = { dryRun: true; ifMatch?: string | null; signal?: AbortSignal }

/** A listing with the requested fields, or all fields by default. `location_status` comes with `location`. */
export type WithFields<F extends FieldName> = [F] extends [never]
  ? Property
  : Pick<Property, 'id' | F | ('location' extends F ? 'location_status' : never)>

/** The listings of a list with that query. */
export type Listed<Q extends ListQuery> = Q extends { fields: readonly (infer F extends FieldName)[] }
  ? WithFields<F>
  : Property

type Reply<Body> = Body & { response: ResponseInfo }

export type Single<T> = Reply<{ data: T }>
export type Page<P> = Reply<{ data: P[]; meta: ListMeta; links: ListLinks }>
/** `photos` is there when a creation had photos. */
export type Written = Reply<{ data: Property; photos?: PhotoResult[]; warnings: Warning[] }>
/** The listing as it would be; one that would be created has null as `id` and `url`. */
export type Tried = Reply<{
  data: TriedProperty
  warnings: Warning[]
  dry_run: true
  cost: Cost
  room: Room
}>
export type Deleted = Reply<{ data: DeletedProperty; warnings: Warning[] }>
export type PhotosAdded = Reply<{
  data: Property
  photos: PhotoResult[]
  meta: PhotoCounts
  warnings: Warning[]
}>
export type PhotosSet = Reply<{
  data: Property
  photos: SetPhotoResult[]
  meta: SetPhotoCounts
  warnings: Warning[]
}>
export type Geocoded = Single<GeocodeResult>

/** `error` tells whether the item failed. */
export type BatchResult = Omit<components['schemas']['BatchResult'], 'data' | 'error'> &
  ({ data: Property | DeletedProperty; error?: undefined } | { error: ItemError; data?: undefined })

export type Batch = Reply<{
  results: BatchResult[]
  meta: { total: number; succeeded: number; failed: number }
}>
/** The result that an item would have. */
export type TriedBatchResult = Omit<components['schemas']['TriedBatchResult'], 'data' | 'error'> &
  (
    | {
        data: TriedProperty | (Omit<DeletedProperty, 'id'> & { id: string | null })
        error?: undefined
      }
    | { error: ItemError; data?: undefined }
  )

/** The response that a batch would get. Listings that would be created have null as `id` and `url`. */
export type BatchTried = Omit<Batch, 'results'> & {
  results: TriedBatchResult[]
  dry_run: true
  cost: Cost
  room: Room
}
