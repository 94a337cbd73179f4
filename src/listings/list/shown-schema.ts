/**
 * The schema of a listing in a response (api.md 9.1). It appears in the OpenAPI document, and tests hold answers to it.
 */
import Type, { type TSchemaOptions } from 'typebox'
import { sizeLimits } from '../../limits/table.ts'
import {
  expensesFields,
  featureFields,
  locationFields,
  nullable,
  priceFields,
  rentalFields,
} from '../schema.ts'
import { locationStatuses, operations, statuses, types } from '../vocabulary.ts'

function choice<const T extends readonly string[]>(values: T, options: TSchemaOptions = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

const dateTime = (description: string) =>
  nullable<string>({ type: 'string', format: 'date-time', description })
const shown = <T>(fields: Record<string, object>, options: { nullable?: boolean; description: string }) => {
  // Fields that are optional in a payload are always present in a response.
  const properties = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, { ...schema }]))
  const schema = {
    type: 'object',
    properties,
    required: Object.keys(fields),
    description: options.description,
  }
  return options.nullable === true ? nullable<T>(schema) : Type.Unsafe<T>(schema)
}
const { period: _period, ...shownPriceFields } = priceFields

const propertyProperties = {
  id: Type.String({ description: 'Public code of the listing.', examples: ['7KQ2M9XA'] }),
  external_id: nullable<string>({
    type: 'string',
    description: "The id of the listing in the agency's own system.",
  }),
  status: choice(statuses, { description: 'Read-only keys see `published` ones only.' }),
  url: Type.String({ format: 'uri', description: 'Public page of the listing.' }),
  title: nullable<string>({ type: 'string', description: 'Plain text, as the agency wrote it.' }),
  description: nullable<string>({
    type: 'string',
    description: 'Plain text with line breaks, as the agency wrote it.',
  }),
  operation: nullable<string>({ type: 'string', enum: operations, description: 'What is offered.' }),
  type: nullable<string>({ type: 'string', enum: types, description: 'Kind of property.' }),
  price: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    properties: { ...shownPriceFields, on_request: { type: 'boolean' }, period: priceFields.period },
    required: ['amount', 'currency', 'on_request'],
    description: 'Always an object; `period` on rentals only.',
  }),
  expenses: shown<Record<string, unknown>>(expensesFields, {
    nullable: true,
    description: 'Building fees.',
  }),
  address: nullable<string>({ type: 'string', description: 'Street and number as the agency sent it.' }),
  location: shown<Record<string, unknown>>(
    { ...locationFields, neighborhood: { type: ['string', 'null'], description: 'Reserved; always null.' } },
    { description: 'Where it is; coordinates may be null.' },
  ),
  location_status: nullable<string>({
    type: 'string',
    enum: locationStatuses,
    description:
      'How the coordinates were found. Null without an address, and in a dry run with one that has yet to be looked up. Comes with `location` when `fields` is used.',
  }),
  features: shown<Record<string, unknown>>(featureFields, {
    description: 'Null where unknown or not applicable.',
  }),
  amenities: Type.Array(Type.String(), { description: 'May be empty.' }),
  photos: Type.Array(Type.String({ format: 'uri' }), { description: 'In order; the first is the cover.' }),
  video_url: nullable<string>({ type: 'string', description: 'URL of a video.' }),
  video_urls: Type.Array(Type.String(), { description: `Up to ${sizeLimits.videos_per_listing} videos.` }),
  virtual_tour_url: nullable<string>({ type: 'string', description: 'URL of a virtual tour.' }),
  rental: shown<Record<string, unknown>>(
    { ...rentalFields, services_included: { type: 'array', items: { type: 'string' } } },
    { nullable: true, description: 'Rentals only.' },
  ),
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
    description:
      'What publishing still needs, as `error.missing` names it; empty when nothing. Publishing also needs at most 50 photos, which no listing exceeds.',
    examples: [['price', 'photos']],
  }),
}

/** A listing in a response. */
export const propertySchema = Type.Object(propertyProperties, {
  title: 'Property',
  description: 'A listing.',
})

const untilCreated = 'Null for a listing that would be created: it has none yet.'

/** A listing in the answer of a dry run. Types of null alone are lost on some generators. */
export const triedPropertySchema = Type.Object(
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
