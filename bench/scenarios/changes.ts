/** The feed of changes: a page of 100 at the small agency and at the large one, and no changes compared with a list's 304. */
import { writeCursor } from '../../src/api/changes/change-cursor.ts'
import type { BenchAgency } from '../data/load-data.ts'
import type { LoadRequest } from '../processes/load.ts'
import type { Target } from '../measurements/measure.ts'
import { headersOf, type Scenario, type Targets } from './scenario.ts'

/** Where pages start, as a fraction of the agency's changes. */
const places = [0, 0.2, 0.4, 0.6, 0.8]

export async function changesScenarios(
  { service, floor }: Targets,
  small: BenchAgency,
  large: BenchAgency,
): Promise<Scenario[]> {
  const ask = (key: string, path: string, headers: Record<string, string> = {}): LoadRequest => ({
    method: 'GET',
    path: `/api/v1${path}`,
    headers: { ...headersOf(key), ...headers },
  })
  const page = (seesDrafts: boolean): Scenario => ({
    name: `changes, page of 100, ${seesDrafts ? 'key that writes' : 'key that only reads'}`,
    variants: [small, large].map((agency) => ({
      name: `${agency.listings} listings`,
      target: service,
      requests: places.map((place) => {
        const cursor = writeCursor({ agencyId: agency.id, seesDrafts }, agency.listings * place)
        return ask(seesDrafts ? agency.writeKey : agency.readKey, `/changes?cursor=${cursor}`)
      }),
    })),
  })
  const etag = await etagOf(service, ask(small.readKey, '/properties'))
  const cursor = await lastCursor(service, small)
  return [
    page(false),
    page(true),
    {
      name: 'changes, nothing new',
      variants: [
        {
          name: 'floor: the revision, 304',
          target: floor,
          status: 304,
          requests: [{ method: 'GET', path: `/revision/${small.id}`, headers: {} }],
        },
        {
          name: 'list, 304',
          target: service,
          status: 304,
          requests: [ask(small.readKey, '/properties', { 'if-none-match': etag })],
        },
        {
          name: 'changes',
          target: service,
          requests: [ask(small.readKey, `/changes?cursor=${cursor}`)],
        },
      ],
    },
  ]
}

async function etagOf({ origin }: Target, { path, headers }: LoadRequest): Promise<string> {
  const response = await fetch(origin + path, { headers })
  await response.arrayBuffer()
  return response.headers.get('etag') ?? ''
}

/** The cursor after all changes that an agency's read key sees. */
async function lastCursor({ origin }: Target, { readKey }: BenchAgency): Promise<string> {
  for (let cursor = ''; ;) {
    const response = await fetch(`${origin}/api/v1/changes?fields=id${cursor}`, {
      headers: headersOf(readKey),
    })
    const { next_cursor, has_more } = (await response.json()) as { next_cursor: string; has_more: boolean }
    if (!has_more) return next_cursor
    cursor = `&cursor=${next_cursor}`
  }
}
