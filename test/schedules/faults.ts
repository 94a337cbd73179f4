/** Faults to plant in the service, at least one for each rule of the judge. They prove that schedules find such faults. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rule } from './judge/timeline.ts'

export type Fault = {
  name: string
  /** The rule that finds it. */
  rule: Rule
  /** A TypeScript file, or a function of the database, which is replaced. */
  file: string
  /** Pairs of a text in the file and its replacement. */
  edits: readonly (readonly [from: string, to: string])[]
}

const feed = 'src/listings/reading/changes.ts'
const unreferenced = 'src/listings/photos/unreferenced.ts'
const lanes = 'src/delivery/notifications/courier/lanes.ts'
const creation = 'migrations/functions/create_listings.sql'
const etag = 'src/http/responses/etag.ts'

export const faults: readonly Fault[] = [
  {
    name: 'an acknowledged write that is not stored',
    rule: 'no acknowledged write is lost',
    file: 'src/writing/under-lock.ts',
    edits: [
      [
        'if (locked.willCommit()) await tx.commit(collected())',
        'if (locked.willCommit()) await tx.runAll(collected()).then(() => tx.rollback())',
      ],
    ],
  },
  {
    name: 'a refused write that is stored',
    rule: 'a refused write has no effect',
    file: 'src/http/writes/run-idempotently.ts',
    edits: [
      [
        'return await endpoint.run({ ...input, keyed, dryRun: null })',
        `const response = await endpoint.run({ ...input, keyed, dryRun: null })
        if (input.ifMatch !== undefined) throw new ApiError('precondition_failed')
        return response`,
      ],
    ],
  },
  {
    name: 'a lost update',
    rule: 'no update is lost',
    file: 'src/api/writes/write-listings.ts',
    edits: [
      [
        'const before = getExisting(rows)',
        'const before = ((globalThis.planted ??= {})[params.id] ??= getExisting(rows))',
      ],
    ],
  },
  {
    name: 'an If-Match that is ignored',
    rule: 'If-Match is honoured',
    file: etag,
    edits: [['candidate.startsWith(versionTag(listing))', `candidate !== ''`]],
  },
  {
    name: 'a stale cached response',
    rule: 'no read is stale',
    file: 'src/platform/memory/revision-memory.ts',
    edits: [['if (shelf !== undefined && shelf.revision !== revision) clear(shelf)', '']],
  },
  {
    name: 'a gap in the feed',
    rule: 'the feed is complete and in order',
    file: feed,
    edits: [['further.version - 1', 'further.version']],
  },
  {
    name: 'a doubled effect',
    rule: 'a write has one effect',
    file: 'src/http/writes/idempotency.ts',
    edits: [['if (!row.is_claimed) throw new KeyInUse(outcomeFor(row, request))', '']],
  },
  {
    name: 'a replay that differs',
    rule: 'a replay is the same response',
    file: 'src/listings/history/rewind.ts',
    edits: [['describedBefore(now, later)', 'describedBefore(now, [])']],
  },
  {
    name: 'a limit exceeded by one',
    rule: 'no limit is exceeded',
    file: creation,
    edits: [['day_new_listings >= max_per_day', 'day_new_listings > max_per_day']],
  },
  {
    name: 'a limit charged twice',
    rule: 'no limit is charged too much',
    file: creation,
    edits: [
      [
        'day_new_listings := day_new_listings + counted',
        'day_new_listings := day_new_listings + 2 * counted',
      ],
    ],
  },
  {
    name: 'a removed listing in a list',
    rule: 'a read shows one revision',
    file: 'src/listings/reading/list/list-filters.ts',
    edits: [[`['agency_id = $1', 'deleted_at is null']`, `['agency_id = $1']`]],
  },
  {
    name: 'a response without photos',
    rule: 'a version has one content',
    file: 'src/listings/reading/shown/serialize.ts',
    edits: [['return photoUrls(listing, baseUrl)', 'return []']],
  },
  {
    name: 'a 304 for something that changed',
    rule: 'a 304 is true',
    file: etag,
    edits: [['|${revision}|', '|']],
  },
  {
    name: 'an event that is forgotten',
    rule: 'every event is sent',
    file: lanes,
    edits: [['l.version = $8::bigint and not $9', '$8::bigint > 0 and not $9']],
  },
  {
    name: 'an event out of order',
    rule: 'events are sent in order',
    file: lanes,
    edits: [['order by d.revision limit $4', 'order by d.revision desc limit $4']],
  },
  {
    name: 'a photo file removed too early',
    rule: 'exactly the pictures of listings are stored',
    file: unreferenced,
    edits: [
      ['u.delete_after <= (select now from moment)', 'true'],
      [` and delete_after > '-infinity' returning photo`, ' returning photo'],
    ],
  },
  {
    name: 'a lease taken twice',
    rule: 'an event is sent once',
    file: lanes,
    edits: [['set token = $4, due_at = lease.ends_at', 'set token = $4, due_at = l.due_at']],
  },
  {
    name: 'a revision used twice',
    rule: 'a revision is used once',
    file: 'src/writing/revisions.ts',
    edits: [['revision: revision + 1, at: new Date', 'revision, at: new Date']],
  },
  {
    name: 'a cursor behind its page',
    rule: 'the feed is complete and in order',
    file: feed,
    edits: [['further.version - 1', 'further.version - 2']],
  },
]

export function pathOf({ file }: Fault): string {
  return join(import.meta.dirname, '../..', file)
}

/** The text of the file with the fault. @throws Error if the file does not have each replaced text once */
export function withFault(planted: Fault): string {
  let text = readFileSync(pathOf(planted), 'utf8')
  for (const [right, wrong] of planted.edits) {
    if (text.split(right).length !== 2) throw new Error(`${planted.file} must have this once: ${right}`)
    text = text.replace(right, () => wrong)
  }
  return text
}
