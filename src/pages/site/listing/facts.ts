/** A listing in numbers and short lines, as the public pages show it (api.md 9.4, 9.5, 9.6). */
import { type FeatureName, type FeatureValue, isApplicable } from '../../../listings/fields/features.ts'
import { appliesTo, unitText } from '../../../listings/fields/field.ts'
import { featuresOf, type Leaf, leaves } from '../../../listings/fields/field-lists.ts'
import { leafValue } from '../../../listings/fields/content.ts'
import type { Listing } from '../../../listings/listing.ts'
import { isRental } from '../../../listings/fields/vocabulary.ts'
import type { PriceShown } from '../../../platform/web/language/format.ts'
import { everydayLocality, oneLine } from '../../../platform/web/language/text.ts'
import type { Edition } from '../frame/site.ts'

type Wording = Pick<Edition, 'words' | 'format' | 'language'>

type Fact = { name: string; value: string; label: string }
export type Detail = { label: string; value: string; ownWords?: boolean }

/** The value of a feature, if it applies to the listing's type. */
const featureOf = ({ type, features }: Listing, name: FeatureName): FeatureValue | undefined =>
  isApplicable(name, type) ? features[name] : undefined

const tiles = featuresOf('area', 'count').filter(({ field }) => field.tile !== undefined)

/** Areas and counts, the most important first. Zeros are left out. */
export function keyFacts(listing: Listing, { format, language }: Wording): Fact[] {
  return tiles.flatMap(({ name, field: { kind, tile } }) => {
    const number = featureOf(listing, name as FeatureName)
    if (tile === undefined || typeof number !== 'number' || number <= 0) return []
    const label = tile[language][kind === 'count' && number === 1 ? 0 : 1]
    const lot = listing.type === 'Lote' ? tile.lot?.[language] : undefined
    return [{ name, value: format.number(number), label: lot ?? label }]
  })
}

/** The facts as one line, for cards and previews: `86 m² totales · 3 ambientes`. Lines break only between facts. */
export function factLine(listing: Listing, edition: Wording): string {
  return keyFacts(listing, edition)
    .filter(({ name }) => name !== 'covered_m2')
    .slice(0, 4)
    .map(({ value, label }) => `${value} ${label}`.replaceAll(' ', '\u00A0'))
    .join(' · ')
}

const rows = leaves.filter(({ field }) => field.row !== undefined)

/** The features without a tile, and other fields with a row. */
export function details(listing: Listing, edition: Wording): Detail[] {
  return rows
    .filter(({ group, field }) => group !== 'rental' && appliesTo(field, listing.type))
    .flatMap((leaf) => rowOf(listing, leaf, edition))
}

/** The terms of a rental; none for a sale. */
export function rentalTerms(listing: Listing, edition: Wording): Detail[] {
  if (!isRental(listing.operation)) return []
  return rows.filter(({ group }) => group === 'rental').flatMap((leaf) => rowOf(listing, leaf, edition))
}

function rowOf(listing: Listing, leaf: Leaf, { words, format, language }: Wording): Detail[] {
  const { field } = leaf
  const { row } = field
  const value = leafValue(listing, leaf)
  if (row === undefined || value === null) return []
  const label = row.label[language]
  if (Array.isArray(value))
    return value.length === 0 ? [] : [{ label, value: value.map(oneLine).join(', '), ownWords: true }]
  if (typeof value === 'boolean') {
    const answer = (value ? row.yes : row.no)?.[language]
    return [{ label, value: answer ?? (value ? words.yes : words.no) }]
  }
  if (typeof value === 'number') {
    const zero = value === 0 ? row.zero?.[language] : undefined
    return [{ label, value: zero ?? unitText(field, language, value) ?? format.number(value) }]
  }
  if (field.words === undefined) return [{ label, value: oneLine(String(value)), ownWords: true }]
  const word = field.words[String(value)]?.[language]
  return word === undefined ? [] : [{ label, value: word }]
}

const squareMetresInHectare = 10_000
/** Larger land is priced by the hectare. */
const fromHectares = 10

/** The price of a square metre, if price and area are known: `USD 2.450/m² cubierto`. Null for stays by the night or week. */
export function pricePerArea(listing: Listing, { words, format }: Wording): string | null {
  const { price_amount: amount, price_currency: currency, price_period: period, type } = listing
  if (amount === null || amount === 0 || (period !== null && period !== 'month')) return null
  const [covered, total] = [featureOf(listing, 'covered_m2'), featureOf(listing, 'total_m2')]
  const [area, kind] =
    typeof covered === 'number' && covered > 0
      ? [covered, 'covered_m2' as const]
      : [total, type === 'Lote' ? ('land_m2' as const) : ('total_m2' as const)]
  if (typeof area !== 'number' || area <= 0) return null
  const isLarge = area >= fromHectares * squareMetresInHectare
  const price = amount / (isLarge ? area / squareMetresInHectare : area)
  const rounded = price < 10 ? Math.round(price * 100) / 100 : Math.round(price)
  if (rounded === 0) return null
  return format.money(rounded, currency) + words.pricePer[isLarge ? 'hectare' : kind]
}

/** The price on its own line, with the period beside it. */
export function priceLine(
  listing: Pick<Listing, 'price_amount' | 'price_currency' | 'price_period' | 'price_on_request'>,
  { words, format }: Wording,
): PriceShown {
  const { price_amount: amount, price_currency: currency, price_period: period } = listing
  const shown = format.price({ amount, currency, period, onRequest: listing.price_on_request })
  return shown ?? { amount: words.onRequest, period: null }
}

/** Departamento en venta. */
export function offered(
  { type, operation }: Pick<Listing, 'type' | 'operation'>,
  { words }: Wording,
): string {
  const name = words.types[type ?? '']?.[0] ?? words.property
  const kind = words.operations[operation ?? '']
  return kind === undefined ? name : words.offered(name, kind)
}

/** Departamentos en venta: the listing's kind; null if type or operation is unknown. */
export function kindOf(
  { type, operation }: Pick<Listing, 'type' | 'operation'>,
  words: Wording['words'],
): string | null {
  const [types, kind] = [words.types[type ?? '']?.[1], words.operations[operation ?? '']]
  return types === undefined || kind === undefined ? null : words.offered(types, kind)
}

/** City and province, or one of them if both have the same name. */
export function localityOf({ city, province }: Pick<Listing, 'city' | 'province'>): string {
  return [...new Set([city, province].filter((name) => name !== null))].map(oneLine).join(', ')
}

/** Departamento en venta · Rosario, Santa Fe. */
export function whatAndWhere(listing: Listing, edition: Wording): string {
  const place = localityOf({
    city: everydayLocality(listing.city),
    province: everydayLocality(listing.province),
  })
  return [offered(listing, edition), place].filter((text) => text !== '').join(' · ')
}
