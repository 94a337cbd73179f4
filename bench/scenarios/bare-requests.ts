/** Requests to the bare handler (bare.ts), equivalent to those to the service. */
import type { BenchAgency } from '../data/load-data.ts'
import type { LoadRequest } from '../processes/load.ts'
import type { Target, Variant } from '../measurements/measure.ts'
import { newListing } from './shapes.ts'

type Bare = { bare: Target }

const path = ({ id }: BenchAgency): string => `/agencies/${id}/listings`
const get = (of: string, headers: Record<string, string> = {}): LoadRequest => ({
  method: 'GET',
  path: of,
  headers,
})

/** Pages of each agency's published listings, newest first, with the total. */
export function bareList(
  { bare }: Bare,
  agencies: readonly BenchAgency[],
  pages: readonly number[],
): Variant {
  return {
    name: 'bare',
    target: bare,
    requests: pages.flatMap((page) =>
      agencies.map((agency) => get(`${path(agency)}?status=published&page=${page}`)),
    ),
  }
}

export function bareRead(
  { bare }: Bare,
  agencies: readonly BenchAgency[],
  places: readonly number[],
): Variant {
  return {
    name: 'bare',
    target: bare,
    requests: places.flatMap((place) =>
      agencies.map((agency) => get(`${path(agency)}/${agency.codes[place % agency.codes.length]}`)),
    ),
  }
}

export function bareCreate({ bare }: Bare, agencies: readonly BenchAgency[]): Variant {
  return {
    name: 'bare',
    target: bare,
    status: 201,
    unique: true,
    writes: 1,
    requests: agencies.map((agency): LoadRequest => ({
      method: 'POST',
      path: path(agency),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(newListing),
    })),
  }
}
