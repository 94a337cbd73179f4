/** The location of a listing in the dashboard: geocoding an address like the API, and choosing what public pages show. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Pin } from '../../../../src/listings/geocoding/geocoder.ts'
import { isPlaceBlurred } from '../../../../src/listings/reading/public.ts'
import { publishable, testApp, type TestApp } from '../../../support/app/app.ts'
import { accepted, findHistory, rowOf } from '../../../support/app/listings.ts'
import { signedIn, type Visitor } from '../visitor.ts'

const json = { accept: 'application/json' }
let t: TestApp
let owner: Visitor
let member: Visitor
let pin: Pin | null = null
before(async () => {
  t = await testApp({ geocoder: async () => pin, limits: { geocoding_per_minute: 4 } })
  owner = await signedIn(t, 'owner')
  member = await signedIn(t, 'member')
})
after(() => t.close())

describe('an address is geocoded like POST /geocode', () => {
  const find = async (fields: Record<string, string>) => {
    const response = await member.post('/dashboard/find-place', fields, json)
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(response.text) as { lat?: number; message: string },
    }
  }

  test('with the result in words too, up to the agency’s limit', async () => {
    const asked = { address: 'Av. Corrientes 1234', city: 'CABA' }
    pin = { lat: -34.6, lng: -58.38, status: 'resolved' }
    assert.deepEqual((await find(asked)).body, {
      lat: -34.6,
      lng: -58.38,
      message: 'Encontramos la dirección.',
    })
    pin = { ...pin, status: 'approximate' }
    assert.match((await find(asked)).body.message, /calle, pero no el número/)
    pin = null
    assert.deepEqual((await find(asked)).body, {
      message: 'No encontramos esa dirección. Revisala, o poné el pin vos.',
    })
    assert.equal((await t.ask('POST', '/geocode', { body: asked })).status, 200)
    const late = await find(asked)
    assert.equal(late.status, 429)
    assert.match(late.body.message, /muchas direcciones/)
    assert.ok(Number(late.headers.get('retry-after')) > 0)
  })

  test('and a listing with that address but no pin gets it, unlike another listing or address', async () => {
    t.clock.offsetMs += 120_000
    pin = null
    const body = { address: 'Mitre 1200', location: { city: 'Salta', province: null } }
    const { id } = accepted(await t.ask('POST', '/properties', { body }), 201)
    const theirs = accepted(await t.ask('POST', '/properties', { key: t.other.writeKey, body }), 201)
    const placeOf = async (key: string, code: string) =>
      (await t.ask('GET', `/properties/${code}`, { key })).body.data['location_status']
    pin = { lat: -24.79, lng: -65.41, status: 'resolved' }
    await find({ address: 'Mitre 1300', city: 'Salta', listing: id })
    assert.equal(await placeOf(t.writeKey, id), 'unresolved')
    assert.equal((await find({ address: 'Mitre 1200', city: 'Salta', listing: theirs.id })).status, 404)
    assert.equal(await placeOf(t.other.writeKey, theirs.id), 'unresolved')
    await find({ address: 'Mitre 1200', city: 'Salta', listing: id })
    assert.equal(await placeOf(t.writeKey, id), 'resolved')
    t.clock.offsetMs -= 120_000
  })

  test('but not without an address, or with one that is too long', async () => {
    assert.equal((await find({ address: ' ' })).status, 400)
    assert.equal((await find({ address: 'x'.repeat(201) })).status, 400)
  })
})

describe('the publicly shown location', () => {
  const listing = async () => accepted(await t.ask('POST', '/properties', { body: publishable() }), 201)
  const show = (who: Visitor, id: string, value: string, version?: number) =>
    who.post(`/dashboard/listings/${id}/place`, {
      place_shown: value,
      ...(version === undefined ? {} : { version: String(version) }),
    })

  test('is a change like any other, with history, version and feed, and an unchanged choice is none', async () => {
    const { id } = await listing()
    const before = await rowOf(t, id)
    assert.equal((await show(member, id, 'approximate', before.version)).status, 303)
    const row = await rowOf(t, id)
    assert.ok(row.version > before.version && row.updated_at > before.updated_at)
    assert.equal(await isPlaceBlurred(t.deps.db, t.agency.id, row.id), true)
    const history = await findHistory(t.deps.db, t.agency.id, row.id)
    const [created, changed] = history
    assert.deepEqual(changed?.changes, { approximate_place: { from: false, to: true } })
    assert.equal(changed?.action, 'updated')
    assert.equal(changed?.actor.kind, 'person')
    assert.equal(created?.changes['approximate_place'], undefined)
    const { data } = (await t.ask('GET', '/changes')).body as unknown as {
      data: { id: string; property: object }[]
    }
    assert.equal(data.at(-1)?.id, id)
    assert.doesNotMatch(JSON.stringify(data), /approximate_place|place_blurred/)

    await show(member, id, 'approximate', row.version)
    assert.equal((await rowOf(t, id)).version, row.version)
    const page = await member.get(`/dashboard/listings/${id}`)
    assert.match(page.words, /Las páginas públicas muestran solo la zona/)
    assert.match(page.words, /Solo la zona en páginas públicas No Sí/)
    await show(member, id, 'exact', row.version)
    assert.equal(await isPlaceBlurred(t.deps.db, t.agency.id, row.id), false)
  })

  test('survives changes by the API, and is not visible there', async () => {
    const { id } = await listing()
    await show(owner, id, 'approximate')
    const { uuid } = { uuid: (await rowOf(t, id)).id }
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } }))
    const shown = accepted(await t.ask('GET', `/properties/${id}`)) as Record<string, unknown>
    assert.equal(shown['place_blurred'], undefined)
    assert.equal(await isPlaceBlurred(t.deps.db, t.agency.id, uuid), true)
  })

  test('is not saved for an outdated version, or for an unknown value', async () => {
    const { id } = await listing()
    const row = await rowOf(t, id)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otra' } }))
    for (const [value, version] of [
      ['approximate', row.version],
      ['hidden', undefined],
    ] as const) {
      const response = await show(owner, id, value, version)
      assert.equal(response.status, 303)
      assert.equal(await isPlaceBlurred(t.deps.db, t.agency.id, row.id), false)
    }
  })

  test('comes with a warning if the agency’s own text contains the number', async () => {
    const { id } = accepted(
      await t.ask('POST', '/properties', {
        body: publishable({ address: 'Av. Corrientes 4821', title: 'PH en Corrientes 4.821' }),
      }),
      201,
    )
    assert.doesNotMatch((await owner.get(`/dashboard/listings/${id}`)).words, /se muestran tal cual/)
    await show(owner, id, 'approximate')
    const page = await owner.get(`/dashboard/listings/${id}`)
    assert.match(page.words, /se muestran tal cual/)
    assert.match(page.words, /«Avenida Corrientes al 4800»/)
  })
})
