/**
 * A signature is valid once (api.md 3), across instances and restarts, under concurrency, until its timestamp leaves the window, and only
 * for the request that it was made for.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { reapSignatures } from '../../../src/http/admission/signature.ts'
import type { NewKey } from '../../../src/access/keys/keys.ts'
import { now } from '../../support/moments.ts'
import { freshAddress, type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'
import { type SecondApp, secondApp } from '../../support/app/second-app.ts'
import {
  isInvalid,
  type RawTold,
  sendSigned,
  sendWire,
  signedHeaders,
  stamp,
  type Wire,
} from './signed-requests.ts'

let t: TestApp
let key: NewKey
let id = ''
const list: Wire = { method: 'GET', path: '/api/v1/properties?page=2' }

before(async () => {
  t = await testApp()
  id = (await published(t, { external_id: 'signed-1' })).id
})
after(() => t.close())
beforeEach(async () => {
  key = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
})

function isReplay(told: RawTold): void {
  assert.deepEqual(
    [told.status, told.code, told.headers['www-authenticate']],
    [401, 'replay_detected', 'Bearer'],
  )
}

/** Signs once, for sending several times. */
async function signedOnce(wire: Wire, timestamp?: string) {
  const headers = signedHeaders(key.signing_secret ?? '', timestamp ?? (await stamp(t)), wire)
  return (baseUrl = t.baseUrl) => sendWire(baseUrl, key.key, wire, headers)
}

describe('a signature', () => {
  test('is valid once, for reads and writes, whatever the result', async () => {
    const wires: readonly (readonly [Wire, number])[] = [
      [list, 200],
      [{ ...list, method: 'HEAD' }, 200],
      [{ method: 'GET', path: '/api/v1/properties/ZZZZ9999' }, 404],
      [{ method: 'GET', path: '/api/v1/properties?nothing=1' }, 400],
      [{ method: 'PATCH', path: `/api/v1/properties/${id}`, body: '{"title":"Otra"}' }, 200],
      [{ method: 'PATCH', path: `/api/v1/properties/${id}`, body: '{' }, 400],
    ]
    for (const [wire, status] of wires) {
      const send = await signedOnce(wire)
      assert.equal((await send()).status, status, JSON.stringify(wire))
      const again = await send()
      if (wire.method === 'HEAD') assert.equal(again.status, 401)
      else isReplay(again)
    }
  })

  test('is used up even if a limit refused the request', async (context) => {
    const tight = await testApp({ limits: { reads_per_minute: 0 } })
    context.after(() => tight.close())
    const own = await tight.newKey(tight.agency.id, { signature_required: true })
    const headers = signedHeaders(own.signing_secret ?? '', await stamp(tight), list)
    assert.equal((await sendWire(tight.baseUrl, own.key, list, headers)).code, 'rate_limited')
    isReplay(await sendWire(tight.baseUrl, own.key, list, headers))
  })

  test('cannot be reused with another key', async () => {
    const other = await t.newKey(t.agency.id, { scopes: ['properties:write'], signature_required: true })
    const headers = signedHeaders(key.signing_secret ?? '', await stamp(t), list)
    isInvalid(await sendWire(t.baseUrl, other.key, list, headers))
    assert.equal((await sendWire(t.baseUrl, key.key, list, headers)).status, 200)
    isInvalid(await sendWire(t.baseUrl, other.key, list, headers))
  })

  test('of the same request with another timestamp is another, in seconds or milliseconds', async () => {
    const timestamp = `${(await stamp(t)).slice(0, 10)}000`
    const last = await signedOnce(list, timestamp.slice(0, 10))
    assert.equal((await (await signedOnce(list, timestamp))()).status, 200)
    assert.equal((await last()).status, 200)
    isReplay(await last())
  })

  test('repeats a write only with the same Idempotency-Key and a new signature', async () => {
    const wire = {
      method: 'POST',
      path: '/api/v1/properties',
      body: JSON.stringify({ title: 'Firmada', address: freshAddress() }),
    }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await sendSigned(t, key, wire, { headers })
    assert.equal(first.status, 201)
    const second = await sendSigned(t, key, wire, { headers })
    assert.deepEqual([second.status, second.headers['idempotent-replayed']], [201, 'true'])
    isInvalid(await sendWire(t.baseUrl, key.key, wire, headers))
  })
})

describe('the record of used signatures', () => {
  let second: SecondApp
  before(async () => {
    second = await secondApp(t)
  })
  after(() => second.close())

  test('is shared by all instances', async () => {
    const send = await signedOnce(list)
    assert.equal((await send(second.baseUrl)).status, 200)
    isReplay(await send())
    isReplay(await send(second.baseUrl))
  })

  test('survives a restart', async () => {
    const send = await signedOnce(list)
    const third = await secondApp(t)
    assert.equal((await send(third.baseUrl)).status, 200)
    await third.close()
    const fourth = await secondApp(t)
    isReplay(await send(fourth.baseUrl))
    await fourth.close()
    isReplay(await send())
  })

  test('accepts one of a hundred simultaneous replays, over two instances', async () => {
    for (const wire of [list, { method: 'DELETE', path: '/api/v1/properties/ZZZZ9999' }]) {
      const send = await signedOnce(wire)
      const told = await Promise.all(
        Array.from({ length: 100 }, (_, index) => send(index % 2 === 0 ? t.baseUrl : second.baseUrl)),
      )
      const accepted = told.filter(({ status }) => status !== 401)
      assert.equal(accepted.length, 1)
      for (const one of told.filter(({ status }) => status === 401)) isReplay(one)
    }
  })

  test('lasts as long as the timestamp is in the window, and is then deleted', async () => {
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from used_signatures where key_id = ${key.id}`.execute(t.deps.db)
      return rows[0]?.count
    }
    // The client's clock is almost five minutes fast, so the timestamp stays in the window for ten.
    const send = await signedOnce(list, String(Math.floor((await now(t)) + 295_000)))
    assert.equal((await send()).status, 200)
    for (const minutes of [0, 3, 3, 3]) {
      t.clock.offsetMs += minutes * 60_000
      await reapSignatures(t.deps.db, 1000, t.clock)
      isReplay(await send())
      assert.equal(await count(), 1)
    }
    t.clock.offsetMs += 3 * 60_000
    assert.ok((await reapSignatures(t.deps.db, 1000, t.clock)) >= 1)
    assert.equal(await count(), 0)
    isInvalid(await send())
    assert.equal(await count(), 0)
  })

  test('does not include refused signatures', async () => {
    const before = await sql`select 1 from used_signatures`.execute(t.deps.db)
    const headers = signedHeaders('svc_sign_wrong', await stamp(t), list)
    isInvalid(await sendWire(t.baseUrl, key.key, list, headers))
    isInvalid(await (await signedOnce(list, '1000000000'))())
    assert.equal(
      (await sql`select 1 from used_signatures`.execute(t.deps.db)).rows.length,
      before.rows.length,
    )
  })
})

describe('a signature is valid only for its own request', () => {
  type Parts = { method: string; place: string; query: string; body: string | null; shift: number }
  const writes = new Set(['PATCH', 'POST', 'DELETE'])

  /** Requests that reach the signature check, and that only validation rejects afterwards. */
  const parts: fc.Arbitrary<Parts> = fc.record({
    method: fc.constantFrom('GET', 'HEAD', 'PATCH', 'DELETE'),
    place: fc.constantFrom('ZZZZ9999', 'zzzz9999', 'ZZZZ9998', '%5AZZZ9999'),
    query: fc.constantFrom(
      'unknown=1',
      'unknown=2',
      'unknown=1&',
      'unknown=%31',
      'unknown=1&b=2',
      'b=2&unknown=1',
    ),
    body: fc.option(
      fc.constantFrom('{}', '{ }', '{"title":"a"}', '{"title":"b"}', '{"title":"\\u0061"}', '{'),
    ),
    shift: fc.integer({ min: -3, max: 3 }),
  })
  const toWire = ({ method, place, query, body }: Parts): Wire => ({
    method,
    path: `/api/v1/properties/${place}?${query}`,
    ...(body === null || !writes.has(method) ? {} : { body }),
  })

  test('regardless of which of method, path, query, body and timestamp changes', async () => {
    const secret = key.signing_secret ?? ''
    let moment = Number(await stamp(t))
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.subarray(['method', 'place', 'query', 'body', 'shift'] as const),
        parts,
        async (made, changed, other) => {
          const sent = { ...made, ...Object.fromEntries(changed.map((name) => [name, other[name]])) }
          // More than a shift apart, so that no two runs sign the same text.
          moment += 10
          const headers = {
            ...signedHeaders(secret, String(moment + made.shift), toWire(made)),
            'x-svc-timestamp': String(moment + sent.shift),
          }
          const told = await sendWire(t.baseUrl, key.key, toWire(sent), headers)
          const same =
            made.shift === sent.shift && JSON.stringify(toWire(made)) === JSON.stringify(toWire(sent))
          if (same) assert.notEqual(told.status, 401)
          else isInvalid(told, JSON.stringify([made, sent]))
        },
      ),
      { numRuns: 300 },
    )
  })
})
