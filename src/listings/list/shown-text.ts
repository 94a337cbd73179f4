/**
 * Writes listings as the JSON that the API shows, straight from the text in which PostgreSQL sends their columns: what `toProperty`
 * gives, as JSON.stringify prints it, without a parsed row in between. Reads of lists, of changes and of single listings use it.
 */
import { agencyUrl } from '../../agencies/agencies.ts'
import { isoMoment } from '../../platform/db/values.ts'
import { remembering } from '../../platform/memory/bounded-map.ts'
import { photoFile, photosUrl } from '../photos/names-and-urls.ts'
import type { Rental, Selection } from '../listing.ts'
import { minPhotos } from '../warnings/missing.ts'
import type { FieldSelection, ShownAgency } from '../serialize.ts'
import { type FeatureName, featureNames, fieldNames, isRental } from '../vocabulary.ts'

/** A listing as PostgreSQL sends it: the agency's texts, and all other columns joined. A column that was not asked for is missing. */
export type ShownRow = {
  joined: string
  title: string | null
  description: string | null
  address: string | null
  city: string | null
  province: string | null
}

type FieldName = (typeof fieldNames)[number]
/** `id` comes first, and always. */
type OtherName = Exclude<FieldName, 'id'>
const otherNames = fieldNames.filter((name): name is OtherName => name !== 'id')

/** Every column costs the driver as much as a hundred characters, so these travel as one. */
const separator = '\u001F'
/** Columns that never hold the separator, and are either null or not empty. Lists and URLs arrive as JSON, which escapes it. */
const joinedColumns = {
  public_id: 'p.public_id',
  external_id: 'p.external_id',
  status: 'p.status',
  operation: 'p.operation',
  type: 'p.type',
  price_amount: 'p.price_amount',
  price_currency: 'p.price_currency',
  price_period: 'p.price_period',
  price_on_request: 'p.price_on_request',
  expenses_amount: 'p.expenses_amount',
  expenses_currency: 'p.expenses_currency',
  lat: 'p.lat',
  lng: 'p.lng',
  location_status: 'p.location_status',
  features: 'p.features',
  amenities: 'to_json(p.amenities)',
  photos: 'p.photos',
  video_url: 'to_json(p.video_url)',
  video_urls: 'to_json(p.video_urls)',
  virtual_tour_url: 'to_json(p.virtual_tour_url)',
  rental: 'p.rental',
  reserved: 'p.reserved',
  published_at: 'p.published_at',
  created_at: 'p.created_at',
  updated_at: 'p.updated_at',
} as const
type JoinedColumn = keyof typeof joinedColumns
const joinedNames = Object.keys(joinedColumns) as JoinedColumn[]
const placeOf = Object.fromEntries(joinedNames.map((name, place) => [name, place])) as Record<
  JoinedColumn,
  number
>

/**
 * What travels only if one of its fields is asked for. By groups, because every text of a statement is kept prepared: not each of the
 * selections that `fields` allows may become one.
 */
const groups: readonly {
  fields: readonly FieldName[]
  columns: readonly (JoinedColumn | 'description')[]
}[] = [
  { fields: ['description'], columns: ['description'] },
  { fields: ['photos', 'missing'], columns: ['photos'] },
  {
    fields: ['features', 'amenities', 'video_url', 'video_urls', 'virtual_tour_url', 'rental'],
    columns: ['features', 'amenities', 'video_url', 'video_urls', 'virtual_tour_url', 'rental'],
  },
]

/** As many selections as there are of the groups. */
export const selectionCount = 2 ** groups.length

/** Without the columns of these names, separated by commas. */
const selectionWithout = remembering(selectionCount, (names: string): Selection<ShownRow> => {
  const left = new Set(names.split(','))
  const joined = joinedNames.map((column) => (left.has(column) ? `''` : joinedColumns[column]))
  const texts = ['title', 'description', 'address', 'city', 'province'].filter((column) => !left.has(column))
  const columns = [
    `concat(${joined.join(`, E'\\x1F', `)}) as joined`,
    ...texts.map((column) => `p.${column}`),
  ].join(', ')
  return { columns }
})

/** The columns that the fields need, of a table or subquery `p`. */
export function shownColumns(fields: FieldSelection): Selection<ShownRow> {
  const unasked = groups.filter((group) => fields !== null && !group.fields.some((name) => fields.has(name)))
  return selectionWithout(unasked.flatMap(({ columns }) => columns).join())
}

/** The joined columns of a row, each as PostgreSQL prints it; empty if null. */
export type JoinedValues = readonly string[]

export function valuesOf({ joined }: ShownRow): JoinedValues {
  return joined.split(separator)
}

/** A joined column. */
export function valueOf(values: JoinedValues, column: JoinedColumn): string {
  return values[placeOf[column]] ?? ''
}

/** What the rows of one answer share, ready to be put between their values. */
type Shared = { baseUrl: string; agencyId: string; agency: string; listingUrl: string }

/** @returns a function that writes a row that `shownColumns` of the same fields selects */
export function rowWriter(
  agency: ShownAgency,
  baseUrl: string,
  fields: FieldSelection,
): (row: ShownRow, values?: JoinedValues) => string {
  const url = agencyUrl(baseUrl, agency.slug)
  const shared: Shared = {
    baseUrl,
    agencyId: agency.id,
    agency: JSON.stringify({ name: agency.name, slug: agency.slug, url }),
    listingUrl: inner(`${url}/`),
  }
  const writers = otherNames
    .filter((name) => fields === null || fields.has(name))
    .map((name) => fieldWriters[name])
  return (row, values = valuesOf(row)) => {
    let text = `{"id":"${valueOf(values, 'public_id')}"`
    for (const write of writers) text += write(values, row, shared)
    return `${text}}`
  }
}

/** Each writes a comma, the field's name and its value. */
const fieldWriters: Record<OtherName, (values: JoinedValues, row: ShownRow, shared: Shared) => string> = {
  external_id: (values) => `,"external_id":${quoted(valueOf(values, 'external_id'))}`,
  status: (values) => `,"status":${quoted(valueOf(values, 'status'))}`,
  url: (values, _row, { listingUrl }) => `,"url":"${listingUrl}${valueOf(values, 'public_id')}"`,
  title: (_values, { title }) => `,"title":${JSON.stringify(title)}`,
  description: (_values, { description }) => `,"description":${JSON.stringify(description)}`,
  operation: (values) => `,"operation":${quoted(valueOf(values, 'operation'))}`,
  type: (values) => `,"type":${quoted(valueOf(values, 'type'))}`,
  price(values) {
    const period = isRental(valueOf(values, 'operation'))
      ? `,"period":${quoted(valueOf(values, 'price_period'))}`
      : ''
    return `,"price":{"amount":${money(valueOf(values, 'price_amount'))},"currency":${quoted(valueOf(values, 'price_currency'))}${period},"on_request":${flag(valueOf(values, 'price_on_request'))}}`
  },
  expenses(values) {
    const amount = valueOf(values, 'expenses_amount')
    if (amount === '') return ',"expenses":null'
    return `,"expenses":{"amount":${money(amount)},"currency":${quoted(valueOf(values, 'expenses_currency'))}}`
  },
  address: (_values, { address }) => `,"address":${JSON.stringify(address)}`,
  location: (values, { city, province }) =>
    `,"location":{"city":${JSON.stringify(city)},"province":${JSON.stringify(province)},"neighborhood":null,"lat":${double(valueOf(values, 'lat'))},"lng":${double(valueOf(values, 'lng'))}},"location_status":${quoted(valueOf(values, 'location_status'))}`,
  features: (values) => `,"features":${featuresText(valueOf(values, 'features'))}`,
  amenities: (values) => `,"amenities":${valueOf(values, 'amenities')}`,
  photos(values, _row, { baseUrl, agencyId }) {
    const photos = valueOf(values, 'photos')
    if (photos === '{}') return ',"photos":[]'
    const begin = `"${inner(photosUrl(baseUrl, agencyId, valueOf(values, 'public_id')))}`
    const end = `${photoFile('', 'large')}"`
    return `,"photos":[${begin}${photos.slice(1, -1).replaceAll(',', `${end},${begin}`)}${end}]`
  },
  video_url: (values) => `,"video_url":${json(valueOf(values, 'video_url'))}`,
  video_urls: (values) => `,"video_urls":${valueOf(values, 'video_urls')}`,
  virtual_tour_url: (values) => `,"virtual_tour_url":${json(valueOf(values, 'virtual_tour_url'))}`,
  rental(values) {
    if (!isRental(valueOf(values, 'operation'))) return ',"rental":null'
    const rental = valueOf(values, 'rental')
    const { min_stay, min_lease_months, services_included } =
      rental === '' ? ({} as Partial<Rental>) : (JSON.parse(rental) as Partial<Rental>)
    return `,"rental":{"period":${quoted(valueOf(values, 'price_period'))},"min_stay":${min_stay ?? null},"min_lease_months":${min_lease_months ?? null},"services_included":${JSON.stringify(services_included ?? [])}}`
  },
  reserved: (values) => `,"reserved":${flag(valueOf(values, 'reserved'))}`,
  agency: (_values, _row, { agency }) => `,"agency":${agency}`,
  published_at: (values) => `,"published_at":${momentText(valueOf(values, 'published_at'))}`,
  created_at: (values) => `,"created_at":${momentText(valueOf(values, 'created_at'))}`,
  updated_at: (values) => `,"updated_at":${momentText(valueOf(values, 'updated_at'))}`,
  missing: (values, row) => `,"missing":[${missingText(values, row).slice(1)}]`,
}

/** As `missingToPublish` (missing.ts), with a comma before each. */
function missingText(values: JoinedValues, { title, address }: ShownRow): string {
  const operation = valueOf(values, 'operation')
  let text = title === null ? ',"title"' : ''
  if (valueOf(values, 'type') === '') text += ',"type"'
  if (operation === '') text += ',"operation"'
  if (address === null) text += ',"address"'
  if (valueOf(values, 'price_amount') === '' && valueOf(values, 'price_on_request') === 'f')
    text += ',"price"'
  if (operation === 'temporary' && valueOf(values, 'price_period') === '') text += ',"price.period"'
  const photos = valueOf(values, 'photos')
  if (photos === '{}' || photos.split(',', minPhotos).length < minPhotos) text += ',"photos"'
  return text
}

const featureBegins = featureNames.map((name, index) => `${index === 0 ? '{' : ','}"${name}":`)

/** Of the stored JSON, in the order of responses. */
function featuresText(stored: string): string {
  const features = JSON.parse(stored) as Partial<Record<FeatureName, number | string | boolean>>
  let text = ''
  for (let index = 0; index < featureNames.length; index += 1) {
    const value = features[featureNames[index] as FeatureName] ?? null
    text += featureBegins[index] + (typeof value === 'string' ? JSON.stringify(value) : String(value))
  }
  return `${text}}`
}

/** A word of a vocabulary, a code or an external id, in which nothing has to be escaped. */
export function quoted(value: string): string {
  return value === '' ? 'null' : `"${value}"`
}

function json(value: string): string {
  return value === '' ? 'null' : value
}

function flag(value: string): string {
  return value === 't' ? 'true' : 'false'
}

export function momentText(value: string): string {
  return value === '' ? 'null' : `"${isoMoment(value)}"`
}

/** `120000.00` → `120000`, `85.50` → `85.5`. */
function money(value: string): string {
  if (value.endsWith('.00')) return value.slice(0, -3)
  return json(value.endsWith('0') ? value.slice(0, -1) : value)
}

/** PostgreSQL prints the shortest digits too, but begins sooner to write an exponent. */
function double(value: string): string {
  return value.includes('e') || value === '-0' ? String(Number(value)) : json(value)
}

/** The text as it stands inside a JSON string. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
