/**
 * A question to a geocoder (api.md 12.1): the normalised street, number and city, so that all spellings of an address give the same
 * question.
 */
import { createHash } from 'node:crypto'
import { fold, foldTight } from '../addresses/fold.ts'
import { findJurisdiction } from '../addresses/jurisdictions.ts'
import { normalizeAddress } from '../addresses/normalize.ts'
import { resolvePlace } from '../addresses/places.ts'
import type { PostalAddress } from './geocoder.ts'

export type Question = Readonly<{
  /** Equal for questions with the same answer. */
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

/** Part of every key: raise it when the interpretation of responses changes, so that older answers are no longer used. */
const rules = 1

/** The question, or null when no geocoder of streets could answer it. */
export function toQuestion(asked: PostalAddress): Question | null {
  const read = normalizeAddress(asked.address, asked)
  if (read.street === null) return null
  const door = /^\d+/.exec(read.number ?? '')?.[0] ?? null
  // `Km 50` and `Lote 12` are not street numbers, and any point of a 300 km road says nothing.
  if (door === null && (read.number !== null || /^(?:Ruta|Autopista)\b/.test(read.street))) return null
  const number = read.number === null ? null : foldNumber(read.number)
  const { city, cityKey, province } = resolvePlace([], read)
  const identity = [rules, foldTight(read.street), number, cityKey, provinceKey(province)]
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
  return { key, street: read.street, number, door, city, cityKey, province }
}

/** A house number's compared form. */
export function foldNumber(number: string): string {
  return fold(number).replaceAll(/\s+/g, '')
}

/** A street name's compared form; null when it cannot be parsed. */
export function streetKey(name: string): string | null {
  return normalizeAddress(`${name} 1`).key?.streetKey ?? null
}

/** A city name's compared form. The whole Ciudad Autónoma is one city. Null when there is none. */
export function cityKey(city: string | null | undefined, province: string | null): string | null {
  return resolvePlace([], { city, province }).cityKey
}

/** A province name's compared form. */
export function provinceKey(province: string | null): string | null {
  return province === null ? null : (findJurisdiction(province)?.code ?? foldTight(province))
}
