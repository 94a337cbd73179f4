/**
 * What a geocoder is asked (api.md 12.1): the normalised street, number and city, so that every spelling of an address is
 * one question.
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
  /** As doors are compared: `1234`, `55bis`; null without one. */
  number: string | null
  /** The number without what follows its digits; null without one. */
  door: string | null
  city: string | null
  cityKey: string | null
  province: string | null
}>

/** Part of every key: raise it when the reading of answers changes, so that older answers go out of use. */
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

/** A house number as it is compared. */
export function foldNumber(number: string): string {
  return fold(number).replaceAll(/\s+/g, '')
}

/** A street's name as it is compared; null when it cannot be read. */
export function streetKey(name: string): string | null {
  return normalizeAddress(`${name} 1`).key?.streetKey ?? null
}

/** A city's name as it is compared. The whole Ciudad Autónoma is one city. Null when there is none. */
export function cityKey(city: string | null | undefined, province: string | null): string | null {
  return resolvePlace([], { city, province }).cityKey
}

/** A province's name as it is compared. */
export function provinceKey(province: string | null): string | null {
  return province === null ? null : (findJurisdiction(province)?.code ?? foldTight(province))
}
