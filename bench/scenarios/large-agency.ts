/** Lists of a large agency: its pages compared with those of an agency of 1,000 listings, and its filters. */
import type { BenchAgency } from '../data/load-data.ts'
import { get, headersOf, type Scenario, type Targets } from './scenario.ts'
import { everyShape, type ListShape, mixedShapes, plainShape, queryOf } from './shapes.ts'

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
