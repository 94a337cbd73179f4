/**
 * Names for the API's types, whose fields come from the OpenAPI document (openapi.ts).
 */
import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']
type Body<Id extends keyof operations, Status extends number> = operations[Id]['responses'] extends {
  [S in Status]: { content: { 'application/json': infer B } }
}
  ? B
  : never

/** A listing with all its fields. */
export type Property = Schemas['Property']
/** A listing as a dry run shows it: one that would be created has null as `id` and `url`. */
export type TriedProperty = Schemas['TriedProperty']
/** A listing limited by `fields`: `id` and the requested fields. */
export type PropertyFields = Schemas['PropertyFields']
/** The body that creates a listing. */
export type PropertyInput = Schemas['PropertyInput']
/** The body that edits a listing; omitted fields stay. */
export type PropertyPatch = Schemas['PropertyPatch']
/** The names that `fields` accepts. */
export type FieldName = Exclude<keyof Property, 'location_status'>

export type Warning = Schemas['Warning']
/** The result for one photo. */
export type PhotoResult = Schemas['PhotoResult']
/** A photo that could not be stored, and why. */
export type FailedPhoto = Schemas['FailedPhoto']

/** One operation of a batch; an upsert if `action` is left out. */
export type BatchItem = Schemas['BatchItem']

/** Filters, order and page of a list. */
export type ListQuery = Omit<NonNullable<operations['listProperties']['parameters']['query']>, 'fields'> & {
  fields?: readonly FieldName[]
}
export type ListMeta = Body<'listProperties', 200>['meta']
export type ListLinks = Body<'listProperties', 200>['links']

/** Why and at what price a listing is suspended. */
export type DisableInput = NonNullable<
  operations['disableProperty']['requestBody']
>['content']['application/json']
export type DeletedProperty = Body<'deleteProperty', 200>['data']
export type PhotoCounts = Body<'addPhotos', 200>['meta']

export type GeocodeInput = operations['geocode']['requestBody']['content']['application/json']
export type GeocodeResult = Body<'geocode', 200>['data']

/** The key, its agency, the limits in force and what is used of them. */
export type Me = Body<'getMe', 200>['data']
export type ServiceRoot = Body<'getRoot', 200>
export type Health = Body<'getHealth', 200>

/** The cost that a dry run reports for the write. */
export type Cost = Schemas['Cost']
/** Whether the limits have room for it; the names of limits without room, and the seconds until all have some. */
export type Room = Schemas['Room']

/** An entry of the feed of changes. `property` has the requested fields, and is null on `removed`. */
export type Change<P = Property> =
  | (Omit<Schemas['UpsertedChange'], 'property'> & { property: P })
  | Schemas['RemovedChange']

/** Store `next_cursor` with what you made of `data`; the feed continues from there. */
export type ChangesPage<P = Property> = Omit<Body<'listChanges', 200>, 'data'> & { data: Change<P>[] }

/** The result for one URL in `setPhotos`; `kept` costs no download. */
export type SetPhotoResult = Schemas['SetPhotoResult']
export type SetPhotoCounts = Body<'setPhotos', 200>['meta']
