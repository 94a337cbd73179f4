/**
 * Judges the statements that the service runs during tests, except the declared ones, which test/platform/db/distributable.test.ts judges.
 * A test file fails if Citus would refuse one. Statements of the tests themselves are not judged.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { Client, type ClientConfig } from 'pg'
import { observeStatements } from '../../../src/platform/db/statements/connection.ts'
import { declaredTexts } from '../../../src/platform/db/statements/statement.ts'
import { openJudge } from './distributable.ts'

/**
 * Beginnings or parts of statements that span agencies: those of operators and crawlers, and those that each node runs on its own. On the
 * coordinator they run on every shard.
 */
const overAgencies: readonly string[] = [
  // Sitemaps.
  'on r.agency_id = a.id where a.active and a.test_of is null',
  `from properties where agency_id = any($1) and status = 'published'`,
  // Addresses normalized by older rules.
  'from properties where (address_rules <',
  'from properties where (agency_id, id) >',
  // The operator's view of deliveries, and redelivery.
  'from "notification_deliveries" as "d" inner join "notification_events" as "e"',
  'from "notification_attempts" where "event_id" = $1 and "channel" = $2 and "agency_id" in',
  'select distinct d.agency_id from notification_deliveries d',
  `from notification_deliveries where state = 'set_aside'`,
  // Geocoding of listings that an earlier statement found, on the node of one agency.
  'insert into geocoding_attempts as a (agency_id,',
  // The operator's search box, and figures over all agencies.
  'from agencies a join properties p on p.agency_id = a.id and p.',
  'from agencies a join notification_events e on e.agency_id = a.id and e.id = $1',
  'from request_log where request_id = $1 and at >=',
  'from request_days where day > clock_timestamp()',
  `from request_days where code <> ''`,
  'from properties where deleted_at is null group by agency_id',
  'from key_usage where minute >',
  'select agency_id from agency_revisions where limits is not null',
  // The latest change, with which doctor compares the clock.
  'select extract(epoch from max(changed_at))::float8 * 1000 as ms from agency_revisions',
  // Metrics.
  'select d.channel, count(*) filter',
  'select looks.table',
  `from unreferenced_photos where delete_after = '-infinity' limit $1`,
]

const root = new URL('../../../', import.meta.url).pathname
const waiting = new Set<string>()
const judged = new Set<string>()
let isWatching = false

/** Starts recording the statements of this process. */
export function watchStatements(): void {
  if (isWatching) return
  isWatching = true
  observeStatements((text) => {
    if (!judged.has(text) && !waiting.has(text) && !declaredTexts.has(text) && isOfService())
      waiting.add(text)
    return () => {}
  })
}

/** Whether the service sent the statement rather than a test: looks at the nearest caller outside src/platform/db. */
function isOfService(): boolean {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error('where')
  Error.stackTraceLimit = stackTraceLimit
  for (const [, path = ''] of stack.matchAll(/file:\/\/(\S+?):\d+:\d+/g)) {
    const own = path.slice(root.length)
    if (own.startsWith('src/platform/db/') || own.startsWith('node_modules/') || own.endsWith('judged.ts'))
      continue
    return own.startsWith('src/')
  }
  return false
}

/** Judges the statements recorded so far. @param connection to a migrated database */
export async function judgeNoted(connection: ClientConfig): Promise<void> {
  if (waiting.size === 0) return
  const elsewhere = readPassed()
  const texts = [...waiting].filter((text) => !elsewhere.has(fingerprint(text)))
  for (const text of waiting) judged.add(text)
  waiting.clear()
  if (texts.length === 0) return
  const client = new Client(connection)
  await client.connect()
  try {
    assert.deepEqual(await judgeAll(client, texts), [], 'Citus would refuse them')
  } finally {
    await client.end()
  }
  if (passed !== undefined) appendFileSync(passed, texts.map((text) => `${fingerprint(text)}\n`).join(''))
}

/** The file in which the processes of one run record judged statements, so that each is judged once. */
const passed = process.env['TEST_JUDGED']

function readPassed(): ReadonlySet<string> {
  return new Set(passed === undefined ? [] : readFileSync(passed, 'utf8').split('\n'))
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** @returns a description of each violation */
export async function judgeAll(client: Client, texts: Iterable<string>): Promise<string[]> {
  const judge = await openJudge(client)
  const wrong: string[] = []
  for (const text of texts) {
    const plain = text.replaceAll(/\s+/g, ' ').trim()
    const mayBeOver = overAgencies.some((part) => plain.includes(part))
    const judgement = await judge(text).catch((error: Error) => [{ kind: 'refused', says: error.message }])
    const refusals = judgement.filter(({ kind }) => !(mayBeOver && kind === 'agencies'))
    if (refusals.length > 0)
      wrong.push(`${[...new Set(refusals.map(({ says }) => says))].join('; ')}: ${plain}`)
  }
  return wrong
}
