/**
 * Concurrent requests share one statement (docs/architecture.md, 'Admission'), and each gets the result that it would get alone. Counters
 * are compared with a naive count per minute and day.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { admission, type Admitted, type AdmissionRequest } from '../../../src/access/keys/admission.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { limitsWith } from '../../../src/limits/table.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { rawRequest } from '../../support/network/raw-http.ts'

const site = 'https://www.acme.example'

let t: TestApp
let keys: string[] = []
before(async () => {
  t = await testApp()
  const { id } = t.agency
  const revoked = await t.newKey(id)
  await revokeKey(t.deps.db, id, revoked.id, t.clock)
  const listed = await t.newKey(id, { allowed_origins: [site] })
  const signing = await t.newKey(id, { allowed_origins: [site], signature_required: true })
  keys = [t.readKey, t.writeKey, t.other.readKey, listed.key, signing.key, revoked.key, 'nonsense']
})
after(() => t.close())

const fields = {
  key: fc.nat({ max: 6 }).map((index) => keys[index] ?? ''),
  kind: fc.constantFrom('reads' as const, 'writes' as const),
  cost: fc.nat({ max: 3 }),
  scope: fc.constantFrom(
    'properties:read' as const,
    'any' as const,
    'properties:write' as const,
    'leads:read' as const,
  ),
  origin: fc.oneof(
    fc.constantFrom(null, ''),
    fc.constantFrom(site, ` ${site}`, `${site} `, 'null', 'undefined', 'true', 'false', '""'),
    fc.string().map((text) => text.replaceAll('\0', '')),
  ),
  signed: fc.boolean(),
}
/** Requests that differ in one or two fields: near-duplicates are the likeliest to be mixed up. */
const nearlyTheSame: fc.Arbitrary<AdmissionRequest[]> = fc
  .tuple(
    fc.record(fields),
    fc.array(fc.record(fields, { requiredKeys: [] }).chain(aField), { minLength: 1, maxLength: 20 }),
  )
  .map(([request, changes]) => [request, ...changes.map((change) => ({ ...request, ...change }))])

function aField(change: Partial<AdmissionRequest>): fc.Arbitrary<Partial<AdmissionRequest>> {
  return fc
    .subarray(Object.entries(change), { maxLength: Math.min(2, Object.keys(change).length) })
    .map((entries) => Object.fromEntries(entries))
}

/** The part of a result that is independent of concurrent requests: the key, and what was granted. */
const told = (admitted: Admitted | null) => ({
  key: admitted?.record.key,
  refusal: admitted?.refusal,
  granted: admitted?.passage?.granted,
})

describe('requests admitted together', () => {
  test('each get the result they would get alone', async () => {
    await fc.assert(
      fc.asyncProperty(nearlyTheSame, async (askings) => {
        const together = await Promise.all(askings.map((each) => t.deps.admit(each)))
        for (const [index, each] of askings.entries())
          assert.deepEqual(
            told(together[index] ?? null),
            told(await t.deps.admit(each)),
            JSON.stringify(each),
          )
      }),
      { numRuns: 200 },
    )
  })

  test('refuse an empty Origin like any other, without affecting concurrent requests', async () => {
    const ask = (headers: Record<string, string>) =>
      rawRequest(t.baseUrl, {
        method: 'GET',
        path: '/api/v1/me',
        headers: { 'x-api-key': t.readKey, ...headers },
      })
    const empty = { origin: '' }
    // The first of them used to decide for the others.
    const sent = [empty, {}, {}, empty, {}, {}, {}, empty]
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all(sent.map(ask))
      assert.deepEqual(
        responses.map(({ status, text }) => (status === 200 ? 200 : /"code":"(\w+)"/.exec(text)?.[1])),
        sent.map((headers) => (headers === empty ? 'origin_not_allowed' : 200)),
      )
    }
  })
})

const max = { reads_per_minute: 5, reads_per_day: 12, writes_per_minute: 4, writes_per_day: 9 }
const limits = limitsWith(max)

type Act = { wait: number } | Pick<AdmissionRequest, 'kind' | 'cost'>
const acts = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom('reads' as const, 'writes' as const),
        cost: fc.integer({ min: 1, max: 3 }),
      }),
    },
    fc.record({ wait: fc.nat({ max: 40 }) }),
  ),
  { minLength: 1, maxLength: 25 },
)

/** The remaining quota of a key, counted one request at a time. */
function plainCount() {
  const used = { reads: { minute: 0, day: 0 }, writes: { minute: 0, day: 0 } }
  let [minute, day] = [0, 0]
  return (at: number, { kind, cost }: Pick<AdmissionRequest, 'kind' | 'cost'>): number => {
    if (Math.floor(at / 60_000) > minute) used.reads.minute = used.writes.minute = 0
    if (Math.floor(at / 86_400_000) > day) used.reads.day = used.writes.day = 0
    ;[minute, day] = [Math.floor(at / 60_000), Math.floor(at / 86_400_000)]
    const room = Math.min(
      max[`${kind}_per_minute`] - used[kind].minute,
      max[`${kind}_per_day`] - used[kind].day,
    )
    const granted = Math.max(0, Math.min(cost, room))
    used[kind].minute += granted
    used[kind].day += granted
    return granted
  }
}

describe('the counters of admission', () => {
  const asked = (key: string, more: Partial<AdmissionRequest> = {}): AdmissionRequest => ({
    key,
    kind: 'reads',
    cost: 1,
    scope: 'any',
    origin: null,
    signed: false,
    ...more,
  })
  /** Seconds past the minute, so that no window of the database's clock ends during a test. */
  const toTheMiddle = (): void => {
    const present = Date.now() + t.clock.offsetMs
    t.clock.offsetMs += 60_000 - (present % 60_000) + 10_000
  }

  test('match a naive count of the windows', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence: Act[]) => {
        const admit = admission(t.deps.db, limits, t.clock)
        const { readKey, agency } = await t.newAgency()
        const { key } = await t.newKey(agency.id, { scopes: ['properties:read', 'properties:write'] })
        const count = plainCount()
        toTheMiddle()
        for (const act of sequence) {
          if ('wait' in act) {
            t.clock.offsetMs += act.wait * 1_000
            const seconds = ((Date.now() + t.clock.offsetMs) / 1_000) % 60
            if (seconds > 50 || seconds < 2) t.clock.offsetMs += 15_000
            continue
          }
          const admitted = await admit(asked(key, act))
          assert.equal(admitted?.passage?.granted, count(Date.now() + t.clock.offsetMs, act))
        }
        // Another key of the same agency has its own counters.
        assert.equal((await admit(asked(readKey)))?.passage?.minuteUsed, 1)
      }),
      { numRuns: 40 },
    )
  })

  test('grant concurrent requests of a key in order of arrival', async () => {
    const admit = admission(t.deps.db, limits, t.clock)
    const { writeKey } = await t.newAgency()
    toTheMiddle()
    const granted = async () => {
      const all = [
        admit(asked(writeKey, { scope: 'properties:read' })),
        admit(asked(writeKey, { kind: 'writes', scope: 'properties:write' })),
        admit(asked(writeKey)),
      ]
      return (await Promise.all(all)).map((one) => one?.passage?.granted)
    }
    assert.deepEqual(await granted(), [1, 1, 1])
    assert.deepEqual(await granted(), [1, 1, 1])
    // The third round is one read short.
    assert.deepEqual(await granted(), [1, 1, 0])
  })

  test('refund the charge for a key that was revoked in the meantime', async () => {
    const admit = admission(t.deps.db, limits, t.clock)
    const { agency } = await t.newAgency()
    const { key, id } = await t.newKey(agency.id, { scopes: ['properties:read'] })
    const used = async () => {
      const { rows } = await sql<{ minute_reads: number; day_reads: number }>`
        select minute_reads, day_reads from key_usage where agency_id = ${agency.id} and key_id = ${id}`.execute(
        t.deps.db,
      )
      return rows[0]
    }
    toTheMiddle()
    assert.equal((await admit(asked(key)))?.passage?.granted, 1)
    await revokeKey(t.deps.db, agency.id, id, t.clock)
    const { refusal, passage } = (await admit(asked(key))) ?? {}
    assert.deepEqual([refusal, passage], ['revoked_api_key', null])
    assert.deepEqual(await used(), { minute_reads: 1, day_reads: 1 })
  })

  test('apply an agency’s own limit from the next request on', async () => {
    const admit = admission(t.deps.db, limits, t.clock)
    const { agency, readKey } = await t.newAgency()
    toTheMiddle()
    assert.equal((await admit(asked(readKey)))?.passage?.granted, 1)
    const own = JSON.stringify({ reads_per_minute: { max: 1, until: null } })
    await sql`update agency_revisions set limits = ${own} where agency_id = ${agency.id}`.execute(t.deps.db)
    const { record, passage } = (await admit(asked(readKey))) ?? {}
    assert.deepEqual([passage?.granted, passage?.minuteUsed, record?.limits.reads_per_minute.max], [0, 1, 1])
  })

  test('start at zero for a key whose counters were lost', async () => {
    const admit = admission(t.deps.db, limits, t.clock)
    const { agency, readKey } = await t.newAgency()
    toTheMiddle()
    const minuteUsed = async () => (await admit(asked(readKey)))?.passage?.minuteUsed
    assert.deepEqual([await minuteUsed(), await minuteUsed()], [1, 2])
    await t.deps.db.deleteFrom('key_usage').where('agency_id', '=', agency.id).execute()
    assert.deepEqual([await minuteUsed(), await minuteUsed()], [1, 2])
  })
})
