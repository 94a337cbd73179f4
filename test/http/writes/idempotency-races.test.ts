/**
 * Races for an Idempotency-Key (api.md 7.2): only one of identical concurrent requests runs. A claim lasts as long as its lease, which a
 * running request renews, and a request that lost its lease commits nothing.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import {
  beginRequest,
  claimAlone,
  endRequest,
  freeClaim,
  renewingClaim,
} from '../../../src/http/writes/idempotency.ts'
import { requestHash } from '../../../src/http/writes/request-hash.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import {
  type ApiResponse,
  photoUrls,
  picture,
  publishable,
  type TestApp,
  testApp,
} from '../../support/app/app.ts'
import {
  accepted,
  atOnce,
  draft,
  historyOf,
  refused,
  revisionOf,
  rowOf,
  tracesOf,
} from '../../support/app/listings.ts'
import { type SecondApp, secondApp } from '../../support/app/second-app.ts'
import { isFresh, isReplay } from './idempotent-requests.ts'

const leaseMs = 10_000

/** Downloads that wait: URL → function that lets the download continue. */
const held = new Map<string, { arrived: () => void; release: Promise<string | void> }>()

/** Makes the next download of the URL wait. `release` continues it, optionally with the picture of another URL; `fail` fails it. */
function hold(address: string) {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<string | void>()
  held.set(address, { arrived: arrived.resolve, release: released.promise })
  released.promise.catch(() => {})
  return {
    arrived: arrived.promise,
    release: released.resolve,
    fail: () => released.reject(new PhotoFailure('The source answered 404.')),
  }
}

let t: TestApp
let second: SecondApp
before(async () => {
  t = await testApp({
    source: async (address) => {
      const held_ = held.get(address)
      held.delete(address)
      held_?.arrived()
      return picture((await held_?.release) ?? address)
    },
  })
  second = await secondApp(t)
})
after(async () => {
  await second.close()
  await t.close()
})
afterEach(() => assert.equal(held.size, 0))

const createWith = (body: unknown, key: string) =>
  t.ask('POST', '/properties', { body, headers: { 'idempotency-key': key } })

describe('while the first request runs', () => {
  test('the same request gets 409, another gets 422, and afterwards the same gets a replay', async () => {
    const photos = photoUrls(3)
    const body = publishable({ photos, external_id: 'RUNNING' })
    const gate = hold(photos[1] ?? '')
    const running = createWith(body, 'while-it-runs')
    await gate.arrived
    const before = await tracesOf(t)
    for (const { ask } of [t, second]) {
      const response = await ask('POST', '/properties', {
        body,
        headers: { 'idempotency-key': 'while-it-runs' },
      })
      refused(response, 'idempotent_request_in_progress')
      assert.equal(response.headers.get('retry-after'), '1')
      assert.equal(response.headers.get('idempotent-replayed'), null)
    }
    refused(await createWith({ ...body, title: 'Otra' }, 'while-it-runs'), 'idempotency_key_reuse')
    assert.deepEqual((await tracesOf(t)).listings, before.listings)
    gate.release()
    const first = await running
    isFresh(first, 201)
    isReplay(await createWith(body, 'while-it-runs'), first)
  })

  test('its claim is renewed for as long as it prepares, and no longer', async ({ mock }) => {
    const { db } = t.deps
    const key = 'renewed-while-it-runs'
    const request = beginRequest(t.agency.id, key, requestHash('POST', '/x', {}), randomUUID(), t.clock)
    const leaseEnds = async () => {
      const { rows } = await sql<{
        ends: string
      }>`select lease_until as ends from idempotency_keys where key = ${key}`.execute(db)
      return Date.parse(rows[0]?.ends ?? '')
    }
    await claimAlone(db, request)
    mock.timers.enable({ apis: ['setInterval'] })
    await renewingClaim(db, request, async () => {
      for (const began = await leaseEnds(); (await leaseEnds()) < began + 2 * leaseMs;) {
        t.clock.offsetMs += leaseMs / 2
        mock.timers.tick(leaseMs / 2)
      }
    })
    await freeClaim(db, request)
    endRequest(request)
    const { rows } = await sql`select from idempotency_keys where key = ${request.key}`.execute(db)
    assert.equal(rows.length, 0)
  })
})

describe('a process that died', () => {
  test('leaves a claim that expires within 10 s; then the retry runs', async () => {
    const body = { title: 'De un muerto', external_id: 'CRASHED' }
    const leave = (key: string) =>
      sql`
      insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at)
      select ${t.agency.id}, ${key}, ${requestHash('POST', '/api/v1/properties', body)}, gen_random_uuid(),
        now + interval '10 seconds', now + interval '24 hours'
      from (select clock_timestamp() + ${t.clock.offsetMs}::float8 * interval '1 ms' as now) moment`.execute(
        t.deps.db,
      )
    await leave('left-by-a-dead-1')
    await leave('left-by-a-dead-2')
    t.clock.offsetMs += leaseMs - 3_000
    refused(await createWith(body, 'left-by-a-dead-1'), 'idempotent_request_in_progress')
    refused(await createWith({ title: 'Otra' }, 'left-by-a-dead-1'), 'idempotency_key_reuse')
    t.clock.offsetMs += 3_001
    const first = await createWith(body, 'left-by-a-dead-1')
    isFresh(first, 201)
    isReplay(await createWith(body, 'left-by-a-dead-1'), first)
    // No response is stored yet, so another request may claim the key too.
    isFresh(await createWith({ title: 'Otra' }, 'left-by-a-dead-2'), 201)
  })

  test('leaves a claim whose 409 says when the key is free: a retry after that time runs', async () => {
    const leave = (key: string, body: unknown, seconds: number) =>
      sql`
      insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at)
      select ${t.agency.id}, ${key}, ${requestHash('POST', '/api/v1/properties', body)}, gen_random_uuid(),
        now + ${seconds} * interval '1 second', now + interval '24 hours'
      from (select clock_timestamp() + ${t.clock.offsetMs}::float8 * interval '1 ms' as now) moment`.execute(
        t.deps.db,
      )
    const bodies = { atOnce: { title: 'Sin fotos' }, claimed: { photos: photoUrls(1) } }
    for (const [way, body] of Object.entries(bodies)) {
      const key = `waits-for-the-lease-${way}`
      await leave(key, body, 8)
      const response = await createWith(body, key)
      refused(response, 'idempotent_request_in_progress')
      const seconds = Number(response.headers.get('retry-after'))
      assert.ok(seconds > 1 && seconds <= 8, String(seconds))
      t.clock.offsetMs += seconds * 1_000
      isFresh(await createWith(body, key), 201)
    }
  })

  test('runs once more, however many retries arrive at the end of the lease', async () => {
    const body = { title: 'Muchos reintentos' }
    await sql`insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at)
      values (${t.agency.id}, 'many-retries', ${requestHash('POST', '/api/v1/properties', body)}, gen_random_uuid(),
        clock_timestamp() - interval '1 s', clock_timestamp() + interval '2 days')`.execute(t.deps.db)
    const before = await revisionOf(t)
    const responses = await atOnce(30, () => createWith(body, 'many-retries'))
    oneEffect(responses, 201)
    assert.equal(await revisionOf(t), before + 1)
  })
})

describe('a request that lost its lease', () => {
  /** Delays the first request until its lease is over and the retry has its response. */
  async function overtaken(key: string, body: Record<string, unknown>, address: string) {
    const gate = hold(address)
    const running = createWith(body, key)
    await gate.arrived
    t.clock.offsetMs += leaseMs + 1
    const retry = await createWith(body, key)
    isFresh(retry, 201)
    return { gate, running, retry, traces: await tracesOf(t) }
  }

  test('commits nothing, and leaves no file', async () => {
    const photos = photoUrls(3)
    const body = publishable({ photos, force_duplicate: true })
    const { gate, running, retry, traces } = await overtaken('overtaken-1', body, photos[2] ?? '')
    gate.release()
    isReplay(await running, retry)
    const after = await tracesOf(t)
    assert.deepEqual(after.listings, traces.listings)
    assert.deepEqual(after.history, traces.history)
    assert.deepEqual(after.revision, traces.revision)
    assert.deepEqual(after.unreferenced, [])
    const { photos: stored } = await rowOf(t, String(accepted(retry, 201).id))
    for (const photo of stored) assert.ok(after.files.includes(photo))
    isReplay(await createWith(body, 'overtaken-1'), retry)
  })

  test('does not replace the stored response with its own error', async () => {
    for (const [key, count] of [
      ['overtaken-kept-error', 3],
      ['overtaken-freeing-error', 1],
    ] as const) {
      const photos = photoUrls(count)
      const body = count === 3 ? publishable({ photos }) : { photos }
      const { gate, running, retry, traces } = await overtaken(key, body, photos[0] ?? '')
      // Its own error would be insufficient_photos of identical pictures, which is kept, or photo_ingest_failed, which is not.
      if (count === 3) gate.release(photos[1])
      else gate.fail()
      isReplay(await running, retry)
      isReplay(await createWith(body, key), retry)
      assert.deepEqual((await tracesOf(t)).listings, traces.listings)
    }
  })

  test('does not free the claim of the retry that still runs', async () => {
    const photos = photoUrls(1)
    const first = hold(photos[0] ?? '')
    const running = createWith({ photos }, 'both-still-run')
    await first.arrived
    t.clock.offsetMs += leaseMs + 1
    const next = hold(photos[0] ?? '')
    const retrying = createWith({ photos }, 'both-still-run')
    await next.arrived
    first.fail()
    refused(await running, 'idempotent_request_in_progress')
    refused(await createWith({ photos }, 'both-still-run'), 'idempotent_request_in_progress')
    next.release()
    const retry = await retrying
    isFresh(retry, 201)
    isReplay(await createWith({ photos }, 'both-still-run'), retry)
  })
})

describe('fifty identical requests at once (a hundred times: chaos/)', () => {
  const rounds = 16

  test(`${rounds} times over one process: one effect, the rest replays or 409`, async () => {
    await manyRounds(rounds, () => t.ask)
  })

  test(`${rounds / 2} times over two processes: the same`, async () => {
    await manyRounds(rounds / 2, (index) => (index % 2 === 0 ? t.ask : second.ask))
  })

  async function manyRounds(count: number, asker: (index: number) => TestApp['ask']) {
    for (let round = 0; round < count; round += 1) {
      const { write, status, effects } = await rightFor(round)
      const before = await revisionOf(t)
      const headers = { 'idempotency-key': randomUUID() }
      const responses = await atOnce(50, (index) =>
        asker(index)(write.method, write.path, { body: write.body, headers }),
      )
      oneEffect(responses, status)
      assert.equal(await revisionOf(t), before + effects, JSON.stringify(write))
    }
  }

  /** The operations in turn; each would raise the revision again if it ran twice. */
  async function rightFor(round: number) {
    const { id } = await draft(t)
    const path = `/properties/${id}`
    const create = { method: 'POST', path: '/properties', body: { title: `Una ${round}` } }
    const items = [1, 2].map(() => ({ external_id: `race-${randomUUID()}` }))
    const choices = [
      { write: create, status: 201, effects: 1 },
      { write: { method: 'PATCH', path, body: { title: randomUUID() } }, status: 200, effects: 1 },
      { write: { method: 'POST', path: '/properties/batch', body: { items } }, status: 200, effects: 2 },
      { write: { method: 'DELETE', path, body: undefined }, status: 200, effects: 1 },
    ]
    return choices[round % choices.length] ?? assert.fail()
  }
})

/** Asserts that of the responses to identical requests one is original and the others are its replays or 409. */
function oneEffect(responses: readonly ApiResponse[], status: number): void {
  const fresh = responses.filter(
    (response) => response.status === status && !response.headers.has('idempotent-replayed'),
  )
  assert.equal(fresh.length, 1, `${fresh.length} were carried out`)
  for (const response of responses) {
    if (response === fresh[0]) continue
    if (response.status === 409) refused(response, 'idempotent_request_in_progress')
    else isReplay(response, fresh[0] ?? assert.fail())
  }
}

test('each effect has one entry in the history, by the request that ran', async () => {
  const { id } = await draft(t)
  const headers = { 'idempotency-key': randomUUID() }
  const responses = await atOnce(20, () =>
    t.ask('PATCH', `/properties/${id}`, { body: { title: 'Una vez' }, headers }),
  )
  const first = responses.find(
    (response) => response.status === 200 && !response.headers.has('idempotent-replayed'),
  )
  const entries = (await historyOf(t, id)).filter(({ action }) => action === 'updated')
  assert.deepEqual(
    entries.map(({ request_id }) => request_id),
    [first?.headers.get('x-request-id')],
  )
})

test('a claim that was freed may be used for another request', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const responses: ApiResponse[] = []
  for (const [method, path, body] of [
    ['POST', '/properties', { title: '' }],
    ['DELETE', '/properties/ABCD', { surprise: 1 }],
    ['PUT', '/properties/external/FREED', { title: 'Una' }],
  ] as const) {
    responses.push(await t.ask(method, path, { body, headers }))
  }
  assert.deepEqual(
    responses.map(({ status }) => status),
    [400, 400, 201],
  )
})
