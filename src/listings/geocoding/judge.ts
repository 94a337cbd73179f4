/**
 * Chooses among a geocoder's candidates (api.md 12.1: coordinates are never invented). A candidate in another city or province,
 * or outside the country, does not count. If several remain that cannot be distinguished, none is chosen.
 */
import { isInsideCountry } from './country.ts'
import type { Pin } from './geocoder.ts'
import { provinceKey, type Question, streetKey } from './question.ts'

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

/** The pin of the question, or null when no candidate certainly matches. */
export function judge(question: Question, candidates: readonly Candidate[]): Pin | null {
  const here = candidates.filter((one) => isHere(question, one))
  const { number, door } = question
  const doors = number === null ? [] : here.filter(({ numbers }) => numbers.includes(number))
  if (doors.length > 0) {
    const same = sameStreet(question, doors)
    return areClose(same) ? toPin(same[0], 'resolved') : null
  }
  // For `55 bis`, door 55 is close enough to count as the street; for 1234, another door is not.
  const streets = here.filter(
    ({ numbers }) => numbers.length === 0 || (door !== null && numbers.includes(door)),
  )
  const same = sameStreet(question, streets)
  return areOneStreet(same) ? toPin(same[0], 'approximate') : null
}

function isHere(question: Question, { cityKeys, province, lat, lng }: Candidate): boolean {
  if (!isInsideCountry(lat, lng)) return false
  if (question.province !== null && provinceKey(question.province) !== provinceKey(province)) return false
  return question.cityKey === null || cityKeys.includes(question.cityKey)
}

/** Candidates on exactly that street, or else all: geocoders know former and longer names. */
function sameStreet(question: Question, candidates: readonly Candidate[]): readonly Candidate[] {
  const asked = streetKey(question.street)
  const named = candidates.filter(({ street }) => streetKey(street) === asked)
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
