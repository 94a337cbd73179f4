/**
 * Builds the lookup of an address (api.md 12.1) from the normalised street, number and city, so that all spellings of an address give
 * the same lookup. Chooses the answer among candidates, and never invents coordinates: a candidate in another city or province, or
 * outside the country, does not count. If several remain that cannot be distinguished, none is chosen.
 */
import { createHash } from 'node:crypto'
import { foldNumber, foldTight } from '../addresses/fold.ts'
import { findJurisdiction } from '../addresses/cities/jurisdictions.ts'
import { normalizeAddress } from '../addresses/normalize.ts'
import { resolveLocality } from '../addresses/cities/localities.ts'
import { isInsideCountry } from './country.ts'
import type { Pin, PostalAddress } from './geocoder.ts'

export type Lookup = Readonly<{
  /** Equal for lookups with the same result. */
  key: string
  /** Written out: `Avenida Corrientes`, `Calle 50`, `Corrientes y Callao`. */
  street: string
  /** The number in its compared form: `1234`, `55bis`; null without one. */
  number: string | null
  /** The number's digits; null without one. */
  door: string | null
  city: string | null
  cityKey: string | null
  province: string | null
}>

/** Part of every key: raise it when the interpretation of responses changes, so that older ones are no longer used. */
const rules = 1

/** The lookup, or null when no geocoder of streets could find the address. */
export function toLookup(place: PostalAddress): Lookup | null {
  const read = normalizeAddress(place.address, place)
  if (read.street === null) return null
  const door = /^\d+/.exec(read.number ?? '')?.[0] ?? null
  // `Km 50` and `Lote 12` are not street numbers, and any point of a 300 km road says nothing.
  if (door === null && (read.number !== null || /^(?:Ruta|Autopista)\b/.test(read.street))) return null
  const number = read.number === null ? null : foldNumber(read.number)
  const { city, cityKey, province } = resolveLocality([], read)
  const identity = [rules, foldTight(read.street), number, cityKey, provinceKey(province)]
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
  return { key, street: read.street, number, door, city, cityKey, province }
}

/** A street name's compared form; null when it cannot be parsed. */
function streetKey(name: string): string | null {
  return normalizeAddress(`${name} 1`).key?.streetKey ?? null
}

/** A city name's compared form. The whole Ciudad Autónoma is one city. Null when there is none. */
export function cityKey(city: string | null | undefined, province: string | null): string | null {
  return resolveLocality([], { city, province }).cityKey
}

/** A province name's compared form. */
export function provinceKey(province: string | null): string | null {
  return province === null ? null : (findJurisdiction(province)?.code ?? foldTight(province))
}

/** One match in a response, in a form common to all geocoders. */
export type Candidate = {
  street: string
  /** Its street numbers, folded for comparison; none for the street alone. */
  numbers: readonly string[]
  /** Possible names of its city, folded for comparison. */
  cityKeys: readonly string[]
  province: string | null
  /** Degrees. */
  lat: number
  lng: number
}

/** Points of one door that are farther apart belong to two streets of the same name. */
const sameDoorMetres = 500

/** The pin of the lookup, or null when no candidate certainly matches. */
export function choosePin(lookup: Lookup, candidates: readonly Candidate[]): Pin | null {
  const here = candidates.filter((one) => isHere(lookup, one))
  const { number, door } = lookup
  const doors = number === null ? [] : here.filter(({ numbers }) => numbers.includes(number))
  if (doors.length > 0) {
    const same = sameStreet(lookup, doors)
    return areClose(same) ? toPin(same[0], 'resolved') : null
  }
  // For `55 bis`, door 55 is close enough to count as the street; for 1234, another door is not.
  const streets = here.filter(
    ({ numbers }) => numbers.length === 0 || (door !== null && numbers.includes(door)),
  )
  const same = sameStreet(lookup, streets)
  return areOneStreet(same) ? toPin(same[0], 'approximate') : null
}

function isHere(lookup: Lookup, { cityKeys, province, lat, lng }: Candidate): boolean {
  if (!isInsideCountry(lat, lng)) return false
  if (lookup.province !== null && provinceKey(lookup.province) !== provinceKey(province)) return false
  return lookup.cityKey === null || cityKeys.includes(lookup.cityKey)
}

/** Candidates on exactly that street, or else all: geocoders know former and longer names. */
function sameStreet(lookup: Lookup, candidates: readonly Candidate[]): readonly Candidate[] {
  const wanted = streetKey(lookup.street)
  const named = candidates.filter(({ street }) => streetKey(street) === wanted)
  return named.length > 0 ? named : candidates
}

function areClose(candidates: readonly Candidate[]): boolean {
  const [first] = candidates
  return first !== undefined && candidates.every((other) => metresBetween(first, other) <= sameDoorMetres)
}

function areOneStreet(candidates: readonly Candidate[]): boolean {
  const streets = candidates.map(({ street, cityKeys, province }) =>
    [streetKey(street) ?? street, cityKeys[0], provinceKey(province)].join('\n'),
  )
  return new Set(streets).size === 1
}

function metresBetween(a: Candidate, b: Candidate): number {
  const metresPerDegree = 111_200
  const north = (a.lat - b.lat) * metresPerDegree
  const east = (a.lng - b.lng) * metresPerDegree * Math.cos((a.lat * Math.PI) / 180)
  return Math.hypot(north, east)
}

function toPin(candidate: Candidate | undefined, status: Pin['status']): Pin | null {
  return candidate === undefined ? null : { lat: candidate.lat, lng: candidate.lng, status }
}
