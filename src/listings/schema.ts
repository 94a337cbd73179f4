/**
 * The schemas of the payloads that create and update a listing (api.md 9.2). They validate requests, type the code and appear in the
 * OpenAPI document.
 */
import Type, { type Static } from 'typebox'
import { externalIdLength, listSizes, sizeLimits } from '../limits/table.ts'
import { canonicalPayload } from './payload.ts'
import {
  currencies,
  dispositions,
  fieldNames,
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

const blank = String.raw`\S`
const webAddress = '^[Hh][Tt][Tt][Pp][Ss]?://'
/** What checkPayload requires of a URL beyond `webAddress`. */
const wholeWebAddress = { pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#]\S*$` }
/** What checkPhotoUrl requires of a URL. `http:` is that of a service without TLS. */
export const photoUrlItem = {
  type: 'string',
  maxLength: 2048,
  pattern: blank,
  shownWith: { pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#\\]+([/?#\\]([^\r\n\t]*\S)?)?$` },
}
const text = (maxLength: number, description: string) =>
  Type.Optional(nullable<string>({ type: 'string', maxLength, pattern: blank, description }))
const address = (description: string) =>
  Type.Optional(
    nullable<string>({
      type: 'string',
      maxLength: 2048,
      pattern: webAddress,
      shownWith: wholeWebAddress,
      description,
    }),
  )
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
      maxItems: listSizes.items,
      items: { type: 'string', maxLength: listSizes.item, pattern: blank },
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

export const priceFields = {
  amount: Type.Optional(money({ exclusiveMinimum: 0 }, 'At most 2 decimals; needs `currency`.')),
  currency: optionalChoice(currencies, 'Currency of `amount`.'),
  period: optionalChoice(
    periods,
    'Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.',
  ),
  on_request: flag('True: price on request, without amount and currency.'),
}
export const expensesFields = {
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
export const featureFields = {
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
export const rentalFields = {
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
      maxLength: externalIdLength,
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
      items: photoUrlItem,
      // More are 422 `too_many_photos`.
      shownWith: { maxItems: sizeLimits.photos_per_listing },
      description: `Public https URLs of JPEG, PNG or WebP images; ${sizeLimits.photos_to_publish} to ${sizeLimits.photos_per_listing} to publish. In a PATCH: the listing's own photos, in the order wanted.`,
    }),
  ),
  video_url: address('URL of a video.'),
  video_urls: Type.Optional(
    nullable<string[]>({
      type: 'array',
      maxItems: sizeLimits.videos_per_listing,
      items: { type: 'string', maxLength: 2048, pattern: webAddress, shownWith: wholeWebAddress },
      description: `Up to ${sizeLimits.videos_per_listing} videos.`,
    }),
  ),
  virtual_tour_url: address('URL of a virtual tour.'),
  rental: section<RentalPayload>(rentalFields, 'Rentals only.'),
  status: Type.Optional(
    nullable<Status>({
      type: 'string',
      enum: statuses,
      // `disabled` has a refusal of its own on a creation, and is ignored like the others on an update.
      shownWith: { enum: ['draft', 'published', null] },
      description:
        'On creation: `draft`, the default, or `published`, which publishes the listing at once. Ignored with a warning on an update.',
    }),
  ),
  force_duplicate: flag('True keeps the address even if another listing has the same street and number.'),
}

export const payloadSchema = Type.Object(payloadProperties, {
  title: 'PropertyInput',
  additionalProperties: false,
  canonical: canonicalPayload,
})
export type Payload = Static<typeof payloadSchema>

/** The payload of PATCH. */
export const { status: _status, ...patchProperties } = payloadProperties
/** What an edit says of fields that it does not take. */
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
    description: `Comma-separated names of the fields wanted; \`id\` always comes. Of: ${fieldNames.join(', ')}.`,
    examples: ['id,title,price'],
    shownWith: { pattern: `^(${fieldNames.join('|')})(,(${fieldNames.join('|')}))*$` },
  }),
)
