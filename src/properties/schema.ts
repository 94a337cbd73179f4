/**
 * The schemas of a listing and of the payloads that create and update it (api.md 9.1, 9.2). They validate requests, type the code and
 * appear in the OpenAPI document.
 */
import Type, { type Static, type TSchemaOptions } from 'typebox'
import {
  currencies,
  dispositions,
  fieldNames,
  locationStatuses,
  operations,
  orientations,
  periods,
  type Status,
  statuses,
  types,
} from './vocabulary.ts'

/** The schema, extended to accept null. */
export function nullable<T>(schema: { type: string; enum?: readonly unknown[] } & Record<string, unknown>) {
  const { type, enum: allowed, ...rest } = schema
  return Type.Unsafe<T | null>({
    type: [type, 'null'],
    ...(allowed === undefined ? {} : { enum: [...allowed, null] }),
    ...rest,
  })
}

function choice<const T extends readonly string[]>(values: T, options: TSchemaOptions = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

const blank = String.raw`\S`
const webAddress = '^[Hh][Tt][Tt][Pp][Ss]?://'
const text = (maxLength: number, description: string) =>
  Type.Optional(nullable<string>({ type: 'string', maxLength, pattern: blank, description }))
const address = (description: string) =>
  Type.Optional(nullable<string>({ type: 'string', maxLength: 2048, pattern: webAddress, description }))
const count = (maximum: number, description: string) =>
  Type.Optional(nullable<number>({ type: 'integer', minimum: 0, maximum, description }))
const area = (description: string) =>
  Type.Optional(nullable<number>({ type: 'number', minimum: 0, maximum: 10_000_000, description }))
const flag = (description: string) => Type.Optional(nullable<boolean>({ type: 'boolean', description }))
const optionalChoice = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Optional(nullable<T[number]>({ type: 'string', enum: values, description }))
const texts = (description: string) =>
  Type.Optional(
    nullable<string[]>({
      type: 'array',
      maxItems: 100,
      items: { type: 'string', maxLength: 80, pattern: blank },
      description,
    }),
  )

/** An optional object of the payload: null clears it, unknown fields are refused. */
function section<T>(properties: Record<string, object>, description: string) {
  return Type.Optional(nullable<T>({ type: 'object', properties, additionalProperties: false, description }))
}

export const externalIdPattern = '^[A-Za-z0-9._:-]+$'
const money = (extra: object, description: string) =>
  nullable<number>({ type: 'number', maximum: 1e12, ...extra, description })

const priceFields = {
  amount: Type.Optional(money({ exclusiveMinimum: 0 }, 'At most 2 decimals; needs `currency`.')),
  currency: optionalChoice(currencies, 'Currency of `amount`.'),
  period: optionalChoice(
    periods,
    'Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.',
  ),
  on_request: flag('True: price on request, without amount and currency.'),
}
const expensesFields = {
  amount: Type.Optional(money({ minimum: 0 }, 'With at most 2 decimals; needs `currency`.')),
  currency: optionalChoice(currencies, 'Currency of `amount`.'),
}
/** The parts of `location`. */
export const locationFields = {
  city: text(80, 'City or locality.'),
  province: text(80, 'Province.'),
  lat: Type.Optional(
    nullable<number>({
      type: 'number',
      minimum: -90,
      maximum: 90,
      description: 'Together with `lng`, or not at all.',
    }),
  ),
  lng: Type.Optional(
    nullable<number>({
      type: 'number',
      minimum: -180,
      maximum: 180,
      description: 'Together with `lat`, or not at all.',
    }),
  ),
}
const featureFields = {
  bedrooms: count(50, 'Bedrooms.'),
  bathrooms: count(50, 'Bathrooms.'),
  rooms: count(50, 'Rooms (ambientes).'),
  total_m2: area('Total area; on a lot, the land.'),
  covered_m2: area('Covered area.'),
  garages: count(50, 'Parking places.'),
  age_years: count(300, 'Age in years; 0 is new.'),
  disposition: optionalChoice(
    dispositions,
    'Disposition in the building; any case, with or without accents, on input.',
  ),
  orientation: optionalChoice(orientations, 'Compass orientation; any case on input.'),
  pet_friendly: flag('Pets are welcome.'),
  furnished: flag('Comes furnished.'),
  credit_eligible: flag('Eligible for a mortgage loan.'),
}
const rentalFields = {
  period: optionalChoice(periods, 'Equal to `price.period`.'),
  min_stay: count(10_000, 'Minimum stay, in nights.'),
  min_lease_months: count(1200, 'Minimum lease, in months.'),
  services_included: texts('Services included in the price.'),
}

type Sent<T> = { [K in keyof T]?: T[K] | null }
type PricePayload = Sent<{
  amount: number
  currency: (typeof currencies)[number]
  period: (typeof periods)[number]
  on_request: boolean
}>
type ExpensesPayload = Sent<{ amount: number; currency: (typeof currencies)[number] }>
type LocationPayload = Sent<{ city: string; province: string; lat: number; lng: number }>
type FeaturesPayload = Sent<Record<keyof typeof featureFields, number | string | boolean>>
type RentalPayload = Sent<{
  period: (typeof periods)[number]
  min_stay: number
  min_lease_months: number
  services_included: string[]
}>

/** The payload of POST and PUT; PATCH takes the same without `status`. Every field is optional; null clears it. */
export const payloadProperties = {
  external_id: Type.Optional(
    nullable<string>({
      type: 'string',
      maxLength: 64,
      pattern: externalIdPattern,
      description: 'The id of the listing in your own system.',
    }),
  ),
  title: text(200, 'Plain text.'),
  description: text(20_000, 'Plain text with line breaks.'),
  operation: optionalChoice(operations, 'To change it, send `price` too.'),
  type: optionalChoice(types, 'Any case, with or without accents, on input.'),
  price: section<PricePayload>(priceFields, 'Price, or price on request.'),
  expenses: section<ExpensesPayload>(expensesFields, 'Building fees.'),
  address: text(200, 'Street and number; include the locality.'),
  location: section<LocationPayload>(
    locationFields,
    'Where it is. Without coordinates, the service looks up the address.',
  ),
  features: section<FeaturesPayload>(
    featureFields,
    'On a `Lote` only `total_m2`, `orientation` and `credit_eligible` apply.',
  ),
  amenities: texts('Amenities.'),
  photos: Type.Optional(
    nullable<string[]>({
      type: 'array',
      items: { type: 'string', maxLength: 2048, pattern: blank },
      description:
        "Public https addresses of JPEG, PNG or WebP images; 3 to 50 to publish. In a PATCH: the listing's own photos, in the order wanted.",
    }),
  ),
  video_url: address('URL of a video.'),
  video_urls: Type.Optional(
    nullable<string[]>({
      type: 'array',
      maxItems: 3,
      items: { type: 'string', maxLength: 2048, pattern: webAddress },
      description: 'Up to 3 videos.',
    }),
  ),
  virtual_tour_url: address('URL of a virtual tour.'),
  rental: section<RentalPayload>(rentalFields, 'Rentals only.'),
  status: Type.Optional(
    nullable<Status>({
      type: 'string',
      enum: statuses,
      default: 'draft',
      description: '`published` publishes on creation, which takes no `disabled`. Ignored on an update.',
    }),
  ),
  force_duplicate: flag('True keeps the address even if another listing has the same street and number.'),
}

export const payloadSchema = Type.Object(payloadProperties, {
  title: 'PropertyInput',
  additionalProperties: false,
})
export type Payload = Static<typeof payloadSchema>

/** The payload of PATCH. */
export const { status: _status, ...patchProperties } = payloadProperties
export const patchSchema = Type.Object(patchProperties, {
  title: 'PropertyPatch',
  additionalProperties: false,
})

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

/** A listing in a response. With `fields`, only `id` is certain to be present. */
export const propertySchema = Type.Object(
  {
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
      { ...locationFields, neighborhood: { type: 'null', description: 'Reserved.' } },
      { description: 'Where it is; coordinates may be null.' },
    ),
    location_status: nullable<string>({
      type: 'string',
      enum: locationStatuses,
      description:
        'How the coordinates were found; null without an address. Comes with `location` when `fields` is used.',
    }),
    features: shown<Record<string, unknown>>(featureFields, {
      description: 'Null where unknown or not applicable.',
    }),
    amenities: Type.Array(Type.String(), { description: 'May be empty.' }),
    photos: Type.Array(Type.String({ format: 'uri' }), { description: 'In order; the first is the cover.' }),
    video_url: nullable<string>({ type: 'string', description: 'URL of a video.' }),
    video_urls: Type.Array(Type.String(), { description: 'Up to 3 videos.' }),
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
  },
  { title: 'Property', required: ['id'], description: 'A listing.' },
)

export const fieldsParameter = Type.Optional(
  Type.String({
    description: `Comma-separated names of the fields wanted; \`id\` always comes. Of: ${fieldNames.join(', ')}.`,
    examples: ['id,title,price'],
  }),
)
