/** A scenario: variants whose measurements are compared, and the requests that they have in common. */
import type { BenchAgency } from '../data/load-data.ts'
import type { Target, Variant } from '../measurements/measure.ts'
import type { LoadRequest } from '../processes/load.ts'
import { createdPrefix } from './shapes.ts'

export type Scenario = { name: string; variants: Variant[] }

/** `uncached`: the service with ANSWER_CACHE_MB=0; `limited`: with limits that are reached; `bare`: see bare.ts. */
export type Targets = { service: Target; uncached: Target; limited: Target; floor: Target; bare: Target }

export const uniqueKey = `${createdPrefix}__n__`

export function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'user-agent': 'ListingsBench/1.0 (bench@listings.example)' }
}

export function writeHeaders(key: string): Record<string, string> {
  return { ...headersOf(key), 'content-type': 'application/json', 'idempotency-key': uniqueKey }
}

export const get = (path: string, headers: Record<string, string> = {}): LoadRequest => ({
  method: 'GET',
  path,
  headers,
})

/** Every agency in turn, and every variation within an agency. */
export function each<T>(
  agencies: readonly BenchAgency[],
  variations: readonly T[],
  make: (agency: BenchAgency, variation: T) => LoadRequest,
) {
  return variations.flatMap((variation) => agencies.map((agency) => make(agency, variation)))
}
