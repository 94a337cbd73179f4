/** Schemas, the parameter `fields` and the rendering of listings, shared by the endpoints of listings. */
import Type, { type TSchema } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Problems } from '../../platform/errors/errors.ts'
import { isPlaceholder } from '../../platform/ids.ts'
import type { Described, NamedExamples } from '../../http/endpoint.ts'
import type { Listing } from '../../listings/listing.ts'
import { externalId, nullable } from '../../listings/fields/schema.ts'
import { propertySchema, dryRunPropertySchema } from '../../listings/reading/list/shown-schema.ts'
import { photoUrls, type ShownAgency, toProperty } from '../../listings/reading/serialize.ts'
import { type FieldSelection, rowWriter } from '../../listings/reading/list/shown-text.ts'
import type { DryRun } from '../../platform/writing/dry-run.ts'
import { fieldNames } from '../../listings/fields/field-lists.ts'
import { dryRunOf, exampleProperty } from '../examples/examples.ts'
import { addedPhotos } from '../photos/photo-results.ts'

export const idParams = Type.Object({
  id: Type.String({
    minLength: 4,
    maxLength: 36,
    description: 'Public code or uuid of the listing.',
    examples: ['7KQ2M9XA'],
  }),
})

export const externalIdParams = Type.Object({
  external_id: Type.String({
    ...externalId,
    description: 'The id of the listing in your own system.',
    examples: ['CRM-1042'],
  }),
})

export const warningsSchema = Type.Array(
  Type.Object(
    { code: Type.String(), message: Type.String(), parameter: Type.Optional(Type.String()) },
    { title: 'Warning', required: ['code', 'message'] },
  ),
  { description: 'What was ignored or needs attention; empty when nothing does.' },
)

/** Another page of a list, or null. */
export const pageLinkSchema = nullable<string>({ type: 'string', format: 'uri' })

export const notModified: Described = {
  description: 'Not changed since the response with the ETag in If-None-Match.',
  headers: ['ETag'],
}

/** The schema of a removed listing in the response of a write. @param id nullable in a dry run, where the listing may not exist yet */
export const deletedSchema = (id: TSchema, description?: string) =>
  Type.Object(
    {
      id,
      external_id: nullable<string>({ type: 'string' }),
      deleted: Type.Literal(true),
      deleted_at: Type.String({ format: 'date-time' }),
    },
    description === undefined ? {} : { description },
  )

export function shownDeleted({ public_id: id, external_id, deleted_at }: Listing) {
  return { id: isPlaceholder(id) ? null : id, external_id, deleted: true, deleted_at }
}

/** Documents the response of a write of one listing. */
export function describedWrite(description: string, example: object = exampleProperty): Described {
  return {
    description,
    schema: Type.Object({ data: propertySchema, warnings: warningsSchema }),
    example: { data: example, warnings: [] },
    headers: ['ETag'],
  }
}

/** Adds the example of a dry run to the response of an edit (api.md 19.2). */
export function withDryRunExample({ example, ...described }: Described): Described {
  return {
    ...described,
    examples: {
      updated: { summary: 'Updated', value: example },
      dry_run: { summary: 'A dry run', value: dryRunOf(example as object) },
    },
  }
}

/** The errors of a creation, and of an edit that may be one. */
export const creationErrors = [
  'duplicate_property',
  'precondition_failed',
  'insufficient_photos',
  'too_many_photos',
  'not_publishable',
  'photo_ingest_failed',
] as const

/** Documents the response of a creation. */
export function describedCreation(examples: NamedExamples): Described {
  return {
    description:
      'Created. `photos` has a result for each URL sent in `photos`; it is absent if there was none.',
    schema: Type.Object({
      data: propertySchema,
      photos: Type.Optional(addedPhotos),
      warnings: warningsSchema,
    }),
    dryRunSchema: Type.Object({ data: dryRunPropertySchema, warnings: warningsSchema }),
    examples,
    headers: ['ETag'],
  }
}

const known: ReadonlySet<string> = new Set(fieldNames)

/** Reads the parameter `fields`: `id,title` → a set; null for all. */
export function readFields(query: unknown, problems: Problems): FieldSelection {
  const { fields } = query as { fields?: string }
  if (fields === undefined) return null
  const selected = new Set(fields.split(','))
  const unknown = [...selected].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const quoted = unknown.slice(0, 20).map((name) => `"${name.slice(0, 40)}"`)
    const names = `the unknown name${unknown.length === 1 ? '' : 's'} ${quoted.join(', ')}`
    problems.add('fields', `fields has ${names}. Use any of: ${fieldNames.join(', ')}.`)
  }
  return selected
}

/** Everything besides the listing that its JSON depends on. */
export type RenderContext = {
  deps: { config: Pick<Config, 'publicBaseUrl'> }
  caller: { agency: ShownAgency & { profile_version: number } }
  dryRun?: DryRun | null
}

/** The listing as the API shows it to the caller. */
export function render({ deps, caller, dryRun = null }: RenderContext, listing: Listing) {
  const { publicBaseUrl } = deps.config
  const property = toProperty(listing, caller.agency, publicBaseUrl)
  return dryRun === null ? property : { ...property, ...dryRunOverrides(dryRun, listing, publicBaseUrl) }
}

/** @returns a function that writes a listing as the API shows it to the caller of a read */
export function writerFor({ deps, caller }: RenderContext, fields: FieldSelection) {
  return rowWriter(caller.agency, deps.config.publicBaseUrl, fields)
}

/** The body of a list: `data`, whose elements are already JSON, and other members. */
export function withData(data: readonly string[], others: object): string {
  let text = '{"data":['
  // Not `join`: it copies, and so does the conversion to bytes.
  for (const [index, one] of data.entries()) text += index === 0 ? one : `,${one}`
  return `${text}],${JSON.stringify(others).slice(1)}`
}

/** The members that a dry run shows differently: the current photos, and no code or URL for a listing that is not stored. */
function dryRunOverrides({ photosNow }: DryRun, listing: Listing, baseUrl: string) {
  if (isPlaceholder(listing.public_id)) return { id: null, url: null, photos: [] }
  return { photos: photoUrls({ ...listing, photos: photosNow.get(listing.id) ?? listing.photos }, baseUrl) }
}
