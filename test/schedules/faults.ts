/** Twelve faults to plant in the service, each with the rule of the judge that it breaks. They prove that schedules find such faults. */

export type Fault = {
  name: string
  /** The rule that finds it. */
  rule: string
  /** A TypeScript file, or a function of the database, which is replaced. */
  file: string
  /** Pairs of a text in the file and its replacement. */
  edits: readonly (readonly [from: string, to: string])[]
}

const feed = 'src/listings/list/changes.ts'
const unreferenced = 'src/listings/photos/unreferenced.ts'
const lanes = 'src/delivery/notifications/lanes.ts'
const etag = 'src/http/responses/etag.ts'

export const faults: readonly Fault[] = [
  {
    name: 'a lost update',
    rule: 'If-Match is held',
    file: etag,
    edits: [['candidate.startsWith(versionTag(listing))', `candidate !== ''`]],
  },
  {
    name: 'a stale remembered response',
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
    edits: [['if (!row.is_claimed) throw new KeyInUse(toUse(row, request))', '']],
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
    file: 'migrations/functions/create_listings.sql',
    edits: [['day_new_listings >= most_per_day', 'day_new_listings > most_per_day']],
  },
  {
    name: 'a 304 for something that changed',
    rule: 'a 304 is true',
    file: etag,
    edits: [['|${revision}|', '|']],
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
      ['u.delete_after <= (select at from moment)', 'true'],
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
    file: 'src/platform/writing/under-lock.ts',
    edits: [['revision: revision + 1, at: new Date', 'revision, at: new Date']],
  },
  {
    name: 'a cursor behind its page',
    rule: 'the feed is complete and in order',
    file: feed,
    edits: [['further.version - 1', 'further.version - 2']],
  },
]
