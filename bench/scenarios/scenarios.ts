/** The comparisons: the service with the floor, a next page at 1,000 listings with one at 50,000, a batch with single writes. */
import { bareCreate, bareList, bareRead } from './bare-requests.ts'
import type { BenchAgency } from '../data/load-data.ts'
import type { LoadRequest } from '../processes/load.ts'
import type { Target, Variant } from '../measurements/measure.ts'
import {
  changingShapes,
  createdPrefix,
  everyShape,
  type ListShape,
  mixedShapes,
  newListing,
  plainShape,
  queryOf,
  searchShapes,
} from './shapes.ts'

export type Scenario = { name: string; variants: Variant[] }

/** `uncached`: the service with ANSWER_CACHE_MB=0; `limited`: with limits that are reached; `bare`: see bare.ts. */
export type Targets = { service: Target; uncached: Target; limited: Target; floor: Target; bare: Target }

const firstPages = [1, 2, 3]
const uniqueKey = `${createdPrefix}__n__`
const batchSize = 50
/** The number of agencies whose answers, 12 lists or 20 listings each, fit into the response cache (ANSWER_CACHE_MB). */
export const cachedAgencies = 50

export function headersOf(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'user-agent': 'ListingsBench/1.0 (bench@listings.example)' }
}

export function writeHeaders(key: string): Record<string, string> {
  return { ...headersOf(key), 'content-type': 'application/json', 'idempotency-key': uniqueKey }
}

const get = (path: string, headers: Record<string, string> = {}): LoadRequest => ({
  method: 'GET',
  path,
  headers,
})

/** Every agency in turn, and every variation within an agency. */
function each<T>(
  agencies: readonly BenchAgency[],
  variations: readonly T[],
  make: (agency: BenchAgency, variation: T) => LoadRequest,
) {
  return variations.flatMap((variation) => agencies.map((agency) => make(agency, variation)))
}

/** Compares the service with the floor, which comes first. */
export async function floorScenarios(
  targets: Targets,
  agencies: readonly BenchAgency[],
): Promise<Scenario[]> {
  const one = agencies.slice(0, 1)
  const cached = agencies.slice(0, cachedAgencies)
  const cold = { ...targets, service: targets.uncached }
  return [
    list(targets, 'list, nothing changed', cached, 'mixed', mixedShapes),
    list(targets, 'list, nothing changed, one key', one, 'mixed', mixedShapes),
    ...(agencies.length > cached.length
      ? [list(targets, 'list, more than is cached', agencies, 'mixed', mixedShapes)]
      : []),
    list(targets, 'list, changed every time', agencies, 'changing', changingShapes),
    list(cold, 'list, uncached, no filter', agencies, 'plain', [plainShape]),
    // The same lists regardless of the number of other listings: the cost of the total number alone.
    list(cold, 'list, uncached, five agencies', agencies.slice(0, 5), 'plain', [plainShape]),
    list(cold, 'list, uncached, search', agencies, 'search', searchShapes),
    await unchanged(targets, 'list, 304', agencies),
    read(targets, 'single read, warm', cached),
    read(cold, 'single read, cold', agencies),
    create(targets, 'create', agencies),
  ]
}

function list(
  targets: Targets,
  name: string,
  agencies: readonly BenchAgency[],
  kind: string,
  shapes: readonly ListShape[],
): Scenario {
  const { service, floor } = targets
  const pages = shapes.flatMap((shape, index) => firstPages.map((page) => ({ shape, index, page })))
  return {
    name,
    variants: [
      {
        name: 'floor',
        target: floor,
        unique: true,
        requests: each(agencies, pages, ({ id }, { index, page }) =>
          get(`/list/${id}/${kind}/${index}/${page}`),
        ),
      },
      // The bare handler has no filters.
      ...(kind === 'plain' ? [bareList(targets, agencies, firstPages)] : []),
      {
        name: 'service',
        target: service,
        unique: true,
        requests: each(agencies, pages, ({ readKey }, { shape, page }) =>
          get(`/api/v1/properties?${queryOf(shape, page)}`, headersOf(readKey)),
        ),
      },
    ],
  }
}

function read(targets: Targets, name: string, agencies: readonly BenchAgency[]): Scenario {
  const { service, floor } = targets
  const places = Array.from({ length: 20 }, (_, index) => index)
  const codeOf = ({ codes }: BenchAgency, place: number) => codes[place % codes.length] ?? ''
  return {
    name,
    variants: [
      {
        name: 'floor',
        target: floor,
        requests: each(agencies, places, (agency, place) =>
          get(`/read/${agency.id}/${codeOf(agency, place)}`),
        ),
      },
      bareRead(targets, agencies, places),
      {
        name: 'service',
        target: service,
        requests: each(agencies, places, (agency, place) =>
          get(`/api/v1/properties/${codeOf(agency, place)}`, headersOf(agency.readKey)),
        ),
      },
    ],
  }
}

async function unchanged(
  { service, floor }: Targets,
  name: string,
  agencies: readonly BenchAgency[],
): Promise<Scenario> {
  const [shape] = mixedShapes as [ListShape]
  const path = `/api/v1/properties?${queryOf(shape, 1)}`
  const requests: LoadRequest[] = []
  for (const { readKey } of agencies) {
    const response = await fetch(service.origin + path, { headers: headersOf(readKey) })
    await response.arrayBuffer()
    requests.push(get(path, { ...headersOf(readKey), 'if-none-match': response.headers.get('etag') ?? '' }))
  }
  return {
    name,
    variants: [
      {
        name: 'floor: the list itself',
        target: floor,
        requests: agencies.map(({ id }) => get(`/list/${id}/mixed/0/1`)),
      },
      {
        name: 'floor: the revision, 304',
        target: floor,
        status: 304,
        requests: agencies.map(({ id }) => get(`/revision/${id}`)),
      },
      { name: 'service', target: service, status: 304, requests },
    ],
  }
}

function create(targets: Targets, name: string, agencies: readonly BenchAgency[]): Scenario {
  const { service, floor } = targets
  const body = JSON.stringify(newListing)
  const post = (path: string, headers: Record<string, string>): LoadRequest => ({
    method: 'POST',
    path,
    headers,
    body,
  })
  const floorOf = (rows: 'same' | 'fewer') => ({
    target: floor,
    status: 201,
    unique: true,
    writes: 1,
    requests: agencies.map(({ id }) =>
      post(`/create/${id}/${rows}`, {
        'content-type': 'application/json',
        'idempotency-key': uniqueKey,
      }),
    ),
  })
  return {
    name,
    variants: [
      { name: 'floor: the same rows', ...floorOf('same') },
      { name: 'floor: no answer kept', ...floorOf('fewer') },
      bareCreate(targets, agencies),
      { ...singleNew(service, agencies), name: 'service' },
    ],
  }
}

/** A page whose total is cached, at an agency of 1,000 and at the large one. */
export function pageScenarios(
  { uncached: service }: Targets,
  small: BenchAgency,
  large: BenchAgency,
): Scenario[] {
  const scenario = (name: string, shape: ListShape, pages: number[]): Scenario => ({
    name,
    variants: [small, large].map((agency) => ({
      name: `${agency.listings} listings`,
      target: service,
      requests: pages.map((page) =>
        get(`/api/v1/properties?${queryOf(shape, page)}`, headersOf(agency.readKey)),
      ),
    })),
  })
  return [
    scenario('next page, no filter', plainShape, [2, 3, 4, 5]),
    scenario('next page, operation and bedrooms', mixedShapes[0] as ListShape, [2, 3]),
    scenario('next page, cheapest first', mixedShapes[2] as ListShape, [2, 3]),
    ...(['price_asc', 'price_desc', 'updated'] as const).map((sort) =>
      scenario(`next page, ${sort}`, { ...plainShape, sort }, [2, 3]),
    ),
  ]
}

/** The dashboard's table of listings at 1,000 and at 50,000. @param cookies of the two agencies' people */
export function dashboardScenarios(
  { service }: Targets,
  agencies: readonly BenchAgency[],
  cookies: readonly { cookie: string }[],
): Scenario[] {
  const scenario = (name: string, query: string): Scenario => ({
    name,
    variants: agencies.map((agency, index) => ({
      name: `${agency.listings} listings`,
      target: service,
      requests: [1, 2, 3].map((page) =>
        get(`/dashboard/listings?page=${page}${query}`, { ...cookies[index], 'accept-language': 'es-AR' }),
      ),
    })),
  })
  return [
    scenario('dashboard, table of listings', ''),
    scenario('dashboard, table filtered and sorted', '&operation=sale&bedrooms=2&sort=price_asc'),
  ]
}

/** The large agency with only totals cached: its first and last page, and every filter separately. */
export function largeScenarios({ uncached: service }: Targets, large: BenchAgency): Scenario[] {
  const page = (shape: ListShape, number: number) => [
    get(`/api/v1/properties?${queryOf(shape, number)}`, headersOf(large.readKey)),
  ]
  const published = everyShape.filter(({ filters }) => filters.status === 'published')
  return [
    {
      name: 'first and last page of the large agency',
      variants: [1, 200].map((number) => ({
        name: `page ${number}`,
        target: service,
        requests: page(plainShape, number),
      })),
    },
    {
      name: 'each filter, at the large agency',
      variants: published.map((shape) => ({ name: shape.name, target: service, requests: page(shape, 1) })),
    },
  ]
}

/** The same number of writes, one per request and 50 per request. A batch's figures are per request, with 50 writes. */
export function batchScenarios({ service }: Targets, agencies: readonly BenchAgency[]): Scenario[] {
  // The number makes each price unique, so that every update has something to write.
  const change = '{"title":"Casa en venta, precio __n__"}'
  const numberOf = (agency: BenchAgency, place: number) => agency.firstNumber + place
  return [
    {
      name: 'update, one by one and 50 in a batch',
      variants: [
        {
          name: 'single PUT',
          target: service,
          unique: true,
          writes: 1,
          requests: each(agencies, [0, 1, 2, 3, 4], (agency, place): LoadRequest => ({
            method: 'PUT',
            path: `/api/v1/properties/external/CRM-${numberOf(agency, place)}`,
            headers: writeHeaders(agency.writeKey),
            body: change,
          })),
        },
        {
          name: 'batch of 50',
          target: service,
          unique: true,
          connections: 4,
          writes: batchSize,
          requests: agencies.map((agency): LoadRequest => ({
            method: 'POST',
            path: '/api/v1/properties/batch',
            headers: writeHeaders(agency.writeKey),
            body: itemsOf((place) => ({
              external_id: `CRM-${numberOf(agency, place)}`,
              title: `Casa en venta, precio ${place} __n__`,
            })),
          })),
        },
      ],
    },
    {
      name: 'create, one by one and 50 in a batch',
      variants: [singleNew(service, agencies), batchOfNew(service, agencies)],
    },
  ]
}

export function singleNew(service: Target, agencies: readonly BenchAgency[]): Variant {
  return {
    name: 'single POST',
    target: service,
    status: 201,
    unique: true,
    writes: 1,
    requests: agencies.map(({ writeKey }): LoadRequest => ({
      method: 'POST',
      path: '/api/v1/properties',
      headers: writeHeaders(writeKey),
      body: JSON.stringify(newListing),
    })),
  }
}

export function batchOfNew(service: Target, agencies: readonly BenchAgency[]): Variant {
  const item = (place: number) => ({
    ...newListing,
    external_id: `${newListing.external_id}-${place}`,
    address: `Calle ${place} __n__`,
  })
  return {
    name: 'batch of 50',
    target: service,
    unique: true,
    connections: 4,
    writes: batchSize,
    requests: agencies.map(({ writeKey }): LoadRequest => ({
      method: 'POST',
      path: '/api/v1/properties/batch',
      headers: writeHeaders(writeKey),
      body: itemsOf(item),
    })),
  }
}

function itemsOf(make: (place: number) => object): string {
  return JSON.stringify({ items: Array.from({ length: batchSize }, (_, place) => make(place)) })
}
