/**
 * The schemas of the payloads that create and update a listing (api.md 9.2). They validate requests, type the code and appear in the
 * OpenAPI document.
 */
import Type, { type Static, type TOptional, type TUnsafe } from 'typebox'
import { externalIdLength, listSizes, sizeLimits, numberLimits, textLimits } from '../../limits/sizes.ts'
import type { Field, Line, Sent } from './field.ts'
import { fieldNames, type Fields, type GroupName, type OwnName } from './field-lists.ts'
import { fields } from './fields.ts'
import { canonicalPayload, webUrlPattern } from './payload.ts'
import { type Status, statuses } from './vocabulary.ts'

type Nullable = { type: string; enum?: readonly unknown[] } & Record<string, unknown>

/** The schema, extended to accept null. */
export function nullable<T>(schema: Nullable) {
  const { type, enum: allowed, ...rest } = schema
  return Type.Unsafe<T | null>({
    type: [type, 'null'],
    ...(allowed === undefined ? {} : { enum: [...allowed, null] }),
    ...rest,
  })
}

export const externalId = { maxLength: externalIdLength, pattern: '^[A-Za-z0-9._:-]+$' }
const externalIdPattern = new RegExp(externalId.pattern)

export function isExternalId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= externalId.maxLength && externalIdPattern.test(value)
}

const notBlank = String.raw`\S`
const webAddress = '^[Hh][Tt][Tt][Pp][Ss]?://'
/** `shownWith` has the pattern that `checkPhotoUrl` requires. `http:` is for a service without TLS. */
export const photoUrlItem = {
  type: 'string',
  maxLength: textLimits.url,
  pattern: notBlank,
  shownWith: { pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#\\]+([/?#\\]([^\r\n\t]*\S)?)?$` },
}

/** `shownWith` has the pattern that `checkPayload` requires. */
const url = {
  type: 'string',
  maxLength: textLimits.url,
  pattern: webAddress,
  shownWith: { pattern: webUrlPattern },
}
const listItem = { type: 'string', maxLength: listSizes.item, pattern: notBlank }
const positive = { exclusiveMinimum: 0 }
const anyAmount = { minimum: 0 }

/** The schema of a value that is sent, without null and description. */
export function valueSchema({ kind, max, isPositive = false, values }: Field): Nullable {
  switch (kind) {
    case 'code':
      return { type: 'string', ...externalId }
    case 'text':
    case 'lines':
      return { type: 'string', maxLength: max, pattern: notBlank }
    case 'url':
      return url
    case 'money':
      return { type: 'number', maximum: numberLimits.amount, ...(isPositive ? positive : anyAmount) }
    case 'count':
      return { type: 'integer', minimum: 0, maximum: max }
    case 'area':
      return { type: 'number', minimum: 0, maximum: numberLimits.area }
    case 'coordinate':
      return { type: 'number', minimum: -(max ?? 0), maximum: max }
    case 'flag':
      return { type: 'boolean' }
    case 'choice':
      return { type: 'string', enum: values ?? [] }
    case 'list':
      return { type: 'array', maxItems: listSizes.items, items: listItem }
    case 'urls':
      return { type: 'array', maxItems: sizeLimits.videos_per_listing, items: url }
  }
}

/** An optional field of a payload; null clears it. */
function optional<T>(field: Field) {
  return Type.Optional(nullable<T>({ ...valueSchema(field), description: field.about }))
}

type Parts = Readonly<Record<string, Field>>
type PartsSchema<P> = { [Part in keyof P]: TOptional<TUnsafe<Sent<P[Part]>>> }

function partsSchema<P extends Parts>(parts: P): PartsSchema<P> {
  const schemas = Object.entries<Field>(parts).map(([name, field]) => [name, optional(field)])
  return Object.fromEntries(schemas) as PartsSchema<P>
}

const { price, expenses, location, features, rental } = fields
const periodOfRental = { period: { ...price.parts.period, about: 'Equal to `price.period`.' } }

/** The schemas of the parts of each group. */
export const partSchemas = {
  price: partsSchema(price.parts),
  expenses: partsSchema(expenses.parts),
  location: partsSchema(location.parts),
  features: partsSchema(features.parts),
  rental: partsSchema({ ...periodOfRental, ...rental.parts }),
}

type SentParts<Name extends GroupName> = {
  -readonly [Part in keyof Fields[Name]['parts']]?: Sent<Fields[Name]['parts'][Part]>
}
type GroupSchema<Name extends GroupName> = TUnsafe<
  (SentParts<Name> & (Name extends 'rental' ? Pick<SentParts<'price'>, 'period'> : unknown)) | null
>
type FieldSchemas = { [Name in OwnName]: TOptional<TUnsafe<Sent<Fields[Name]>>> } & {
  [Name in GroupName]: TOptional<GroupSchema<Name>>
}

const photos = Type.Optional(
  nullable<string[]>({
    type: 'array',
    items: photoUrlItem,
    // More are 422 `too_many_photos`.
    shownWith: { maxItems: sizeLimits.photos_per_listing },
    description: `Public https URLs of JPEG, PNG or WebP images; ${sizeLimits.photos_to_publish} to ${sizeLimits.photos_per_listing} to publish. In a PATCH: the listing's own photos, in the order wanted.`,
  }),
)

function fieldSchema([name, line]: [string, Line]): [string, object][] {
  if (name === 'photos') return [[name, photos]]
  if (line.kind === 'system') return []
  if (line.kind !== 'group') return [[name, optional(line)]]
  const properties = partSchemas[name as GroupName]
  const schema = { type: 'object', properties, additionalProperties: false, description: line.about }
  return [[name, Type.Optional(nullable(schema))]]
}

/** The payload of POST and PUT; PATCH takes the same without `status`. Every field is optional; null clears it. */
export const payloadProperties = {
  ...(Object.fromEntries(Object.entries<Line>(fields).flatMap(fieldSchema)) as FieldSchemas & {
    photos: typeof photos
  }),
  status: Type.Optional(
    nullable<Status>({
      type: 'string',
      enum: statuses,
      // A creation refuses `disabled` with its own message; an update ignores it like the others.
      shownWith: { enum: ['draft', 'published', null] },
      description:
        'On creation: `draft`, the default, or `published`, which publishes the listing at once. Ignored with a warning on an update.',
    }),
  ),
  force_duplicate: Type.Optional(
    nullable<boolean>({
      type: 'boolean',
      description: 'True keeps the address even if another listing has the same street and number.',
    }),
  ),
}

export const payloadSchema = Type.Object(payloadProperties, {
  title: 'PropertyInput',
  additionalProperties: false,
  canonical: canonicalPayload,
})
export type Payload = Static<typeof payloadSchema>

/** The payload of PATCH. */
export const { status: _status, ...patchProperties } = payloadProperties
/** The messages for fields that an edit does not take. */
export const patchHints = {
  status:
    'cannot be edited. Use POST /properties/{id}/enable to publish and …/disable to take it off the public pages.',
}
export const patchSchema = Type.Object(patchProperties, {
  title: 'PropertyPatch',
  additionalProperties: false,
  unknownHints: patchHints,
  canonical: canonicalPayload,
})

export const fieldsParameter = Type.Optional(
  Type.String({
    description: `Comma-separated names of fields; \`id\` is always included. One or more of: ${fieldNames.join(', ')}.`,
    examples: ['id,title,price'],
    shownWith: { pattern: `^(${fieldNames.join('|')})(,(${fieldNames.join('|')}))*$` },
  }),
)
