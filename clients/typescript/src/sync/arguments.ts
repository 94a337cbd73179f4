/**
 * Parses the command's arguments and environment variables.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

export const usage = `usage: listings-client sync SOURCE [options]

Makes the agency's listings match SOURCE: a .csv, .json or .ndjson file, or a folder of them. Without --apply it only shows what
would happen.

  --url URL                   where the service is; or SVC_BASE_URL
  --apply                     carry the plan out
  --map FILE                  JSON: which column means which field, and what words mean
  --print-map                 print the map in force, to be edited, and end
  --delete-missing            delete listings with an external id that SOURCE does not have
  --max-delete-share PERCENT  refuse to delete more than this share of them (default 20)
  --force-duplicates          let several listings share an address, such as the flats of a tower
  --republish                 publish listings of SOURCE that were suspended or closed elsewhere, and create again those that were
                              deleted there; by default they are left alone
  --refresh-photos            download all photos again
  --dry-run                   let the service check the plan; this costs a write for every 50 listings, and for every 30 photos of
                              new ones
  --journal FILE              where to record what was done (default: beside SOURCE)
  --max-wait DURATION         give up when a limit opens later than that: 90s, 15m, 8h, 2d (default: wait). An unreachable service
                              is given up after 10 minutes at most; without --apply, after one
  --report FILE               write the outcome of each listing, as .csv or .json
  --all                       name every listing of the plan
  --service-name NAME         the name in the service's headers (default Svc)
  --version                   print the version, and end

Environment: SVC_BASE_URL; SVC_API_KEY, a key with properties:read and properties:write; SVC_SIGNING_SECRET for keys that require
signatures.

Exit codes: 0 all listings match SOURCE, or would with --apply; 1 it could not run; 2 some listings failed or cannot be read;
3 it ended early, run it again; 4 it refused to delete that many; 5 nothing failed, but listings were left alone that were suspended,
closed or deleted elsewhere.`

export type Settings = {
  source: string
  url: string
  key: string
  signingSecret?: string
  serviceName?: string
  apply: boolean
  map?: string
  printMap: boolean
  deleteMissing: boolean
  maxDeleteShare: number
  forceDuplicates: boolean
  republish: boolean
  refreshPhotos: boolean
  dryRun: boolean
  journal?: string
  maxWaitMs: number
  report?: string
  all: boolean
}

const hint = 'see listings-client --help'

/** The package's version. */
export function version(): string {
  const path = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

/** An invalid argument or setting. The message is shown without a stack. */
export class UsageError extends Error {}

/** @throws UsageError */
export function readArguments(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const { values, positionals } = parsed(words)
  const [command, source, ...more] = positionals
  if (command !== 'sync') throw new UsageError(`the command is "sync"; ${hint}`)
  if (source === undefined || more.length > 0) throw new UsageError(`one SOURCE is needed; ${hint}`)
  const printMap = values['print-map'] ?? false
  const key = environment['SVC_API_KEY'] ?? ''
  const url = values.url ?? environment['SVC_BASE_URL'] ?? ''
  if (!printMap) {
    if (key === '') throw new UsageError('set SVC_API_KEY to a key with properties:read and properties:write')
    if (!/^https?:\/\//.test(url))
      throw new UsageError(
        '--url or SVC_BASE_URL must be the address of the service, such as https://listings.example',
      )
  }
  if (values.apply === true && values['dry-run'] === true)
    throw new UsageError('--dry-run only checks the plan that --apply carries out: choose one')
  return {
    source,
    url,
    key,
    signingSecret: environment['SVC_SIGNING_SECRET'] || undefined,
    serviceName: values['service-name'],
    apply: values.apply ?? false,
    map: values.map,
    printMap,
    deleteMissing: values['delete-missing'] ?? false,
    maxDeleteShare: readShare(values['max-delete-share']),
    forceDuplicates: values['force-duplicates'] ?? false,
    republish: values.republish ?? false,
    refreshPhotos: values['refresh-photos'] ?? false,
    dryRun: values['dry-run'] ?? false,
    journal: values.journal,
    maxWaitMs: readDuration(values['max-wait']),
    report: values.report,
    all: values.all ?? false,
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        apply: { type: 'boolean' },
        map: { type: 'string' },
        'print-map': { type: 'boolean' },
        'delete-missing': { type: 'boolean' },
        'max-delete-share': { type: 'string' },
        'force-duplicates': { type: 'boolean' },
        republish: { type: 'boolean' },
        'refresh-photos': { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        journal: { type: 'string' },
        'max-wait': { type: 'string' },
        report: { type: 'string' },
        all: { type: 'boolean' },
        'service-name': { type: 'string' },
      },
    })
  } catch (error) {
    const [first = ''] = (error as Error).message.split(/\. |\n/, 1)
    throw new UsageError(`${first}; ${hint}`)
  }
}

/** @returns a share from 0 to 1 */
function readShare(text = '20'): number {
  const percent = /^\d+(\.\d+)?%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN
  if (!(percent <= 100)) throw new UsageError('--max-delete-share must be a number from 0 to 100')
  return percent / 100
}

function readDuration(text?: string): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  const [, number, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  const size = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? '']
  if (size === undefined) throw new UsageError('--max-wait must be a number with s, m, h or d, such as 15m')
  return Number(number) * size
}
