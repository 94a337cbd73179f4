/** The service compared with the floor, which comes first. */
import { bareCreate, bareList, bareRead } from './bare-requests.ts'
import { singleNew } from './batches.ts'
import type { BenchAgency } from '../data/load-data.ts'
import type { LoadRequest } from '../processes/load.ts'
import { each, get, headersOf, type Scenario, type Targets, uniqueKey } from './scenario.ts'
import {
  changingShapes,
  type ListShape,
  mixedShapes,
  newListing,
  plainShape,
  queryOf,
  searchShapes,
} from './shapes.ts'

const firstPages = [1, 2, 3]
/** The number of agencies whose responses, 12 lists or 20 listings each, fit into the response cache (ANSWER_CACHE_MB). */
export const cachedAgencies = 50

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
      { name: 'floor: no response kept', ...floorOf('fewer') },
      bareCreate(targets, agencies),
      { ...singleNew(service, agencies), name: 'service' },
    ],
  }
}
