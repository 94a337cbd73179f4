/** The options of a long run. */
import { parseArgs } from 'node:util'
import type { DataSize } from '../data/load-data.ts'

export const { values: options } = parseArgs({
  options: {
    agencies: { type: 'string', default: '10000' },
    each: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '60' },
    /** The rate; by default half of what one core can do. */
    'per-second': { type: 'string' },
    'kept-minutes': { type: 'string', default: '10' },
    data: { type: 'string' },
    'database-url': { type: 'string' },
    results: { type: 'string', default: 'soak.jsonl' },
    report: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    note: { type: 'string', default: '' },
  },
})

const agencies = Number(options.agencies)
const each = Number(options.each)
export const minutes = Number(options.minutes)
export const keptMinutes = Number(options['kept-minutes'])
/** Agencies of one size: `loadData` makes one more, of its own size. */
export const size: DataSize = { agencies: agencies - 1, listings: each, large: each }
export const listings = agencies * each
