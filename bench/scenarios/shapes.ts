/** The benchmark's requests: the filters of its lists, and the listing it creates. The service and the floor get the same requests. */
import type { Filters } from '../../src/listings/reading/list/list-filters.ts'
import type { Sort } from '../../src/listings/reading/list/list-sql.ts'

export type ListShape = { name: string; filters: Filters; sort: Sort }

/** The query string of a page of the list, for the service. */
export function queryOf({ filters, sort }: ListShape, page: number): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) parameters.set(name, String(value))
  if (sort !== 'recent') parameters.set('sort', sort)
  if (page !== 1) parameters.set('page', String(page))
  return parameters.toString()
}

const published = { status: 'published' } as const

/** Requests of an agency's website: a few filters, newest or cheapest first. */
export const mixedShapes: readonly ListShape[] = [
  { name: 'operation, bedrooms', filters: { ...published, operation: 'sale', bedrooms: 2 }, sort: 'recent' },
  {
    name: 'operation, type',
    filters: { ...published, operation: 'rent', type: 'Departamento' },
    sort: 'recent',
  },
  {
    name: 'price, cheapest first',
    filters: { ...published, operation: 'sale', currency: 'USD', max_price: 250_000 },
    sort: 'price_asc',
  },
  { name: 'type, area', filters: { ...published, type: 'Casa', min_m2: 60, bathrooms: 1 }, sort: 'recent' },
]

export const searchShapes: readonly ListShape[] = [
  { name: 'q', filters: { ...published, q: 'jardín plata' }, sort: 'recent' },
  { name: 'city', filters: { ...published, city: 'rosario' }, sort: 'recent' },
]

export const plainShape: ListShape = { name: 'no filter', filters: { ...published }, sort: 'recent' }

/** A different query each time, because the load process inserts a new time; every listing is newer than any of them. */
export const changingShapes: readonly ListShape[] = [
  {
    name: 'operation, changed since',
    filters: { ...published, operation: 'sale', updated_since: '__moment__' },
    sort: 'recent',
  },
]

/** Every filter and every sort separately, for the plans. */
export const everyShape: readonly ListShape[] = [
  plainShape,
  { name: 'status=all', filters: { status: 'all' }, sort: 'recent' },
  { name: 'operation', filters: { ...published, operation: 'temporary' }, sort: 'recent' },
  { name: 'type', filters: { ...published, type: 'Galpón' }, sort: 'recent' },
  { name: 'city', filters: { ...published, city: 'rosario' }, sort: 'recent' },
  { name: 'city, none there', filters: { ...published, city: 'ushuaia' }, sort: 'recent' },
  { name: 'neighborhood', filters: { ...published, neighborhood: 'belgrano' }, sort: 'recent' },
  { name: 'q, two words', filters: { ...published, q: 'jardín plata' }, sort: 'recent' },
  { name: 'q, rare word', filters: { ...published, q: 'mitre 4321' }, sort: 'recent' },
  { name: 'q, two letters', filters: { ...published, q: 'ca' }, sort: 'recent' },
  {
    name: 'price',
    filters: { ...published, currency: 'USD', min_price: 90_000, max_price: 95_000 },
    sort: 'recent',
  },
  {
    name: 'price, sort=price_asc',
    filters: { ...published, currency: 'USD', min_price: 90_000, max_price: 95_000 },
    sort: 'price_asc',
  },
  { name: 'bedrooms', filters: { ...published, bedrooms: 4 }, sort: 'recent' },
  { name: 'bathrooms', filters: { ...published, bathrooms: 3 }, sort: 'recent' },
  { name: 'main area', filters: { ...published, min_m2: 100, max_m2: 110 }, sort: 'recent' },
  {
    name: 'updated_since, sort=updated',
    filters: { ...published, updated_since: '2026-06-01T00:00:00.000Z' },
    sort: 'updated',
  },
  {
    name: 'updated_since',
    filters: { ...published, updated_since: '2026-06-01T00:00:00.000Z' },
    sort: 'recent',
  },
  { name: 'external_id', filters: { ...published, external_id: 'CRM-777' }, sort: 'recent' },
  { name: 'sort=price_asc', filters: { ...published }, sort: 'price_asc' },
  { name: 'sort=price_desc', filters: { ...published }, sort: 'price_desc' },
  { name: 'sort=updated', filters: { ...published }, sort: 'updated' },
]

/** The prefix of external ids stored by the benchmark itself; the load process replaces `__n__` with a number. */
export const createdPrefix = 'bench-'

/** The body of a creation for the floor and the bare handler. */
export type NewListing = {
  external_id: string
  title: string
  description: string
  operation: string
  type: string
  price: { amount: number; currency: string }
  expenses: { amount: number; currency: string }
  address: string
  location: { city: string; province: string; lat: number; lng: number }
  features: object
  amenities: readonly string[]
}

/** A draft as an agency's system sends it, with everything except photos, whose download would dominate the measurement. */
export const newListing = {
  external_id: `${createdPrefix}__n__`,
  title: 'Departamento de tres ambientes con balcón __n__',
  description:
    'Luminoso departamento al frente, con balcón corrido y cocina integrada.\nExpensas bajas, a dos cuadras del subte y del parque. Apto crédito.',
  operation: 'sale',
  type: 'Departamento',
  price: { amount: 128_500, currency: 'USD' },
  expenses: { amount: 85_000, currency: 'ARS' },
  address: 'Calle __n__ 1234',
  location: { city: 'La Plata', province: 'Buenos Aires', lat: -34.92, lng: -57.95 },
  features: { bedrooms: 2, bathrooms: 1, rooms: 3, total_m2: 74, covered_m2: 68, age_years: 12 },
  amenities: ['Balcón', 'Ascensor', 'Parrilla'],
} as const satisfies NewListing
