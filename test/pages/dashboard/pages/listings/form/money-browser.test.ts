/**
 * The price of a listing in a real browser: wherever the focus is, the form shows the stored price, and its currency follows the
 * operation.
 */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { en, es, type Messages } from '../../../../../../src/pages/dashboard/messages/catalogue.ts'
import { appInBrowser } from '../../../../../support/browser/app-in-browser.ts'
import type { TestApp } from '../../../../../support/app/app.ts'
import { becomes, noBrowser, type Walker, widths } from '../../../../../support/browser/browser.ts'
import { accepted, draft } from '../../../../../support/app/listings.ts'
import { press, signedInWalker } from '../../../walk.ts'

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

async function signedIn(locale: string, width: number, texts: Messages, scripts = true): Promise<Walker> {
  return await signedInWalker({ t, browser }, 'member', texts, { locale, width, scripts })
}

const field = (page: Walker, name: string) => page.locator(`[id="f-${name}"]`)
const codeOf = (page: Walker) => /listings\/([2-9A-Z]{8})/.exec(page.url())?.[1] ?? ''
const stored = async (id: string) => {
  const { price } = accepted(await t.ask('GET', `/properties/${id}`))
  return [price.amount, price.currency]
}

/** Performs an action, and waits until the save that follows is shown. */
async function saved(page: Walker, act: () => Promise<unknown>): Promise<void> {
  const response = page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && response.request().headers()['accept'] === 'application/json',
  )
  await act()
  assert.equal((await response).status(), 200)
  await page.getByText(/^(Guardado a las|Saved at)/).waitFor()
}

/** Ways to complete a field, and to save without completing it, as when a window loses focus and regains it. */
const ways = {
  'the key Tab': (page: Walker, name: string) => field(page, name).press('Tab'),
  'leaving the field': (page: Walker, name: string) => field(page, name).blur(),
  'staying in it': (page: Walker) => page.evaluate("dispatchEvent(new Event('focus'))"),
}

describe('a price', { skip: noBrowser }, () => {
  for (const [locale, texts, width] of [
    ['es-AR', es, widths.phone],
    ['en-US', en, widths.desk],
  ] as const)
    test(`is shown as stored, wherever the focus is: ${locale}, ${width} px`, async () => {
      const page = await signedIn(locale, width, texts)
      await page.open('/dashboard/listings/new')
      await page.getByRole('radio', { name: texts.listings.operations.rent, exact: true }).check()
      let rooms = 0
      for (const [name, text, amount, currency] of [
        ['the key Tab', '450000 pesos', 450_000, 'ARS'],
        ['leaving the field', 'U$S 1.200', 1_200, 'USD'],
        ['staying in it', '$ 460.000', 460_000, 'ARS'],
        ['the key Tab', '1300 USD', 1_300, 'USD'],
      ] as const) {
        const where = `${text}, ${name}`
        for (const money of ['price', 'expenses'])
          await saved(page, async () => {
            await field(page, `${money}.amount`).fill(text)
            await ways[name](page, `${money}.amount`)
          })
        const id = codeOf(page)
        assert.deepEqual(await stored(id), [amount, currency], where)
        for (const money of ['price', 'expenses'])
          await becomes(() => field(page, `${money}.currency`).inputValue(), currency)
        // Another field is saved, and the price does not change.
        rooms += 1
        await saved(page, async () => {
          await field(page, 'features.rooms').fill(String(rooms))
          await field(page, 'features.rooms').blur()
        })
        assert.deepEqual(await stored(id), [amount, currency], where)
        const fresh = (await page.context().newPage()) as Walker
        await fresh.goto(page.url())
        for (const one of ['price.amount', 'price.currency', 'expenses.amount', 'expenses.currency']) {
          const expected = await field(fresh, one).inputValue()
          await becomes(() => field(page, one).inputValue(), expected)
        }
        await fresh.close()
      }
      await page.check()
      await page.context().close()
    })

  test('has the currency of its operation, until one is chosen, an amount is typed or it is stored', async () => {
    const page = await signedIn('es-AR', widths.desk, es)
    const currency = () => field(page, 'price.currency').inputValue()
    const choose = (operation: 'sale' | 'rent') =>
      page.getByRole('radio', { name: es.listings.operations[operation], exact: true }).check()
    await page.open('/dashboard/listings/new')
    assert.equal(await currency(), '')
    for (const [operation, usual] of [
      ['rent', 'ARS'],
      ['sale', 'USD'],
      ['rent', 'ARS'],
    ] as const) {
      await choose(operation)
      assert.equal(await currency(), usual)
    }
    await field(page, 'price.amount').fill('450000')
    await choose('sale')
    assert.equal(await currency(), 'ARS')

    await page.open('/dashboard/listings/new')
    await field(page, 'price.currency').selectOption('USD')
    await choose('rent')
    assert.equal(await currency(), 'USD')

    const { id } = await draft(t, { operation: 'rent', price: { amount: 700, currency: 'USD' } })
    await page.open(`/dashboard/listings/${id}/edit`)
    await saved(page, () => choose('sale'))
    await saved(page, () => choose('rent'))
    assert.deepEqual(await stored(id), [700, 'USD'])
    await page.context().close()
  })

  test('typed before the session ended is restored with its currency', async () => {
    const page = await signedIn('es-AR', widths.desk, es)
    const { id } = await draft(t, { operation: 'sale' })
    await page.open(`/dashboard/listings/${id}/edit`)
    await page
      .context()
      .route('**/edit', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.getByRole('radio', { name: es.listings.operations.rent, exact: true }).check()
    await field(page, 'price.currency').selectOption('USD')
    await field(page, 'price.amount').fill('700')
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText(es.listingForm.kept).waitFor()
    await page.context().unroute('**/edit')
    assert.equal(await field(page, 'price.currency').inputValue(), 'USD')
    await becomes(() => stored(id), [700, 'USD'])
    await page.context().close()
  })

  test('is in pesos for a rent even without scripts, and each currency has a distinct name', async () => {
    const page = await signedIn('es-AR', widths.phone, es, false)
    await page.open('/dashboard/listings/new')
    await page.getByRole('radio', { name: es.listings.operations.rent, exact: true }).check()
    await field(page, 'price.amount').fill('450000')
    for (const name of ['Moneda del precio', 'Moneda de las expensas'])
      assert.equal(await page.getByRole('combobox', { name, exact: true }).count(), 1)
    await press(page, es.listingForm.saveDraft)
    assert.deepEqual(await stored(codeOf(page)), [450_000, 'ARS'])
    await page.context().close()
  })
})
