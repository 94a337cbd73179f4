/** The terms name whose data the pins of listings are, as Nominatim's and georef's licences want. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../support/app.ts'

for (const [geocoder, named] of [
  ['georef', /<a href="https:\/\/datosgobar[^"]*">[^<]*CC BY 4\.0<\/a>/],
  ['nominatim', /<a href="https:\/\/www\.openstreetmap\.org\/copyright">© OpenStreetMap contributors<\/a>/],
  ['none', null],
] as const) {
  test(`with ${geocoder}`, async () => {
    const t = await testApp({ env: { GEOCODER: geocoder } })
    const page = await (await fetch(new URL('/terms', t.baseUrl))).text()
    await t.close()
    if (named === null) assert.doesNotMatch(page, /on the map/)
    else assert.match(page, named)
  })
}
