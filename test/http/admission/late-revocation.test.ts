/**
 * A key that is revoked, expires or loses its agency while its request runs (api.md 2.5): nothing is written or left behind, and the
 * Idempotency-Key is free.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { photoUrls, picture, type TestApp, testApp } from '../../support/app/app.ts'
import { toNext } from '../../support/moments.ts'
import { accepted, refused, tracesOf, usageOf } from '../../support/app/listings.ts'

let t: TestApp
let key: { id: string; key: string }
/** Called and awaited by each download. */
let downloading: () => Promise<void>
before(async () => {
  t = await testApp({
    source: async (address) => {
      await downloading()
      return picture(address)
    },
  })
})
after(() => t.close())
beforeEach(async () => {
  downloading = async () => {}
  key = await t.newKey(t.agency.id, { scopes: ['properties:write'] })
})

const withPhotos = () => ({ photos: photoUrls(2) })
const writes: Record<string, () => Promise<{ method: string; path: string; body: unknown }>> = {
  'a creation': async () => ({ method: 'POST', path: '/properties', body: withPhotos() }),
  'an upsert': async () => ({
    method: 'PUT',
    path: `/properties/external/${randomUUID()}`,
    body: withPhotos(),
  }),
  'an upload': async () => {
    const { id } = accepted(await t.ask('POST', '/properties', { key: key.key, body: {} }), 201)
    return { method: 'POST', path: `/properties/${id}/photos`, body: { urls: photoUrls(2) } }
  },
  'setting photos': async () => {
    const { id } = accepted(await t.ask('POST', '/properties', { key: key.key, body: {} }), 201)
    return { method: 'PUT', path: `/properties/${id}/photos`, body: { urls: photoUrls(2) } }
  },
  'a batch': async () => ({
    method: 'POST',
    path: '/properties/batch',
    body: { items: [{ external_id: randomUUID() }, { external_id: randomUUID(), ...withPhotos() }] },
  }),
}

const changes: Record<string, { change: () => Promise<void>; code: Parameters<typeof refused>[1] }> = {
  revoked: {
    change: async () => void (await revokeKey(t.deps.db, t.agency.id, key.id, t.clock)),
    code: 'revoked_api_key',
  },
  deactivated: {
    change: async () => void (await setAgencyActive(t.deps.db, t.agency.slug, false, t.clock)),
    code: 'agency_not_active',
  },
  expired: {
    change: async () => {
      t.clock.offsetMs += 366 * dayMs
    },
    code: 'expired_api_key',
  },
}

describe('while the photos are fetched', () => {
  for (const [what, { change, code }] of Object.entries(changes)) {
    for (const [write, make] of Object.entries(writes)) {
      test(`a key is ${what}: ${write} writes nothing`, async () => {
        const { method, path, body } = await make()
        const headers = { 'idempotency-key': randomUUID() }
        const before = await tracesOf(t)
        downloading = async () => {
          downloading = async () => {}
          await change()
          // Simulates a slow download.
          t.clock.offsetMs += 2_000
        }
        const response = await t.ask(method, path, { key: key.key, body, headers })
        refused(response, code)
        assert.deepEqual(await tracesOf(t), before)

        await setAgencyActive(t.deps.db, t.agency.slug, true, t.clock)
        const { key: another } = await t.newKey(t.agency.id, { scopes: ['properties:write'] })
        const retried = await t.ask(method, path, { key: another, body, headers })
        assert.ok(retried.status < 300, retried.text)
        assert.equal(retried.headers.get('idempotent-replayed'), null)
      })
    }
  }
})

test('a request with a valid key may take long, and is charged once', async () => {
  await toNext(t, 'day')
  downloading = async () => {
    t.clock.offsetMs += 2_000
  }
  accepted(await t.ask('POST', '/properties', { key: key.key, body: withPhotos() }), 201)
  assert.equal((await usageOf(t, key.key)).writes_per_day.used, 1)
})
