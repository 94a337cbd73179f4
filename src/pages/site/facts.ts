/**
 * A listing in numbers and short lines, as the public pages show it (api.md 9.4, 9.5, 9.6).
 */
import type { Listing } from '../../listings/listing.ts'
import { isRental, lotFeatures } from '../../listings/vocabulary.ts'
import type { PriceShown } from '../../platform/web/format.ts'
import { everydayPlace, oneLine } from '../../platform/web/text.ts'
import type { Edition } from './site.ts'

/** What putting a listing into words takes. */
type Wording = Pick<Edition, 'words' | 'format'>

type Fact = { value: string; label: string }
export type Detail = { label: string; value: string; ownWords?: boolean }

const counted = ['rooms', 'bedrooms', 'bathrooms', 'garages'] as const

/** The listing's features that apply to its type. */
function featureReader(listing: Listing) {
  const isLot = listing.type === 'Lote'
  return (name: keyof Listing['features']) =>
    isLot && !lotFeatures.has(name) ? undefined : listing.features[name]
}

/** Areas and counts, the most important first. Zeros are left out. */
export function keyFacts(listing: Listing, { words, format }: Wording): Fact[] {
  const feature = featureReader(listing)
  const facts: Fact[] = []
  for (const name of ['total_m2', 'covered_m2'] as const) {
    const area = feature(name)
    const label = words.facts[name === 'total_m2' && listing.type === 'Lote' ? 'land_m2' : name]?.[1]
    if (typeof area === 'number' && area > 0) facts.push({ value: format.number(area), label: label ?? '' })
  }
  for (const name of counted) {
    const count = feature(name)
    if (typeof count !== 'number' || count === 0) continue
    facts.push({ value: format.number(count), label: words.facts[name]?.[count === 1 ? 0 : 1] ?? '' })
  }
  return facts
}

/** The facts as one line, for cards and previews: `86 m² totales · 3 ambientes`. It breaks between facts alone. */
export function factLine(listing: Listing, edition: Wording): string {
  return keyFacts(listing, edition)
    .filter(({ label }) => label !== edition.words.facts['covered_m2']?.[1])
    .slice(0, 4)
    .map(({ value, label }) => `${value} ${label}`.replaceAll(' ', '\u00A0'))
    .join(' · ')
}

/** The rest of the features. */
export function details(listing: Listing, { words }: Pick<Wording, 'words'>): Detail[] {
  const feature = featureReader(listing)
  const { detail } = words
  const rows: Detail[] = []
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined) rows.push({ label, value })
  }
  const answer = (value: unknown, yes = words.yes, no = words.no) =>
    typeof value === 'boolean' ? (value ? yes : no) : undefined
  const age = feature('age_years')
  add(detail.age, typeof age === 'number' ? (age === 0 ? words.brandNew : words.years(age)) : undefined)
  add(detail.disposition, words.dispositions[String(feature('disposition'))])
  add(detail.orientation, words.orientations[String(feature('orientation'))])
  add(detail.pets, answer(feature('pet_friendly'), words.petsWelcome, words.petsRefused))
  add(detail.furnished, answer(feature('furnished')))
  add(detail.credit, answer(feature('credit_eligible')))
  return rows
}

/** The terms of a rental; none for a sale. */
export function rentalTerms({ operation, rental }: Listing, { words }: Wording): Detail[] {
  if (!isRental(operation) || rental === null) return []
  const rows: Detail[] = []
  if (rental.min_stay !== null) rows.push({ label: words.minStay, value: words.nights(rental.min_stay) })
  if (rental.min_lease_months !== null)
    rows.push({ label: words.minLease, value: words.months(rental.min_lease_months) })
  if (rental.services_included.length > 0) {
    const value = rental.services_included.map(oneLine).join(', ')
    rows.push({ label: words.servicesIncluded, value, ownWords: true })
  }
  return rows
}

const squareMetresInHectare = 10_000
/** From here on land is priced by the hectare. */
const fromHectares = 10

/** The price of a square metre, where price and area are known: `USD 2.450/m² cubierto`. None of a stay. */
export function pricePerArea(listing: Listing, { words, format }: Wording): string | null {
  const { price_amount: amount, price_currency: currency, price_period: period, type } = listing
  if (amount === null || amount === 0 || (period !== null && period !== 'month')) return null
  const feature = featureReader(listing)
  const [covered, total] = [feature('covered_m2'), feature('total_m2')]
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

/** The price as its own line, and beside it the period. */
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
  listing: Pick<Listing, 'type' | 'operation'>,
  { words }: Pick<Wording, 'words'>,
): string {
  const type = words.types[listing.type ?? '']?.[0] ?? words.property
  const operation = words.operations[listing.operation ?? '']
  return operation === undefined ? type : words.offered(type, operation)
}

/** Departamentos en venta: the listings like it; null where either is not known. */
export function kindOf(
  { type, operation }: Pick<Listing, 'type' | 'operation'>,
  words: Wording['words'],
): string | null {
  const [types, kind] = [words.types[type ?? '']?.[1], words.operations[operation ?? '']]
  return types === undefined || kind === undefined ? null : words.kind(types, kind)
}

/** City and province, once where both have the same name. */
export function placeOf({ city, province }: Pick<Listing, 'city' | 'province'>): string {
  return [...new Set([city, province].filter((name) => name !== null))].map(oneLine).join(', ')
}

/** Departamento en venta · Rosario, Santa Fe. */
export function whatAndWhere(listing: Listing, edition: Wording): string {
  const place = placeOf({ city: everydayPlace(listing.city), province: everydayPlace(listing.province) })
  return [offered(listing, edition), place].filter((text) => text !== '').join(' · ')
}
