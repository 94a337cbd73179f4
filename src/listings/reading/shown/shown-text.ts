/**
 * Writes listings as the JSON that the API shows, straight from the text that PostgreSQL sends for their columns: the same bytes as
 * JSON.stringify of `toProperty`, without a parsed row in between. Reads of lists, changes and single listings use it. It saves a
 * quarter to a third of the service's CPU for an uncached list (docs/performance-notes.md).
 */
import { agencyUrl } from '../../../agencies/agencies.ts'
import { isoMoment } from '../../../platform/db/statements/values.ts'
import { remembering } from '../../../platform/memory/bounded-map.ts'
import { photoFile, photosUrl } from '../../photos/names-and-urls.ts'
import { type FeatureName, featureNames, type FeatureValue } from '../../fields/features.ts'
import type { Field, FieldKind, Line } from '../../fields/field.ts'
import {
  fieldNames,
  type NameOf,
  neededNames,
  ownFields,
  type OwnName,
  valueColumns,
} from '../../fields/field-lists.ts'
import { fields as table } from '../../fields/fields.ts'
import type { Rental } from '../../fields/content.ts'
import type { Selection } from '../../listing.ts'
import { minPhotos } from '../../fields/publishable.ts'
import { noRental } from '../../fields/groups.ts'
import type { ShownAgency } from './serialize.ts'
import { isRental } from '../../fields/vocabulary.ts'

type TextColumn = NameOf<{ kind: 'text' | 'lines' }> | 'city' | 'province'
/** Columns with the agency's own texts, in which any character may occur. */
const textColumns = valueColumns.flatMap(([column, { kind }]) =>
  kind === 'text' || kind === 'lines' ? [column as TextColumn] : [],
)

/** A listing as PostgreSQL sends it: the agency's texts, and all other columns joined. A column that was not requested is missing. */
export type ShownRow = { joined: string } & Record<TextColumn, string | null>

type FieldName = (typeof fieldNames)[number]
/** `id` comes first, and always. */
type OtherName = Exclude<FieldName, 'id'>
const otherNames = fieldNames.filter((name): name is OtherName => name !== 'id')

/** One more column costs the driver as much as a hundred characters, so these are sent as one. */
const separator = '\u001F'
/** Columns whose text may hold the separator arrive as JSON, which escapes it. */
const asJson: ReadonlySet<FieldKind> = new Set(['url', 'list', 'urls'])
/** The SQL of each column that travels with others: it never holds the separator, and is either null or not empty. */
const joinedColumns = new Map<string, string>([
  ...['public_id', 'status', 'location_status', 'features', 'photos', 'rental', 'reserved'].map(plain),
  ...['published_at', 'created_at', 'updated_at'].map(plain),
  ...valueColumns.flatMap(([column, { kind }]): [string, string][] => {
    if (kind === 'text' || kind === 'lines') return []
    return [asJson.has(kind) ? [column, `to_json(p.${column})`] : plain(column)]
  }),
])

function plain(column: string): [string, string] {
  return [column, `p.${column}`]
}

const positions = Object.fromEntries([...joinedColumns.keys()].map((column, position) => [column, position]))

const more: ReadonlySet<string> = new Set(['features', 'more', 'rental'])
const moreNames = otherNames.filter((name) => {
  const line: Line = table[name]
  return 'section' in line && more.has(line.section ?? '')
})

/**
 * Columns that travel only if one of their fields is requested. They form groups, because connections keep every statement text prepared,
 * and `fields` allows far too many combinations of columns.
 */
const groups: readonly { fields: readonly FieldName[]; columns: readonly string[] }[] = [
  { fields: ['description'], columns: ['description'] },
  { fields: ['photos', 'missing'], columns: ['photos'] },
  { fields: moreNames, columns: moreNames },
]

/** One selection for each subset of the groups. */
export const selectionCount = 2 ** groups.length

/** The selection without the named columns. @param names separated by commas */
const selectionWithout = remembering(selectionCount, (names: string): Selection<ShownRow> => {
  const left = new Set(names.split(','))
  const joined = [...joinedColumns].map(([column, text]) => (left.has(column) ? `''` : text))
  const texts = textColumns.filter((column) => !left.has(column))
  const columns = [
    `concat(${joined.join(`, E'\\x1F', `)}) as joined`,
    ...texts.map((column) => `p.${column}`),
  ].join(', ')
  return { columns }
})

/** The names in `fields`, or null for all. `id` is always shown; `location` brings `location_status` with it. */
export type FieldSelection = ReadonlySet<string> | null

/** The columns that the fields need, of a table or subquery `p`. */
export function shownColumns(fields: FieldSelection): Selection<ShownRow> {
  const omitted = groups.filter((group) => fields !== null && !group.fields.some((name) => fields.has(name)))
  return selectionWithout(omitted.flatMap(({ columns }) => columns).join())
}

/** The joined columns of a row, each as PostgreSQL prints it; empty if null. */
export type JoinedValues = readonly string[]

export function valuesOf({ joined }: ShownRow): JoinedValues {
  return joined.split(separator)
}

export function valueOf(values: JoinedValues, column: string): string {
  return values[positions[column] ?? -1] ?? ''
}

/** Texts that the rows of one response share, ready to be put between their values. */
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

/** Writes a comma, the field's name and its value. */
type FieldWriter = (values: JoinedValues, row: ShownRow, shared: Shared) => string

/** The writer of a field that has a column of its name. */
function ownWriter([name, { kind }]: readonly [OwnName, Field]): [OwnName, FieldWriter] {
  const begin = `,"${name}":`
  if (kind === 'text' || kind === 'lines')
    return [name, (_values, row) => begin + JSON.stringify(row[name as TextColumn])]
  const write = valueWriters[kind]
  return [name, (values) => begin + write(valueOf(values, name))]
}

const valueWriters: Record<Exclude<FieldKind, 'text' | 'lines'>, (value: string) => string> = {
  code: quoted,
  choice: quoted,
  url: json,
  list: json,
  urls: json,
  count: json,
  area: double,
  coordinate: double,
  money,
  flag: (value) => (value === '' ? 'null' : flag(value)),
}

const fieldWriters: Record<OtherName, FieldWriter> = {
  ...(Object.fromEntries(ownFields.map(ownWriter)) as Record<OwnName, FieldWriter>),
  status: (values) => `,"status":${quoted(valueOf(values, 'status'))}`,
  url: (values, _row, { listingUrl }) => `,"url":"${listingUrl}${valueOf(values, 'public_id')}"`,
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
  location: (values, { city, province }) =>
    `,"location":{"city":${JSON.stringify(city)},"province":${JSON.stringify(province)},"neighborhood":null,"lat":${double(valueOf(values, 'lat'))},"lng":${double(valueOf(values, 'lng'))}},"location_status":${quoted(valueOf(values, 'location_status'))}`,
  features: (values) => `,"features":${featuresText(valueOf(values, 'features'))}`,
  photos(values, _row, { baseUrl, agencyId }) {
    const photos = valueOf(values, 'photos')
    if (photos === '{}') return ',"photos":[]'
    const begin = `"${inner(photosUrl(baseUrl, agencyId, valueOf(values, 'public_id')))}`
    const end = `${photoFile('', 'large')}"`
    return `,"photos":[${begin}${photos.slice(1, -1).replaceAll(',', `${end},${begin}`)}${end}]`
  },
  rental(values) {
    if (!isRental(valueOf(values, 'operation'))) return ',"rental":null'
    const stored = valueOf(values, 'rental')
    const terms = stored === '' ? noRental : { ...noRental, ...(JSON.parse(stored) as Rental) }
    return `,"rental":{"period":${quoted(valueOf(values, 'price_period'))},${JSON.stringify(terms).slice(1)}`
  },
  reserved: (values) => `,"reserved":${flag(valueOf(values, 'reserved'))}`,
  agency: (_values, _row, { agency }) => `,"agency":${agency}`,
  published_at: (values) => `,"published_at":${momentText(valueOf(values, 'published_at'))}`,
  created_at: (values) => `,"created_at":${momentText(valueOf(values, 'created_at'))}`,
  updated_at: (values) => `,"updated_at":${momentText(valueOf(values, 'updated_at'))}`,
  missing: (values, row) => `,"missing":[${missingText(values, row).slice(1)}]`,
}

/** Whether a row lacks each field that publishing needs, and the field's name as `missing` shows it. */
const needs = neededNames.map((name) => ({
  text: `,"${name}"`,
  isMissing: textColumns.includes(name as TextColumn)
    ? (_values: JoinedValues, row: ShownRow) => row[name as TextColumn] === null
    : (values: JoinedValues) => valueOf(values, name) === '',
}))

/** As `missingToPublish` (publishable.ts), with a comma before each. */
function missingText(values: JoinedValues, row: ShownRow): string {
  let text = ''
  for (const need of needs) if (need.isMissing(values, row)) text += need.text
  if (valueOf(values, 'price_amount') === '' && valueOf(values, 'price_on_request') === 'f')
    text += ',"price"'
  if (valueOf(values, 'operation') === 'temporary' && valueOf(values, 'price_period') === '')
    text += ',"price.period"'
  const photos = valueOf(values, 'photos')
  if (photos === '{}' || photos.split(',', minPhotos).length < minPhotos) text += ',"photos"'
  return text
}

const featureBegins = featureNames.map((name, index) => `${index === 0 ? '{' : ','}"${name}":`)

/** Writes the stored JSON in the order of responses. */
function featuresText(stored: string): string {
  const features = JSON.parse(stored) as Partial<Record<FeatureName, FeatureValue>>
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

/** Like JavaScript, PostgreSQL prints the shortest digits, but it switches to an exponent earlier. */
function double(value: string): string {
  return value.includes('e') || value === '-0' ? String(Number(value)) : json(value)
}

/** The text as it is inside a JSON string. */
function inner(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
