/**
 * The cost of rejected requests: by themselves, and to a well-behaved key that reads `/me` while others are rejected. `/health`, which
 * needs no query, serves as comparison.
 */
import type { BenchAgency } from '../data/load-data.ts'
import type { LoadRequest } from '../processes/load.ts'
import type { Beside, Target, Variant } from '../measurements/measure.ts'
import { headersOf, type Scenario } from './scenario.ts'
import { wideLimits } from '../processes/servers.ts'

/** Limits too high to be reached, except for daily writes, which a key can thus exhaust, and for requests without a key. */
export const floodLimits = {
  ...wideLimits,
  writes_per_day: 20,
  keyless_per_minute: 600,
  keyless_per_address_per_minute: 60,
}

const pace = { connections: 32, perSecond: 1_000 }

/** @param target with `floodLimits` */
export async function floodScenarios(
  target: Target,
  [steady, greedy]: readonly BenchAgency[],
): Promise<Scenario[]> {
  const { readKey } = steady as BenchAgency
  // Rejected for its field, but still counted.
  const write: LoadRequest = {
    method: 'PUT',
    path: '/api/v1/properties/external/FLOOD-1',
    headers: { ...headersOf((greedy as BenchAgency).writeKey), 'content-type': 'application/json' },
    body: '{"unknown":1}',
  }
  await exhaust(target, write)
  const { authorization: _, ...nameless } = headersOf('')
  const health: LoadRequest = { method: 'GET', path: '/api/v1/health', headers: nameless }
  const keyless: LoadRequest = { ...health, path: '/api/v1/me' }
  const reading = (name: string, beside?: Beside): Variant => ({
    name,
    target,
    requests: [{ method: 'GET', path: '/api/v1/me', headers: headersOf(readKey) }],
    connections: 4,
    perSecond: 200,
    ...(beside === undefined ? {} : { beside }),
  })
  return [
    {
      name: 'refused requests',
      variants: [
        { name: '/health', target, requests: [health] },
        { name: 'of an exhausted key', target, requests: [write], status: 429 },
        { name: 'without a key', target, requests: [keyless], status: [401, 429] },
      ],
    },
    {
      name: 'a key beside floods of refused requests',
      variants: [
        reading('alone'),
        reading('beside /health', { ...pace, requests: [health], statuses: [200] }),
        reading('beside an exhausted key', { ...pace, requests: [write], statuses: [429] }),
        reading('alongside requests without a key', { ...pace, requests: [keyless], statuses: [401, 429] }),
      ],
    },
  ]
}

async function exhaust({ origin }: Target, { method, path, headers, body }: LoadRequest): Promise<void> {
  for (let sent = 0; sent <= floodLimits.writes_per_day; sent += 1) {
    const response = await fetch(origin + path, { method, headers, body: body ?? null })
    await response.arrayBuffer()
    if (response.status === 429) return
  }
  throw new Error('the limit of writes was never met')
}
