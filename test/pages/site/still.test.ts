/** Nothing on a public page shifts while it loads on a slow connection, whether fonts, pictures or scripts. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { setAgencyDetails } from '../../../src/agencies/details.ts'
import { appInBrowser } from '../../support/browser/app-in-browser.ts'
import { photoUrls, type TestApp } from '../../support/app/app.ts'
import { noBrowser } from '../../support/browser/browser.ts'
import { published } from '../../support/app/listings.ts'
import { observeVitals, slowPage, vitalsOf } from '../../support/browser/web-vitals.ts'

const maxShift = 0.02

let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
let paths: Record<string, string> = {}
before(async () => {
  if (noBrowser !== false) return
  ;({ t, browser, close } = await appInBrowser())
  const contact = { phone: '+54 11 5555-0142', whatsapp: '+54 9 11 5555-0142' }
  await setAgencyDetails(t.deps.db, t.agency.id, contact, t.clock)
  for (let beside = 0; beside < 4; beside++)
    await published(t, { title: 'Casa con pileta y quincho en Tandil' })
  const { id } = await published(t, {
    title: 'Departamento de 3 ambientes con balcón aterrazado en Palermo Soho',
    description: 'Al frente, con sol de mañana.\n\n'.repeat(10),
    features: { bedrooms: 2, bathrooms: 2, rooms: 3, total_m2: 86, covered_m2: 71 },
    photos: photoUrls(5),
  })
  const agency = `/inmobiliarias/${t.agency.slug}`
  paths = { listing: `${agency}/${id}`, agency, search: `${agency}?type=Casa`, start: '/', missing: '/nada' }
})
after(() => close?.())

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desk', { width: 1440, height: 900 }],
] as const) {
  describe(`on a ${device}`, { skip: noBrowser }, () => {
    for (const name of ['listing', 'agency', 'search', 'start', 'missing'])
      test(`${name} stays where it first appeared`, async () => {
        const context = await browser.newContext({ baseURL: t.baseUrl, viewport })
        try {
          await observeVitals(context)
          const { page } = await slowPage(context)
          await page.goto(paths[name] ?? '', { waitUntil: 'networkidle' })
          const { cls, moved } = await vitalsOf(page)
          assert.ok(cls <= maxShift, `${cls}: ${moved.join(', ')}`)
        } finally {
          await context.close()
        }
      })
  })
}
