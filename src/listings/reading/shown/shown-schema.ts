/** The schema of a listing in a response (api.md 9.1). It appears in the OpenAPI document, and tests compare responses with it. */
import { sizeLimits } from '../../../limits/sizes.ts'
import Type, { type TSchema } from 'typebox'
import type { Field, Group, Line } from '../../fields/field.ts'
import type { GroupName, NameOf } from '../../fields/field-lists.ts'
import { fields } from '../../fields/fields.ts'
import { nullable, partSchemas, valueSchema } from '../../fields/schema.ts'
import { locationStatuses, statuses } from '../../fields/vocabulary.ts'

const dateTime = (description: string) => nullable({ type: 'string', format: 'date-time', description })
const neighborhood = { type: ['string', 'null'], description: 'Reserved; always null.' }
const { price, expenses, location, features, rental } = partSchemas
const { period: _period, ...pricesAlways } = price

const shownParts: Record<GroupName, Record<string, object>> = {
  price: { ...pricesAlways, on_request: { type: 'boolean' }, period: price.period },
  expenses,
  location: { ...location, neighborhood },
  features,
  rental: { ...rental, services_included: { type: 'array', items: { type: 'string' } } },
}
const sometimes: ReadonlySet<string> = new Set(['price.period'])

function shownGroup(name: GroupName, { about, inResponses = about, isNullable = false }: Group): TSchema {
  const parts = Object.entries(shownParts[name])
  const schema = {
    type: 'object',
    // Fields that are optional in a payload are always present in a response.
    properties: Object.fromEntries(parts.map(([part, shown]) => [part, { ...shown }])),
    required: parts.flatMap(([part]) => (sometimes.has(`${name}.${part}`) ? [] : [part])),
    description: inResponses,
  }
  return isNullable ? nullable(schema) : Type.Unsafe(schema)
}

/** The schema of a field in a response, without the limits for requests. */
function shownField(field: Field): TSchema {
  const { kind, values, about, inResponses: description = about } = field
  if (kind === 'list' || kind === 'urls') return Type.Array(Type.String(), { description })
  const allowed = kind === 'choice' ? { enum: values ?? [] } : {}
  return nullable({ type: valueSchema(field).type, ...allowed, description })
}

const systemFields: Record<NameOf<{ kind: 'system' }>, TSchema> = {
  id: Type.String({ description: 'Public code of the listing.', examples: ['7KQ2M9XA'] }),
  status: Type.Unsafe<string>({
    type: 'string',
    enum: [...statuses],
    description: 'Read-only keys see `published` ones only.',
  }),
  url: Type.String({ format: 'uri', description: 'Public page of the listing.' }),
  location_status: nullable<string>({
    type: 'string',
    enum: locationStatuses,
    description:
      'How the coordinates were found. Null without an address, and in a dry run with one that has yet to be looked up. Comes with `location` when `fields` is used.',
  }),
  photos: Type.Array(Type.String({ format: 'uri' }), { description: 'In order; the first is the cover.' }),
  reserved: Type.Boolean({ description: 'Whether the listing is reserved.' }),
  agency: Type.Object(
    {
      name: Type.String(),
      slug: Type.String(),
      url: Type.String({ format: 'uri', description: 'Public profile.' }),
    },
    { description: 'The agency that offers it.' },
  ),
  published_at: dateTime('When it was last published.'),
  created_at: dateTime('When it was created.'),
  updated_at: dateTime('When it last changed.'),
  missing: Type.Array(Type.String(), {
    description: `What publishing still needs, as \`error.missing\` names it; empty when nothing. Publishing also needs at most ${sizeLimits.photos_per_listing} photos, which no listing exceeds.`,
    examples: [['price', 'photos']],
  }),
}

const propertyProperties = Object.fromEntries(
  Object.entries<Line>(fields).map(([name, line]) => {
    if (line.kind === 'system') return [name, systemFields[name as keyof typeof systemFields]]
    return [name, line.kind === 'group' ? shownGroup(name as GroupName, line) : shownField(line)]
  }),
)

export const propertySchema = Type.Object(propertyProperties, {
  title: 'Property',
  description: 'A listing.',
})

const untilCreated = 'Null for a listing that would be created: it has none yet.'

/** A listing in the response of a dry run. Some generators lose a type that is only null. */
export const dryRunPropertySchema = Type.Object(
  {
    ...propertyProperties,
    id: nullable<string>({ type: 'string', description: untilCreated }),
    url: nullable<string>({ type: 'string', format: 'uri', description: untilCreated }),
  },
  { title: 'TriedProperty', description: 'A listing as a dry run shows it.' },
)

/** A listing in a response, with the parameter `fields` or without. */
export const selectedPropertySchema = Type.Union([
  propertySchema,
  Type.Object(propertyProperties, {
    title: 'PropertyFields',
    required: ['id'],
    description:
      'The parts of a listing that `fields` named. `id` always comes, and `location_status` with `location`.',
  }),
])
