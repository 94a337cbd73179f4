/**
 * The service compared with the bare handler, as an outsider would measure: the database shares the load's core, so that CPU saved in one
 * is available to the other. The bare handler comes first, and ratios are relative to it.
 */
import { writeCursor } from '../../src/api/changes/change-cursor.ts'
import { bareCreate, bareList, bareRead } from './bare-requests.ts'
import type { BenchAgency } from '../data/load-data.ts'
import type { Variant } from '../measurements/measure.ts'
import { batchOfNew, singleNew } from './batches.ts'
import { headersOf, type Scenario, type Targets } from './scenario.ts'

const pages = [1, 2, 3]
const places = Array.from({ length: 20 }, (_, index) => index)
/** Where pages of changes start, as a fraction of an agency's changes. */
const shares = [0, 0.2, 0.4, 0.6]

/** Everything measured against the bare handler. @param cached agencies whose responses fit into the response cache */
export function bareScenarios(
  targets: Pick<Targets, 'bare' | 'service' | 'uncached'>,
  agencies: readonly BenchAgency[],
  cached: readonly BenchAgency[],
): Scenario[] {
  const { service, uncached } = targets
  const small = agencies.slice(0, -1)
  const large = agencies.slice(-1)
  const reading = (
    name: string,
    target: Targets['service'],
    of: readonly BenchAgency[],
    pathsOf: (agency: BenchAgency) => string[],
  ): Variant => ({
    name,
    target,
    requests: of
      .flatMap((agency) =>
        pathsOf(agency).map((one, place) => ({
          place,
          request: { method: 'GET' as const, path: `/api/v1${one}`, headers: headersOf(agency.readKey) },
        })),
      )
      // Agencies take turns.
      .sort((a, b) => a.place - b.place)
      .map(({ request }) => request),
  })
  const lists = (perPage: number) => () =>
    pages.map((page) => `/properties?status=published&page=${page}&per_page=${perPage}`)
  const singles = ({ codes }: BenchAgency) =>
    places.map((place) => `/properties/${codes[place % codes.length]}`)
  const changes = (limit: number) => (agency: BenchAgency) =>
    shares.map((share) => {
      const cursor = writeCursor({ agencyId: agency.id, seesDrafts: false }, agency.listings * share)
      return `/changes?limit=${limit}&cursor=${cursor}`
    })
  return [
    {
      name: 'list of 20 with total',
      variants: [
        bareList(targets, small, pages),
        reading('nothing changed', service, cached, lists(20)),
        reading('uncached', uncached, small, lists(20)),
      ],
    },
    {
      name: `list of 20 with total, of ${large[0]?.listings} listings`,
      variants: [
        bareList(targets, large, pages),
        reading('nothing changed', service, large, lists(20)),
        reading('uncached', uncached, large, lists(20)),
      ],
    },
    {
      name: 'single read',
      variants: [
        bareRead(targets, small, places),
        reading('cached', service, cached, singles),
        reading('uncached', uncached, small, singles),
      ],
    },
    {
      name: 'create',
      variants: [
        bareCreate(targets, small),
        { ...singleNew(service, small), name: 'service' },
        batchOfNew(service, small),
      ],
    },
    {
      name: 'changes beside a list',
      variants: [
        reading('list of 50, uncached', uncached, small, lists(50)),
        reading('changes, page of 50', service, small, changes(50)),
        reading('changes, page of 100', service, small, changes(100)),
      ],
    },
  ]
}
