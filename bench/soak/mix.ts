/** The requests of a long run: reads, lists, the feed of changes, public pages and writes, skewed toward a few busy agencies. */
import { writeCursor } from '../../src/api/changes/change-cursor.ts'
import type { BenchAgency } from '../data/load-data.ts'
import { headersOf, writeHeaders } from '../scenarios/scenario.ts'
import { mixedShapes, newListing, plainShape, queryOf, searchShapes } from '../scenarios/shapes.ts'

/** How many of a hundred requests are of each kind. */
export const shares = {
  'one listing': 34,
  'one listing, if changed': 14,
  'list, no filter': 7,
  'list, filtered': 9,
  'list, search': 2,
  'list, if changed': 9,
  changes: 9,
  "an agency's page": 3,
  "a listing's page": 5,
  'search on a page': 1,
  edit: 2,
  'price change': 3,
  'state change': 1,
  creation: 1,
} as const

export type Kind = keyof typeof shares
export const kinds = Object.keys(shares) as Kind[]

/** The codes are one string, separated by spaces: two million strings would make each garbage collection of the load take 70 ms. */
export type SoakAgency = Omit<BenchAgency, 'codes'> & { codes: string }

export type MixedRequest = {
  kind: Kind
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
  /** Any other status is an error. */
  statuses: readonly number[]
  /** Called with the response's ETag. */
  onEtag?: (etag: string) => void
  /** Called with the response's body; without it, the body is dropped. */
  onBody?: (body: string) => void
}

/** A read that can be repeated with its ETag. */
type Known = { path: string; key: string; etag: string }

/** Reads that are repeated conditionally, for each of the two kinds. */
const maxKnown = 5_000
/** Listings suspended at a time, of the last `ofAgency` of each agency, which are therefore never read. */
const suspended = { atOnce: 50, ofAgency: 20 }
/** IPs of visitors of public pages: a range that is reserved for benchmarks. */
const visitors = 20_000
const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36'

/** @returns a function that makes the next request; its memory is bounded by the number of agencies */
export function openMix(agencies: readonly SoakAgency[]): () => MixedRequest {
  const wheel = kinds.flatMap((kind) => Array.from({ length: shares[kind] }, () => kind))
  const known = { one: [] as Known[], list: [] as Known[] }
  const cursors = new Map<string, string>()
  const disabled: { agency: SoakAgency; code: string }[] = []
  let number = Date.now() * 1_000

  const get = (kind: Kind, { readKey }: SoakAgency, path: string): MixedRequest => ({
    kind,
    method: 'GET',
    path: `/api/v1${path}`,
    headers: headersOf(readKey),
    statuses: [200],
  })
  const remembered = (
    memory: Known[],
    request: MixedRequest,
    { readKey: key }: SoakAgency,
  ): MixedRequest => ({
    ...request,
    onEtag(etag) {
      const place = memory.length < maxKnown ? memory.length : randomBelow(maxKnown)
      memory[place] = { path: request.path, key, etag }
    },
  })
  const again = (memory: Known[], kind: Kind): MixedRequest | null => {
    const place = randomBelow(memory.length)
    const before = memory[place]
    if (before === undefined) return null
    const { path, key } = before
    return {
      kind,
      method: 'GET',
      path,
      headers: { ...headersOf(key), 'if-none-match': before.etag },
      statuses: [200, 304],
      onEtag: (etag) => void (memory[place] = { path, key, etag }),
    }
  }
  const page = (kind: Kind, place: number, rest: string): MixedRequest => ({
    kind,
    method: 'GET',
    path: `/inmobiliarias/bench-${place}${rest}`,
    headers: { 'user-agent': browser, accept: 'text/html', 'x-forwarded-for': visitor() },
    statuses: [200],
  })
  const write = (kind: Kind, agency: SoakAgency, path: string, body: object | string): MixedRequest => {
    number += 1
    return {
      kind,
      method: kind === 'edit' || kind === 'price change' ? 'PATCH' : 'POST',
      path: `/api/v1/properties${path}`,
      headers: fill(writeHeaders(agency.writeKey), number),
      body: (typeof body === 'string' ? body : JSON.stringify(body)).replaceAll('__n__', String(number)),
      statuses: [kind === 'creation' ? 201 : 200],
    }
  }
  const list = (kind: Kind, agency: SoakAgency, query: string): MixedRequest =>
    remembered(known.list, get(kind, agency, `/properties?${query}`), agency)

  const make: Record<Kind, (agency: SoakAgency, place: number) => MixedRequest> = {
    'one listing': (agency) =>
      remembered(known.one, get('one listing', agency, `/properties/${readCode(agency)}`), agency),
    'one listing, if changed': (agency, place) =>
      again(known.one, 'one listing, if changed') ?? make['one listing'](agency, place),
    'list, no filter': (agency) => list('list, no filter', agency, queryOf(plainShape, 1 + skewed(6))),
    'list, filtered': (agency) => list('list, filtered', agency, queryOf(anyOf(mixedShapes), 1 + skewed(2))),
    'list, search': (agency) => list('list, search', agency, queryOf(anyOf(searchShapes), 1)),
    'list, if changed': (agency, place) =>
      again(known.list, 'list, if changed') ?? make['list, no filter'](agency, place),
    changes(agency) {
      const { id, listings } = agency
      const cursor = cursors.get(id) ?? writeCursor({ agencyId: id, seesDrafts: false }, listings)
      return {
        ...get('changes', agency, `/changes?cursor=${cursor}`),
        onBody: (body) => void cursors.set(id, /"next_cursor":"([\w-]+)"/.exec(body)?.[1] ?? cursor),
      }
    },
    "an agency's page": (_agency, place) => page("an agency's page", place, ''),
    "a listing's page": (agency, place) => page("a listing's page", place, `/${readCode(agency)}`),
    'search on a page': (_agency, place) => page('search on a page', place, '?operation=sale&bedrooms=2'),
    edit: (agency) =>
      write('edit', agency, `/${readCode(agency)}`, {
        title: 'Casa reciclada con jardín __n__',
        features: { bathrooms: 1 + randomBelow(4) },
      }),
    'price change': (agency) =>
      write('price change', agency, `/${readCode(agency)}`, {
        price: { amount: 50_000 + randomBelow(900_000) },
      }),
    'state change'(agency) {
      // A listing is published again 50 changes later.
      const oldest = disabled.length >= suspended.atOnce ? disabled.shift() : undefined
      if (oldest !== undefined) return write('state change', oldest.agency, `/${oldest.code}/enable`, {})
      const code = anyOf(
        codesOf(agency)
          .slice(-suspended.ofAgency)
          .filter((one) => !disabled.some((other) => other.code === one)),
      )
      disabled.push({ agency, code })
      return write('state change', agency, `/${code}/disable`, {})
    },
    // Not skewed, so that no agency grows much during the run.
    creation: () => write('creation', anyOf(agencies), '', JSON.stringify(newListing)),
  }

  return () => {
    const place = skewed(agencies.length)
    return make[anyOf(wheel)](agencies[place] as SoakAgency, place)
  }
}

function readCode(agency: SoakAgency): string {
  return anyOf(codesOf(agency).slice(0, -suspended.ofAgency))
}

function codesOf({ codes }: SoakAgency): string[] {
  return codes.split(' ')
}

/** A whole number below `count`. Number n comes up in proportion to 1/(n + 1): Zipf's law, as in visits of websites. */
function skewed(count: number): number {
  return Math.floor((count + 1) ** Math.random()) - 1
}

function visitor(): string {
  const one = randomBelow(visitors)
  return `198.18.${one >> 8}.${one & 255}`
}

function randomBelow(count: number): number {
  return Math.floor(Math.random() * count)
}

function anyOf<T>(values: readonly T[]): T {
  return values[randomBelow(values.length)] as T
}

function fill(headers: Record<string, string>, number: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll('__n__', String(number))]),
  )
}
