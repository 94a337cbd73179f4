/**
 * Reads a row of the file as the listing that it describes.
 */
import type { DisableInput, PropertyInput } from '../types.ts'
import { defaultsFor } from './defaults.ts'
import { fields, fold, type Kind } from './fields.ts'
import { listingFields } from './listing-fields.ts'
import type { Mapping } from './mapping.ts'
import { BadValue, currencyIn, readValue, saysOnRequest } from './values.ts'

export type Row = {
  /** Where the row is: `listings.csv:12`. */
  place: string
  /** Column → value; a column that the row does not have leaves its field alone. */
  values: Readonly<Record<string, unknown>>
  /** Why it cannot be read at all. */
  problem?: string
}

/** A listing according to the file. A field that the row lacks is absent; an empty one is null. */
export type Wanted = {
  externalId: string
  place: string
  content: Content
  photos?: readonly string[]
  status?: 'published' | 'draft' | 'disabled'
  /** Why it is suspended. */
  reason?: DisableInput['reason']
  /** Whether there is a cell for the status, though it may be empty. */
  hasStatus: boolean
  /** Whether the currency of the expenses is not in the file. */
  hasAssumedCurrency: boolean
  /** Path → column. */
  columns: ReadonlyMap<string, string>
}

/** The fields that creations and edits share. */
export type Content = Omit<PropertyInput, 'external_id' | 'photos' | 'status' | 'force_duplicate'>

export type BadRow = { place: string; externalId: string | null; problems: string[] }

/** Whether a property of this type may have the feature. */
export const isApplicable = (feature: string, type: unknown): boolean =>
  listingFields[`features.${feature}`]?.notOn?.some((one) => one === type) !== true

/** @returns the listing, or everything that is wrong with the row */
export function readRow({ place, values: row, problem }: Row, mapping: Mapping): Wanted | BadRow {
  const problems = problem === undefined ? [] : [problem]
  const read = new Map<string, unknown>()
  const attempt = (column: string, work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      problems.push(`${column}: ${error.message}`)
    }
  }
  const readField = (path: string, defaults: Readonly<Record<string, unknown>>): void => {
    const column = mapping.columns.get(path)
    attempt(column ?? path, () => {
      const value = readPath(path, column === undefined ? null : row[column], mapping)
      read.set(path, value ?? readValue(kindOf(path), defaults[path], mapping.format))
    })
  }
  const general = defaultsFor(mapping.defaults, null)
  // The operation comes first: the defaults of the other fields depend on it.
  if (mapping.columns.has('operation') || 'operation' in general) readField('operation', general)
  const defaults = defaultsFor(mapping.defaults, read.get('operation'))
  for (const path of new Set([...mapping.columns.keys(), ...Object.keys(defaults)]))
    if (path !== 'operation') readField(path, defaults)
  const amountOf = (path: string): unknown => row[mapping.columns.get(`${path}.amount`) ?? '']
  let isAssumed = false
  for (const path of ['price', 'expenses'])
    if (read.get(`${path}.amount`) != null && read.get(`${path}.currency`) == null) {
      const heading = mapping.columns.get(`${path}.amount`)?.replaceAll('_', ' ')
      const named = currencyIn(amountOf(path)) ?? currencyIn(heading)
      if (named !== null) read.set(`${path}.currency`, named)
      else if (path === 'price')
        problems.push(`price.currency: is missing; the map's "defaults" can give one`)
      else {
        // A price may be in either currency, but expenses are paid in pesos.
        read.set('expenses.currency', 'ARS')
        isAssumed = true
      }
    }
  if (saysOnRequest(amountOf('price'))) read.set('price.on_request', true)
  let photos: string[] | undefined
  attempt('photos', () => {
    photos = photosOf(row, read, 'photos' in defaults, mapping)
  })
  if (photos !== undefined && photos.length > 50)
    problems.push(`photos: ${photos.length}; a listing has at most 50`)
  const externalId = read.get('external_id')
  if (typeof externalId !== 'string') {
    const column = mapping.columns.get('external_id') ?? 'external_id'
    if (problem === undefined && !problems.some((text) => text.startsWith(`${column}:`)))
      problems.push(`${column}: is empty`)
    return { place, externalId: null, problems }
  }
  if (problems.length > 0) return { place, externalId, problems }
  const [status, reason] = String(read.get('status') ?? '').split(':')
  return {
    externalId,
    place,
    content: contentOf(read),
    photos,
    status: status === '' ? undefined : (status as Wanted['status']),
    reason: reason as Wanted['reason'],
    hasStatus: mapping.columns.has('status'),
    hasAssumedCurrency: isAssumed,
    columns: mapping.columns,
  }
}

const kindOf = (path: string): Kind => fields[path]?.kind ?? 'text'

function readPath(path: string, value: unknown, mapping: Mapping): unknown {
  const { cells = {} } = fields[path] ?? {}
  const known = mapping.values[path]
  const word = typeof value === 'string' ? fold(value) : ''
  let replaced = value
  if (known?.has(word) === true) replaced = known.get(word)
  else if (Object.hasOwn(cells, word)) replaced = cells[word]
  const sign = mapping.decimals.get(mapping.columns.get(path) ?? '')
  const { format } = mapping
  return readValue(kindOf(path), replaced, { ...format, decimal: format.decimal ?? sign })
}

function photosOf(
  row: Readonly<Record<string, unknown>>,
  read: ReadonlyMap<string, unknown>,
  hasDefault: boolean,
  { photoColumns, format }: Mapping,
): string[] | undefined {
  if (!hasDefault && photoColumns.length === 0) return undefined
  const own = photoColumns.flatMap((column) => (readValue('urls', row[column], format) ?? []) as string[])
  return [...new Set(own.length > 0 ? own : ((read.get('photos') ?? []) as string[]))]
}

function contentOf(read: ReadonlyMap<string, unknown>): Content {
  const content: Record<string, unknown> = {}
  for (const [path, value] of read) {
    if (['external_id', 'photos', 'status', 'street_number'].includes(path)) continue
    const [name = '', part] = path.split('.')
    if (part === undefined) content[name] = value
    else content[name] = { ...(content[name] as object | undefined), [part]: value }
  }
  const number = read.get('street_number')
  if (typeof content['address'] === 'string' && number != null)
    content['address'] = `${content['address']} ${String(number)}`
  fitPrice(content)
  fitExpenses(content)
  const location = content['location'] as Record<string, unknown> | undefined
  // If the file has no coordinates, the service finds them. They must not be cleared.
  if (location !== undefined && (location['lat'] == null || location['lng'] == null)) {
    delete location['lat']
    delete location['lng']
    if (Object.keys(location).length === 0) delete content['location']
  }
  const features = content['features'] as Record<string, unknown> | undefined
  if (features !== undefined)
    content['features'] = Object.fromEntries(
      Object.entries(features).filter(([name]) => isApplicable(name, content['type'])),
    )
  if (content['operation'] === 'sale') delete content['rental']
  for (const name of ['amenities', 'video_urls']) if (name in content) content[name] ??= []
  return content as Content
}

function fitPrice(content: Record<string, unknown>): void {
  const price = content['price'] as Record<string, unknown> | undefined
  if (price === undefined) return
  if (content['operation'] === 'sale' || price['period'] === null) delete price['period']
  // Without an amount, neither the currency nor a "no" means anything.
  if (!('amount' in price)) {
    delete price['currency']
    if (price['on_request'] === false) delete price['on_request']
  }
  if (price['on_request'] === true) {
    delete price['amount']
    delete price['currency']
  } else {
    if (price['on_request'] === null) delete price['on_request']
    if ('amount' in price && price['amount'] === null) price['currency'] = null
    // Many systems write zero if there is no price.
    if (price['amount'] === 0) Object.assign(price, { amount: null, currency: null })
  }
  if (Object.keys(price).length === 0) delete content['price']
}

function fitExpenses(content: Record<string, unknown>): void {
  const expenses = content['expenses'] as Record<string, unknown> | undefined
  if (expenses === undefined) return
  if (expenses['amount'] == null) content['expenses'] = 'amount' in expenses ? null : undefined
  if (content['expenses'] === undefined) delete content['expenses']
}
