/**
 * A listing's photos in a real browser: from files, with a mouse, by touch, by keys and without scripts; and concurrent changes by others.
 */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, CDPSession, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { en, es, type Messages } from '../../../../../../src/pages/dashboard/messages/catalogue.ts'
import { readPicture } from '../../../../../../src/listings/photos/image.ts'
import { appInBrowser } from '../../../../../support/browser/app-in-browser.ts'
import { photoUrls, type TestApp } from '../../../../../support/app/app.ts'
import { noBrowser, type Walker, widths } from '../../../../../support/browser/browser.ts'
import { accepted, draft, published, rowOf } from '../../../../../support/app/listings.ts'
import { person } from '../../../visitor.ts'
import { signIn, signedInWalker } from '../../../walk.ts'

const skip = noBrowser
let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
/** The pictures received by the service. */
const received: Uint8Array[] = []
before(async () => {
  if (skip !== false) return
  ;({ t, browser, close } = await appInBrowser({
    env: { GEOCODER: 'none', PUBLIC_BASE_URL: 'http://listings.test' },
  }))
  const { read = readPicture } = t.deps.photos
  t.deps.photos.read = (bytes, ...more) => {
    received.push(bytes)
    return read(bytes, ...more)
  }
})
after(() => close?.())

type Sent = { name: string; mimeType: string; buffer: Buffer }

/** Eight photos as a phone takes them, larger than the upload: the second lies on its side, the fifth is truncated. */
async function eight(): Promise<Sent[]> {
  return await Promise.all(
    Array.from({ length: 8 }, async (_, index): Promise<Sent> => {
      const background = { r: index * 30, g: 100, b: 200 - index * 20 }
      const drawn = sharp({ create: { width: 3_000, height: 2_000, channels: 3, background } })
      const jpeg = await (index === 1 ? drawn.withMetadata({ orientation: 6 }) : drawn).jpeg().toBuffer()
      const buffer = index === 4 ? jpeg.subarray(0, 900) : jpeg
      return { name: `foto ${index + 1}.jpg`, mimeType: 'image/jpeg', buffer }
    }),
  )
}

async function choose(page: Page, files: readonly Sent[]): Promise<void> {
  const chosen = page.waitForEvent('filechooser')
  await page.locator('[data-choose]').click()
  await (await chosen).setFiles([...files])
}

const photosOf = async (id: string) => (await rowOf(t, id)).photos
const pathOf = (id: string) => `/dashboard/listings/${id}/photos`
const shownIn = (page: Page) =>
  page
    .locator('[data-grid] [data-photo]')
    .evaluateAll((items) => items.map((one) => one.getAttribute('data-photo')))
const handleOf = (page: Page, photo: string) => page.locator(`[data-photo="${photo}"] [data-handle]`)

/** Performs a change of the photos, and waits for the response. @returns its status */
async function saving(page: Page, path: 'order' | 'remove', act: () => Promise<unknown>): Promise<number> {
  const arrival = page.waitForResponse((response) => response.url().endsWith(`/photos/${path}`))
  await act()
  return (await arrival).status()
}

async function middle(one: Locator): Promise<{ x: number; y: number }> {
  await one.scrollIntoViewIfNeeded()
  const box = await one.boundingBox()
  assert.ok(box !== null)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function dragByMouse(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await middle(from)
  const end = await middle(to)
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move(end.x, end.y, { steps: 10 })
  await page.mouse.up()
}

async function dragByTouch(cdp: CDPSession, from: Locator, to: Locator): Promise<void> {
  const start = await middle(from)
  const end = await middle(to)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', point?: { x: number; y: number }) =>
    cdp.send('Input.dispatchTouchEvent', { type, touchPoints: point === undefined ? [] : [point] })
  await touch('touchStart', start)
  for (let step = 1; step <= 10; step += 1) {
    const part = step / 10
    await touch('touchMove', { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part })
  }
  await touch('touchEnd')
}

describe('eight photos from files, one of them broken', { skip }, () => {
  for (const [locale, texts, width] of [
    ['es-AR', es, widths.phone],
    ['en-US', en, widths.desk],
  ] as const) {
    test(`are chosen, shown in progress, ordered and removed: ${locale}, ${width} px`, async () => {
      const hasTouch = width === widths.phone
      const page = await signedInWalker({ t, browser }, 'owner', texts, { locale, width, hasTouch })
      const { id } = await draft(t, { photos: [] })
      await page.open(pathOf(id))
      await page.check()
      received.length = 0
      await chooseEight(page, texts, id)
      await order(page, texts, id, hasTouch)
      await page.context().close()
    })
  }
})

async function chooseEight(page: Walker, texts: Messages, id: string): Promise<void> {
  await choose(page, await eight())
  await page.locator('p[data-summary]', { hasText: texts.photos.summary('7', '8') }).waitFor()
  const broken = page.locator('.photo-queued.is-failed')
  assert.match((await broken.textContent()) ?? '', /foto 5\.jpg/)
  assert.match((await broken.textContent()) ?? '', new RegExp(texts.photoWhy.damaged.replaceAll('.', '\\.')))
  await broken.getByRole('button', { name: texts.common.retry }).click()
  await page.locator('p[data-summary]', { hasText: texts.photos.summary('7', '8') }).waitFor()
  // In the order chosen, whichever arrived first.
  const chosen = await page
    .locator('.photo-queued[data-photo]')
    .evaluateAll((items) => items.map((one) => one.getAttribute('data-photo')))
  assert.equal(chosen.length, 7)
  const grid = "[...document.querySelectorAll('[data-grid] [data-photo]')].map((one) => one.dataset.photo)"
  await page.waitForFunction(`${grid}.join() === ${JSON.stringify(chosen.join())}`)
  // A screen reader announces the result, but not the order.
  assert.match((await page.locator('[data-announcement]').textContent()) ?? '', /: 7 \S+ 8\. foto 5\.jpg: /)
  await page.check()
  await page.reload()
  assert.deepEqual(await shownIn(page), await photosOf(id))
  assert.deepEqual(await photosOf(id), chosen)
  const sizes = await Promise.all(
    received.map((bytes) =>
      sharp(bytes)
        .metadata()
        .catch(() => null),
    ),
  )
  const whole = sizes.filter((size) => size?.width !== undefined && size.width !== 3_000)
  assert.equal(whole.length, 7)
  assert.ok(whole.every((size) => Math.max(size?.width ?? 0, size?.height ?? 0) === 2_560))
  assert.equal(whole.filter((size) => (size?.height ?? 0) > (size?.width ?? 0)).length, 1)
}

async function order(page: Walker, texts: Messages, id: string, hasTouch: boolean): Promise<void> {
  const [a = '', b = '', c = '', d = '', ...more] = await photosOf(id)
  // Keys keep the focus in place and announce the new position.
  await handleOf(page, c).focus()
  await saving(page, 'order', () => page.keyboard.press('ArrowLeft'))
  await page
    .locator('[data-announcement]', { hasText: texts.photos.movedTo(2, 7) })
    .waitFor({ state: 'attached' })
  assert.deepEqual(await photosOf(id), [a, c, b, d, ...more])
  await saving(page, 'order', () => page.keyboard.press('Home'))
  await page
    .locator('[data-announcement]', { hasText: texts.photos.movedTo(1, 7) })
    .waitFor({ state: 'attached' })
  assert.deepEqual(await photosOf(id), [c, a, b, d, ...more])
  const focused = await page.evaluate("document.activeElement.closest('[data-photo]').dataset.photo")
  assert.equal(focused, c)
  // Dragged over the next but one.
  const target = page.locator(`[data-photo="${b}"] .photo-picture`)
  if (hasTouch) {
    const cdp = await page.context().newCDPSession(page)
    await saving(page, 'order', () => dragByTouch(cdp, handleOf(page, c), target))
  } else {
    const picture = page.locator(`[data-photo="${c}"] .photo-picture`)
    await saving(page, 'order', () => dragByMouse(page, picture, target))
  }
  assert.deepEqual(await photosOf(id), [a, b, c, d, ...more])
  assert.equal(new URL(page.url()).pathname, pathOf(id))
  // Buttons.
  const place = (await shownIn(page)).indexOf(d) + 1
  await saving(page, 'order', () =>
    page.getByRole('button', { name: texts.photos.makeCover(place), exact: true }).click(),
  )
  assert.deepEqual(await photosOf(id), [d, a, b, c, ...more])
  await page.locator(`[data-photo="${d}"] summary`).click()
  await saving(page, 'remove', () => page.getByRole('button', { name: texts.photos.removeNow }).click())
  assert.deepEqual(await photosOf(id), [a, b, c, ...more])
  await page.locator(`[data-photo="${d}"]`).waitFor({ state: 'detached' })
  await page.check()
}

describe('a concurrent change of photos by others', { skip }, () => {
  test('is shown if it affects them, and is harmless otherwise', async () => {
    const page = await signedInWalker({ t, browser }, 'owner', es, { locale: 'es-AR', width: widths.desk })
    const { id, photos } = await published(t, { photos: photoUrls(4) })
    await page.open(pathOf(id))
    const [a = '', b = '', c = '', d = ''] = await photosOf(id)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otro título' } }))
    const conflict = page.getByText(es.photos.conflict)
    const again = page.waitForResponse(
      (response) => response.url().endsWith('/order') && response.status() === 200,
    )
    await handleOf(page, d).press('Home')
    await again
    assert.deepEqual(await photosOf(id), [d, a, b, c])
    assert.equal(await conflict.isVisible(), false)

    const theirs = [photos[2], photos[1], photos[0], photos[3]]
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: theirs } }))
    assert.equal(await saving(page, 'order', () => handleOf(page, a).press('Home')), 412)
    await conflict.waitFor()
    assert.deepEqual(await photosOf(id), [c, b, a, d])
    assert.deepEqual(await shownIn(page), [c, b, a, d])
    // Continues from there.
    assert.equal(await saving(page, 'order', () => handleOf(page, a).press('Home')), 200)
    assert.deepEqual(await photosOf(id), [a, c, b, d])
    await conflict.waitFor({ state: 'hidden' })
    await page.context().close()
  })
})

test('photos work without scripts: one file at a time, buttons for the rest', { skip }, async () => {
  const context = await browser.newContext({ baseURL: t.baseUrl, locale: 'es-AR', javaScriptEnabled: false })
  const page = await context.newPage()
  await signIn(page, es, (await person(t, 'owner')).email)
  const { id } = await draft(t, { photos: [] })
  await page.goto(pathOf(id))
  const [one, two] = await eight()
  for (const file of [one, two]) {
    assert.ok(file !== undefined)
    await page.getByLabel(es.photos.addOne).setInputFiles(file)
    await page.getByRole('button', { name: es.photos.upload }).click()
    await page.getByText(es.flash.photoStored).waitFor()
  }
  const [a = '', b = ''] = await photosOf(id)
  await page.getByRole('button', { name: es.photos.makeCover(2) }).click()
  await page.getByText(es.flash.photoMoved).waitFor()
  assert.deepEqual(await photosOf(id), [b, a])
  await page.locator(`[data-photo="${b}"] summary`).click()
  await page.getByRole('button', { name: es.photos.removeNow }).first().click()
  await page.getByText(es.flash.photoRemoved).waitFor()
  assert.deepEqual(await photosOf(id), [a])
  await context.close()
})
