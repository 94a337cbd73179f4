/** Listings written in a real browser: from nothing to published, autosaved, alongside a system that writes too. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { fields } from '../../../../../../src/listings/fields/fields.ts'
import { en, es, type Messages } from '../../../../../../src/pages/dashboard/messages/catalogue.ts'
import { appInBrowser } from '../../../../../support/browser/app-in-browser.ts'
import { freshAddress, photoUrls, type TestApp } from '../../../../../support/app/app.ts'
import { becomes, noBrowser, type Walker, widths } from '../../../../../support/browser/browser.ts'
import { accepted, draft, historyOf, published } from '../../../../../support/app/listings.ts'
import { person } from '../../../visitor.ts'
import { press, signIn, signedInWalker } from '../../../walk.ts'

const { photos } = fields
let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
before(async () => {
  if (noBrowser !== false) return
  ;({ t, browser, close } = await appInBrowser({
    env: { GEOCODER: 'none', PUBLIC_BASE_URL: 'http://listings.test' },
  }))
})
after(() => close?.())

async function signedIn(locale: string, width: number, texts: Messages): Promise<Walker> {
  return await signedInWalker({ t, browser }, 'member', texts, { locale, width })
}

const field = (page: Walker, name: string) => page.locator(`[id="f-${name}"]`)
const shown = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))
const codeOf = (page: Walker) => /listings\/([2-9A-Z]{8})/.exec(page.url())?.[1] ?? ''

/** Performs an action, and waits for the save that follows. */
async function saved(page: Walker, act: () => Promise<unknown>): Promise<void> {
  const response = page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && response.request().headers()['accept'] === 'application/json',
  )
  await act()
  assert.equal((await response).status(), 200)
}

/** Moves the focus away, which completes the field. */
async function fill(page: Walker, name: string, text: string): Promise<void> {
  await field(page, name).fill(text)
  await field(page, name).blur()
}

async function written(page: Walker, texts: Messages): Promise<string> {
  const own = texts.listingForm
  await page.getByRole('link', { name: texts.nav.listings, exact: true }).first().click()
  await page.getByRole('link', { name: own.create }).first().click()
  await page.getByRole('radio', { name: texts.listings.operations.rent, exact: true }).check()
  assert.ok(await field(page, 'rental.min_lease_months').isVisible())
  await field(page, 'type').selectOption('Casa')
  assert.match(page.url(), /\/listings\/new$/)

  await saved(page, () => fill(page, 'price.amount', '450000,50'))
  await page.waitForURL(/\/listings\/[2-9A-Z]{8}\/edit$/)
  const id = codeOf(page)
  assert.equal((await shown(id)).status, 'draft')
  await page.getByRole('heading', { name: texts.listings.lacks(3) }).waitFor()
  // People's spellings are understood, and an error stays beside its field.
  assert.equal(await field(page, 'price.amount').inputValue(), texts === es ? '450.000,50' : '450,000.50')
  await saved(page, () => fill(page, 'features.rooms', 'tres'))
  await page.getByText(own.wrong.count(50)).waitFor()
  await page.check()
  await saved(page, () => fill(page, 'features.rooms', '3'))
  await becomes(() => page.locator('.error').count(), 0)
  await saved(page, () => page.getByRole('button', { name: 'Parrilla', exact: true }).click())
  await saved(page, () => fill(page, 'title', 'Casa con patio'))
  await saved(page, async () => {
    await fill(page, 'address', freshAddress())
    await fill(page, 'location.city', 'Salta')
    await field(page, 'location.province').selectOption('Salta')
  })
  await page.getByRole('heading', { name: texts.listings.lacks(1) }).waitFor()
  const stored = async () => {
    const { price, features, amenities, title, location } = await shown(id)
    return [price.amount, features['rooms'], amenities, title, location.province]
  }
  await becomes(stored, [450_000.5, 3, ['Parrilla'], 'Casa con patio', 'Salta'])
  assert.deepEqual([...new Set((await historyOf(t, id)).map(({ actor }) => actor.kind))], ['person'])
  await page.check()
  return id
}

describe('a listing in the form', { skip: noBrowser }, () => {
  for (const [locale, texts, width] of [
    ['en-US', en, widths.desk],
    ['es-AR', es, widths.phone],
  ] as const) {
    test(`goes from nothing to published, gets a corrected price, and is rented at a price: ${locale}, ${width} px`, async () => {
      const page = await signedIn(locale, width, texts)
      const own = texts.listingForm
      const id = await written(page, texts)
      // Publishing lists the missing fields with links; then a system adds the photos.
      await press(page, own.publish)
      assert.ok(
        await page.getByText(texts.refusals.missing([photos.label[texts === es ? 'es' : 'en']])).isVisible(),
      )
      accepted(await t.ask('POST', `/properties/${id}/photos`, { body: { urls: photoUrls(3) } }))
      await page.open(`/dashboard/listings/${id}/edit`)
      await page.getByText(own.nothingMissing).waitFor()
      await page.check()
      await press(page, own.publish)
      await page.getByText(texts.flash.published, { exact: true }).first().waitFor()
      assert.equal((await shown(id)).status, 'published')
      await page.check()
      // At the narrowest width of the table of listings, a listing still shows its name.
      const { width: usual = 0, height = 0 } = page.viewportSize() ?? {}
      await page.setViewportSize({ width: 1100, height })
      await page.goto('/dashboard/listings')
      const named = await page.locator(`.row-link[href$="${id}"]`).boundingBox()
      assert.ok((named?.width ?? 0) > 80, `${named?.width} px`)
      await page.setViewportSize({ width: usual, height })
      await page.open(`/dashboard/listings/${id}`)

      await page.getByRole('link', { name: own.correctPrice }).click()
      await field(page, 'price.amount').fill('400000')
      await page.check()
      await press(page, own.correctPrice)
      assert.ok(await page.getByText(texts.flash.priceCorrected).isVisible())

      await page.locator('summary', { hasText: texts.listings.suspend }).first().click()
      await page.getByLabel(texts.listings.recorded.close_reason).selectOption('rented')
      await page.getByLabel(texts.listings.recorded.close_price).fill('390.000')
      await press(page, texts.listings.suspendNow)
      assert.equal((await shown(id)).status, 'disabled')
      const closing = (await historyOf(t, id)).at(-1)?.changes['close_price']
      assert.deepEqual(closing?.to, { amount: 390_000, currency: 'ARS' })
      await page.context().close()
    })
  }

  test('is not overwritten: both changes are shown, and the chosen one is saved', async () => {
    const page = await signedIn('en-US', widths.desk, en)
    const { id } = await draft(t, { title: 'Before', amenities: ['Pileta'] })
    await page.open(`/dashboard/listings/${id}/edit`)
    accepted(
      await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Theirs', location: { city: 'Salta' } } }),
    )
    await saved(page, () => fill(page, 'title', 'Mine'))
    await page.getByText(en.listingForm.conflict, { exact: true }).waitFor()
    await becomes(() => field(page, 'location.city').inputValue(), 'Salta')
    await page.check('both')
    const stored = async () => {
      const { title, features } = await shown(id)
      return [title, features['rooms']]
    }
    await saved(page, () => fill(page, 'features.rooms', '4'))
    await becomes(stored, ['Theirs', 4])
    await saved(page, () => page.getByLabel(en.listingForm.mine).check())
    await becomes(stored, ['Mine', 4])
    await becomes(() => page.getByText(en.listingForm.conflict, { exact: true }).count(), 0)
    await page.context().close()
  })

  test('is saved only by the button once published, and the browser warns before losing text', async () => {
    const page = await signedIn('es-AR', widths.phone, es)
    const { id } = await published(t, { title: 'Pública' })
    await page.open(`/dashboard/listings/${id}/edit`)
    await fill(page, 'title', 'A medio escri')
    await page.getByText(es.listingForm.unsaved).waitFor()
    const asked = page.waitForEvent('dialog')
    const left = page.getByRole('link', { name: es.nav.listings, exact: true }).first().click()
    const dialog = await asked
    assert.equal(dialog.type(), 'beforeunload')
    await dialog.dismiss()
    await left
    assert.equal((await shown(id)).title, 'Pública')
    // Leaving the page does not lose it either.
    page.once('dialog', (again) => void again.accept())
    await page.reload()
    await page.getByText(es.listingForm.kept).waitFor()
    assert.equal(await field(page, 'title').inputValue(), 'A medio escri')
    await fill(page, 'title', 'Bien escrito')
    await press(page, es.listingForm.saveChanges)
    assert.equal((await shown(id)).title, 'Bien escrito')
    await page.context().close()
  })

  test('keeps the last text typed when its page is left, and after a session has ended', async () => {
    const page = await signedIn('en-US', widths.desk, en)
    const { id } = await draft(t, { title: 'Before' })
    await page.open(`/dashboard/listings/${id}/edit`)
    await field(page, 'title').fill('Typed last')
    await page.getByRole('link', { name: en.nav.keys, exact: true }).first().click()
    await page.waitForURL(/\/dashboard\/keys$/)
    // The browser sends it after leaving the page, without reporting when it arrives.
    await becomes(async () => (await shown(id)).title, 'Typed last')

    await page.open(`/dashboard/listings/${id}/edit`)
    const cookies = await page.context().cookies()
    await page
      .context()
      .clearCookies({ name: cookies.find(({ name }) => name.endsWith('session'))?.name ?? '' })
    await fill(page, 'title', 'Signed out')
    await page.getByText(en.listingForm.signInAgain).waitFor()
    const other = await page.context().newPage()
    await signIn(other, en, (await person(t, 'member')).email)
    await fill(page, 'features.rooms', '2')
    await page.getByText(/^Saved at/).waitFor()
    await becomes(async () => {
      const { title, features } = await shown(id)
      return [title, features['rooms']]
    }, ['Signed out', 2])
    await page.context().close()
  })

  test('can be written without scripts', async () => {
    const context = await browser.newContext({
      baseURL: t.baseUrl,
      locale: 'es-AR',
      javaScriptEnabled: false,
    })
    context.setDefaultTimeout(15_000)
    const page = (await context.newPage()) as Walker
    await signIn(page, es, (await person(t, 'member')).email)
    await page.goto('/dashboard/listings/new')
    await page.getByRole('radio', { name: es.listings.operations.sale, exact: true }).check()
    await field(page, 'type').selectOption('Lote')
    await field(page, 'price.amount').fill('x')
    await field(page, 'title').fill('Lote en esquina')
    await field(page, 'title').press('Enter')
    await page.getByText(es.reasons.amount_odd).first().waitFor()
    assert.equal(await field(page, 'title').inputValue(), 'Lote en esquina')
    await field(page, 'price.amount').fill('90.000')
    await page.getByRole('button', { name: es.listingForm.saveDraft }).click()
    await page.getByText(es.flash.listingCreated).waitFor()
    const { type, price } = await shown(codeOf(page))
    assert.deepEqual([type, price.amount], ['Lote', 90_000])
    await context.close()
  })
})
