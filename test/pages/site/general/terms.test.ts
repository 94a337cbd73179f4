/** The terms attribute the data behind listings' pins, as the licences of Nominatim and georef require. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../support/app/app.ts'

for (const [geocoder, named] of [
  ['georef', /<a href="https:\/\/datosgobar[^"]*">[^<]*CC BY 4\.0<\/a>/],
  ['nominatim', /<a href="https:\/\/www\.openstreetmap\.org\/copyright">© OpenStreetMap contributors<\/a>/],
  ['none', null],
] as const) {
  test(
    named === null
      ? 'without a geocoder, the terms attribute no pins'
      : `the terms attribute the pins of ${geocoder}`,
    async () => {
      const t = await testApp({ env: { GEOCODER: geocoder } })
      const page = await (await fetch(new URL('/terms', t.baseUrl))).text()
      await t.close()
      if (named === null) assert.doesNotMatch(page, /on the map/)
      else assert.match(page, named)
    },
  )
}
