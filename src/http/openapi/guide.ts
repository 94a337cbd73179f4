/**
 * The prose of the OpenAPI document: guide.md, which has the rules common to all operations in short (api.md 1 to 14), with its numbers.
 */
import { readFileSync } from 'node:fs'
import {
  defaultLimits,
  type LimitName,
  listingLimits,
  signatureSeconds,
  sizeLimits,
} from '../../limits/table.ts'

export const tagDescriptions: Readonly<Record<string, string>> = {
  Service: 'The service itself, and the key in use.',
  Listings: 'Reading, creating, editing and removing listings.',
  States: 'Publishing and disabling listings.',
  Photos: 'Adding photos by URL.',
  Geocoding: 'Finding addresses on the map.',
}

const countedLimits: readonly [string, readonly LimitName[]][] = [
  ['Reads, per key', ['reads_per_minute', 'reads_per_day']],
  ['Writes, per key; every item of a batch counts as one', ['writes_per_minute', 'writes_per_day']],
  ['New listings, per agency, when they are created', ['new_listings_per_hour', 'new_listings_per_day']],
  ['Photos, per agency, counted before the download and never refunded', ['photos_per_day']],
  ['`POST /geocode`, per agency', ['geocoding_per_minute', 'geocoding_per_day']],
  ['State changes, per listing', listingLimits],
  [
    'Requests without a valid key, in total and per IP',
    ['keyless_per_minute', 'keyless_per_address_per_minute'],
  ],
]

const figure = (value: number): string => value.toLocaleString('en-US')

function limitsTable(): string {
  const rows = countedLimits.map(
    ([counted, names]) =>
      `| ${counted} | ${names.map((name) => `\`${name}\` ${figure(defaultLimits[name].max)}`).join(', ')} |`,
  )
  return ['| Counted | Limit |', '| --- | --- |', ...rows].join('\n')
}

const values: Readonly<Record<string, string>> = {
  limits: limitsTable(),
  signature_seconds: figure(signatureSeconds),
  listings_of_a_query: figure(sizeLimits.page * sizeLimits.per_page),
  ...Object.fromEntries(Object.entries(sizeLimits).map(([name, value]) => [name, figure(value)])),
}

/** `info.description` of the example service, in Markdown. `{{name}}` stands for a value. */
export const guide = readFileSync(new URL('./guide.md', import.meta.url), 'utf8').replaceAll(
  /\{\{(\w+)\}\}/g,
  (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`guide.md names no value: ${name}`)
    return value
  },
)
