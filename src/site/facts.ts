/**
 * What the public pages tell of a listing in numbers and short lines (spec 'Property', `features`, `rental`).
 */
import type { Listing } from '../properties/listing.ts'
import { isRental, lotFeatures } from '../properties/vocabulary.ts'
import { day, number, oneLine } from './format.ts'
import type { Phrases } from './phrases-es.ts'

export type Fact = { value: string; label: string }
export type Detail = { label: string; value: string; ownWords?: boolean }

const counted = ['rooms', 'bedrooms', 'bathrooms', 'garages'] as const

/** The listing's features that apply to its type. */
function featureReader(listing: Listing) {
  const isLot = listing.type === 'Lote'
  return (name: keyof Listing['features']) =>
    isLot && !lotFeatures.has(name) ? undefined : listing.features[name]
}

/** Areas and counts, the most telling first. Nothing is said of what there is none of. */
export function keyFacts(listing: Listing, words: Phrases): Fact[] {
  const feature = featureReader(listing)
  const facts: Fact[] = []
  for (const name of ['total_m2', 'covered_m2'] as const) {
    const area = feature(name)
    const label = words.facts[name === 'total_m2' && listing.type === 'Lote' ? 'land_m2' : name]?.[1]
    if (typeof area === 'number' && area > 0) facts.push({ value: number(area, words), label: label ?? '' })
  }
  for (const name of counted) {
    const count = feature(name)
    if (typeof count !== 'number' || count === 0) continue
    facts.push({ value: number(count, words), label: words.facts[name]?.[count === 1 ? 0 : 1] ?? '' })
  }
  return facts
}

/** The facts as one line, for cards and previews: `86 m² totales · 3 ambientes`. */
export function factLine(listing: Listing, words: Phrases): string {
  return keyFacts(listing, words)
    .filter(({ label }) => label !== words.facts['covered_m2']?.[1])
    .slice(0, 4)
    .map(({ value, label }) => `${value} ${label}`)
    .join(' · ')
}

/** The rest of the features, and what names the listing. */
export function details(listing: Listing, words: Phrases): Detail[] {
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
  if (listing.published_at !== null) add(detail.published, day(listing.published_at, words))
  add(detail.code, listing.public_id)
  return rows
}

/** The terms of a rental; none for a sale. */
export function rentalTerms({ operation, rental }: Listing, words: Phrases): Detail[] {
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
