/** The options of `npm run bench`. */
import { parseArgs } from 'node:util'
import { sizeOf } from './data/load-data.ts'

export const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    bare: { type: 'boolean', default: false },
    account: { type: 'boolean', default: false },
    'database-url': { type: 'string' },
    citus: { type: 'string' },
    connections: { type: 'string' },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    only: { type: 'string', default: '' },
    listings: { type: 'string' },
    each: { type: 'string' },
    large: { type: 'string' },
    title: { type: 'string' },
    workers: { type: 'string', default: '1' },
    requests: { type: 'string' },
    write: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
    data: { type: 'string' },
    profile: { type: 'string' },
  },
})

/** Whether the database shares the load's core, as in a measurement on one machine. */
export const beside = options.bare || options.account
const accountTitle = 'A creation, by the microsecond'
export const title =
  options.title ?? (options.account ? accountTitle : options.bare ? 'Beside a bare handler' : undefined)
export const rounds = Number(options.rounds ?? (options.account ? 1 : options.quick ? 3 : 5))
export const durationMs = Number(options.seconds ?? (options.quick ? 1 : 3)) * 1000
export const workers = Number(options.workers)
/** Concurrent requests. */
export const connections = Number(options.connections ?? (beside ? 16 : 32))
export const listings = Number(
  options.listings ??
    (beside ? 150_000 : options.citus !== undefined ? 40_000 : options.quick ? 10_000 : 100_000),
)
const numberOr = (text: string | undefined) => (text === undefined ? undefined : Number(text))
export const size = sizeOf(listings, numberOr(options.each), numberOr(options.large))
if (!(size.agencies >= 2))
  throw new Error(
    'Too few listings for two agencies and the large one: use 4000 or more, or set --each and --large.',
  )
