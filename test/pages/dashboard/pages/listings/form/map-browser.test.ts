/**
 * Maps in a real browser, with tiles: placing the pin, and what visitors see of it. No page may load anything from elsewhere, shift its
 * layout, or log an error.
 */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { en, es, type Messages } from '../../../../../../src/pages/dashboard/messages/catalogue.ts'
import type { Pin } from '../../../../../../src/listings/geocoding/geocoder.ts'
import { isPlaceBlurred } from '../../../../../../src/listings/reading/public.ts'
import { appInBrowser } from '../../../../../support/browser/app-in-browser.ts'
import { freshAddress, publishable, type TestApp } from '../../../../../support/app/app.ts'
import { becomes, noBrowser, type Walker, walker, widths } from '../../../../../support/browser/browser.ts'
import { accepted, draft, rowOf } from '../../../../../support/app/listings.ts'
import { type TileServer, tileServer } from '../../../../tiles/tile-server.ts'
import { signedInWalker } from '../../../walk.ts'

const visits: readonly (readonly [locale: string, Messages, width: number])[] = [
  ['es-AR', es, widths.phone],
  ['en-US', en, widths.desk],
]
const known: Pin = { lat: -34.59, lng: -58.4, status: 'approximate' }

let tiles: TileServer
let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
/** The geocoder's result. */
let found: Pin | null = null
before(async () => {
  if (noBrowser !== false) return
  tiles = await tileServer()
  const env = {
    PUBLIC_BASE_URL: 'http://listings.test',
    MAP_TILES_URL: tiles.url,
    MAP_TILES_ATTRIBUTION: '© [Tiles](https://tiles.example/)',
  }
  ;({ t, browser, close } = await appInBrowser({
    env,
    geocoder: async () => found,
    limits: { geocoding_per_minute: 1_000 },
  }))
})
after(async () => {
  if (noBrowser !== false) return
  await close?.()
  await tiles.close()
})

/** Performs an action, and waits for the form's save that follows. */
async function saved(page: Walker, act: () => Promise<unknown>, movesPin = true): Promise<void> {
  const before = await page.locator('[name="location.lat"]').inputValue()
  // An earlier save may still be in progress: this one sends another location.
  const response = page.waitForResponse((response) => {
    const request = response.request()
    if (request.method() !== 'POST' || !response.url().endsWith('/edit')) return false
    return !movesPin || new URLSearchParams(request.postData() ?? '').get('location.lat') !== before
  })
  await act()
  assert.equal((await response).status(), 200)
}

/** By touch on a phone, with the mouse on a desktop. */
async function drag(page: Walker, what: Locator, byX: number, byY: number): Promise<void> {
  const box = await what.boundingBox()
  assert.ok(box !== null)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const steps = [0.2, 0.5, 0.8, 1].map((part) => ({ x: x + byX * part, y: y + byY * part }))
  if ((page.viewportSize()?.width ?? 0) > 900) {
    await page.mouse.move(x, y)
    await page.mouse.down()
    for (const step of steps) await page.mouse.move(step.x, step.y)
    await page.mouse.up()
    return
  }
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [{ x, y }])
  for (const step of steps) await send('touchMove', [step])
  await send('touchEnd', [])
}

const placeOf = async (id: string) => {
  const { location, location_status: status } = accepted(await t.ask('GET', `/properties/${id}`))
  return { ...location, status }
}

describe('the pin in the form', { skip: noBrowser }, () => {
  for (const [locale, texts, width] of visits) {
    test(`is found, dragged, moved by keys and removed again: ${locale}, ${width} px`, async () => {
      found = null
      const { id } = await draft(t, { address: freshAddress() })
      const page = await signedInWalker({ t, browser }, 'member', texts, {
        locale,
        width,
        hasTouch: width < 900,
      })
      await page.open(`/dashboard/listings/${id}/edit`)
      const map = page.locator('.map-canvas')
      await map.scrollIntoViewIfNeeded()
      await page.locator('.leaflet-tile-loaded').first().waitFor()
      await page.getByText(texts.map.unplaced, { exact: true }).waitFor()

      found = known
      await page.getByRole('button', { name: texts.map.find }).click()
      await page.getByText(texts.map.foundStreet).waitFor()
      const pin = page.getByRole('button', { name: texts.map.pin })
      assert.equal(await page.locator('[name="location.lat"]').inputValue(), '')
      assert.equal((await placeOf(id)).status, 'approximate')

      await saved(page, () => drag(page, pin, 60, -40))
      await page.getByText(texts.map.byHand).waitFor()
      const dragged = await placeOf(id)
      assert.equal(dragged.status, 'manual')
      assert.ok(Number(dragged.lng) > known.lng && Number(dragged.lat) > known.lat, JSON.stringify(dragged))

      await pin.focus()
      await saved(page, async () => page.keyboard.press('ArrowDown'))
      assert.ok(Number((await placeOf(id)).lat) < Number(dragged.lat))
      await page.check()

      await saved(page, () => page.getByRole('button', { name: texts.map.removePin }).click())
      await becomes(async () => {
        const { lat, lng, status } = await placeOf(id)
        return { lat, lng, status }
      }, known)

      await saved(page, () => page.getByLabel(texts.map.blurred).check(), false)
      await becomes(async () => isPlaceBlurred(t.deps.db, t.agency.id, (await rowOf(t, id)).id), true)

      await page.open(`/dashboard/listings/${id}`)
      await page.locator('#place .map-box').scrollIntoViewIfNeeded()
      await page.locator('.map-circle').waitFor()
      await page.check()
      await page.context().close()
    })
  }

  test('is typed if scripts are disabled', async () => {
    found = null
    const { id } = await draft(t, { address: freshAddress() })
    const page = await signedInWalker({ t, browser }, 'member', es, {
      locale: 'es-AR',
      width: widths.phone,
      scripts: false,
    })
    await page.open(`/dashboard/listings/${id}/edit`)
    assert.equal(await page.getByRole('button', { name: es.map.find }).isVisible(), false)
    assert.equal(await page.locator('.map-box').isVisible(), false)
    await page.locator('summary', { hasText: es.map.coordinates }).click()
    await page.locator('[name="location.lat"]').fill('-34,6')
    await page.locator('[name="location.lng"]').fill('-58,4')
    await Promise.all([page.waitForEvent('load'), page.locator('[name="location.lat"]').press('Enter')])
    const { lat, lng, status } = await placeOf(id)
    assert.deepEqual({ lat, lng, status }, { lat: -34.6, lng: -58.4, status: 'manual' })
    await page.context().close()
  })
})

describe('public pages', { skip: noBrowser }, () => {
  const shifts = `window.shifts = 0
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value
    }).observe({ type: 'layout-shift', buffered: true })`

  for (const [locale, , width] of visits) {
    test(`show maps once they are in view, without layout shifts: ${locale}, ${width} px`, async () => {
      const edition = locale === 'en-US' ? '/en' : ''
      const { agency, writeKey: key } = await t.newAgency()
      let code = ''
      for (let count = 0; count < 8; count += 1) {
        const location = { city: 'CABA', province: null, lat: -34.6 - (count % 3) * 0.01, lng: -58.4 }
        const body = publishable({ title: `Casa ${count}`, description: 'Con patio.\n'.repeat(40), location })
        code = accepted(await t.ask('POST', '/properties', { key, body }), 201).id
      }
      const page = await walker(browser, t.baseUrl, { locale, width, hasTouch: width < 900 })
      await page.addInitScript(shifts)
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      const path = `${edition}/inmobiliarias/${agency.slug}`

      await page.open(`${path}/${code}`)
      assert.deepEqual(
        asked.filter((url) => /leaflet|\/map\/\d/.test(url)),
        [],
      )
      await page.locator('.map-box').scrollIntoViewIfNeeded()
      await page.locator('.leaflet-tile-loaded').first().waitFor()
      assert.ok(await page.getByRole('link', { name: 'Tiles' }).isVisible())
      assert.equal(await page.evaluate('window.shifts'), 0)
      await page.check('both')

      await page.open(path)
      const before = asked.length
      await page.locator('.map-fold summary').click()
      await page.locator('.leaflet-tile-loaded').first().waitFor()
      assert.ok(asked.slice(before).some((url) => url.endsWith('/mapa.json')))
      assert.equal(await page.evaluate('window.shifts'), 0)
      await page.locator('.map-cluster').first().focus()
      await page.keyboard.press('Enter')
      await page.locator('.pin-entry').first().waitFor()
      await page.check('both')
      await page.locator('.pin-entry').first().click()
      await page.waitForURL(new RegExp(`${path}/[2-9A-Z]{8}$`))
      for (const url of asked) assert.equal(new URL(url).origin, t.baseUrl, url)
      await page.context().close()
    })
  }
})
