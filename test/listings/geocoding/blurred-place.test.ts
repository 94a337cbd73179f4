/** Blurred places: always within their circle, equal within a cell, and not reversible without the secret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstPlaceSecret, blurredPlaces } from '../../../src/listings/geocoding/blurred-place.ts'

const blurred = blurredPlaces(firstPlaceSecret('a secret of the tests, long enough'))
const metres = (a: { lat: number; lng: number }, b: { lat: number; lng: number }) =>
  Math.hypot((a.lat - b.lat) * 111_320, (a.lng - b.lng) * 111_320 * Math.cos((a.lat * Math.PI) / 180))
const inArgentina = fc.record({
  lat: fc.double({ min: -55, max: -21.8, noNaN: true }),
  lng: fc.double({ min: -73.5, max: -53.7, noNaN: true }),
})

test('the exact location is within the circle, wherever it is', () => {
  fc.assert(
    fc.property(inArgentina, (place) => {
      const shown = blurred(place.lat, place.lng)
      assert.equal(shown.radius, 300)
      assert.ok(metres(place, shown) < 300, `${metres(place, shown)} m`)
    }),
    { numRuns: 5_000 },
  )
  for (const [lat, lng] of [
    [90, 0],
    [-90, 180],
    [0, -180],
  ] as const)
    assert.ok(Number.isFinite(blurred(lat, lng).lng))
})

test('the circle is the same each time, in every process', () => {
  const again = blurredPlaces(firstPlaceSecret('a secret of the tests, long enough'))
  assert.deepEqual(blurred(-34.6037, -58.3816), again(-34.6037, -58.3816))
})

test('many listings in one building, or a slightly moved pin, reveal no more than one circle', () => {
  const shown = new Set<string>()
  // An area of 20 by 20 metres touches at most the corner of four cells.
  for (let north = 0; north < 20; north += 1)
    for (let east = 0; east < 20; east += 1)
      shown.add(JSON.stringify(blurred(-34.6037 + north / 111_320, -58.3816 + east / 91_600)))
  assert.ok(shown.size <= 4, String(shown.size))
})

test('the centre of the circle does not reveal the location, which can be anywhere in a cell', () => {
  const distances: number[] = []
  for (let step = 0; step < 2_000; step += 1) {
    const place = { lat: -34.7 + (step % 50) * 0.0041, lng: -58.5 + Math.floor(step / 50) * 0.0053 }
    distances.push(metres(place, blurred(place.lat, place.lng)))
  }
  const mean = distances.reduce((sum, one) => sum + one, 0) / distances.length
  assert.ok(mean > 90, String(mean))
  assert.ok(distances.filter((one) => one < 20).length < distances.length / 50)
})

test('another secret places the cells of circles differently', () => {
  const other = blurredPlaces(firstPlaceSecret('another secret of the tests'))
  let same = 0
  for (let step = 0; step < 100; step += 1) {
    const [lat, lng] = [-34.6 + step * 0.01, -58.4 + step * 0.01]
    if (metres(blurred(lat, lng), other(lat, lng)) < 1) same += 1
  }
  assert.ok(same < 5)
})
