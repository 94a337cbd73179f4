/** A batch of 50 writes compared with single writes. */
import type { BenchAgency } from '../data/load-data.ts'
import type { Target, Variant } from '../measurements/measure.ts'
import type { LoadRequest } from '../processes/load.ts'
import { each, type Scenario, type Targets, writeHeaders } from './scenario.ts'
import { newListing } from './shapes.ts'

const batchSize = 50

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
