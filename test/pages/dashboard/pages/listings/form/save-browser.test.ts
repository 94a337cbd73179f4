/** The save button of a listing's form in a real browser: it is always reachable, covers no field, and shows the true state. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { en, es, type Messages } from '../../../../../../src/pages/dashboard/messages/catalogue.ts'
import { appInBrowser } from '../../../../../support/browser/app-in-browser.ts'
import type { TestApp } from '../../../../../support/app/app.ts'
import { noBrowser, type Walker, widths } from '../../../../../support/browser/browser.ts'
import { accepted, draft, published } from '../../../../../support/app/listings.ts'
import { signedInWalker } from '../../../walk.ts'

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

async function signedIn(locale: string, texts: Messages, scripts = true): Promise<Walker> {
  return await signedInWalker({ t, browser }, 'member', texts, { locale, width: widths.phone, scripts })
}

const shown = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))

/** A phone upright, a small one, one on its side, and enlarged pages. */
const windows = [
  [widths.phone, 844],
  [320, 640],
  [844, 390],
  [720, 450],
  [960, 900],
  [1440, 900],
] as const

/** The scroll positions at which none of these buttons can be pressed. */
const outOfReach = `(name) => {
  const found = []
  for (let y = 0; y < document.documentElement.scrollHeight; y += Math.floor(innerHeight / 2)) {
    scrollTo({ top: y, behavior: 'instant' })
    const isInReach = [...document.querySelectorAll('button')].some((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return button.textContent.trim() === name && width > 0 && document.elementFromPoint(x + width / 2, y + height / 2) === button
    })
    if (!isInReach) found.push(y)
  }
  return found
}`

/** Fields with a covered top edge when keyboard focus reaches them from below. */
const coveredFields = `() => {
  const fields = [...document.querySelectorAll('#listing-form :is(input:not([type=hidden]), select, textarea)')]
  return fields.reverse().filter((field) => {
    if (!field.checkVisibility() || field.disabled) return false
    field.focus()
    const { x, y, width } = field.getBoundingClientRect()
    return document.activeElement === field && document.elementFromPoint(x + width / 2, y + 1)?.closest('.save-line, .topbar, .nav') != null
  }).map(({ name }) => name)
}`

describe('the save button', { skip: noBrowser }, () => {
  for (const [locale, texts] of [
    ['es-AR', es],
    ['en-US', en],
  ] as const)
    test(`is reachable everywhere on a published listing’s form, and covers no field: ${locale}`, async () => {
      const page = await signedIn(locale, texts)
      const name = texts.listingForm.saveChanges
      const { id } = await published(t, { title: 'Antes' })
      await page.open(`/dashboard/listings/${id}/edit`)
      await page.check()
      await page.locator('[id="f-title"]').fill('Después')
      for (const [width, height] of windows) {
        await page.setViewportSize({ width, height })
        const where = `${width} × ${height} px`
        assert.deepEqual(await page.evaluate(`(${outOfReach})(${JSON.stringify(name)})`), [], where)
        assert.deepEqual(await page.evaluate(`(${coveredFields})()`), [], where)
      }
      // Enlarged four times there is no space for a bar: the button appears above and below the fields.
      await page.setViewportSize({ width: 360, height: 225 })
      assert.deepEqual(await page.evaluate(`(${coveredFields})()`), [])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 2)

      await page.setViewportSize({ width: widths.phone, height: 844 })
      await page.locator('[id="f-description"]').scrollIntoViewIfNeeded()
      await page
        .getByRole('region', { name: texts.common.save, exact: true })
        .getByRole('button')
        .press('Enter')
      await page.getByText(texts.flash.listingSaved).first().waitFor()
      assert.equal((await shown(id)).title, 'Después')
      await page.context().close()
    })

  test('is hidden for an autosaved draft, and shown without scripts', async () => {
    const { id } = await draft(t, { title: 'Antes' })
    for (const [scripts, count] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const page = await signedIn('es-AR', es, scripts)
      await page.open(`/dashboard/listings/${id}/edit`)
      const button = page.getByRole('button', { name: es.listingForm.saveDraft, exact: true })
      assert.equal(await button.count(), count)
      if (scripts) await page.check()
      else {
        await page.locator('[id="f-title"]').fill('Después')
        await button.first().click()
        await page
          .getByText(/^Borrador guardado\. Último cambio: \d/)
          .first()
          .waitFor()
        assert.equal((await shown(id)).title, 'Después')
      }
      await page.context().close()
    }
  })

  test('confirms an autosaved draft with the time, and shows unsaved changes of a published listing', async () => {
    const page = await signedIn('en-US', en)
    const { id } = await draft(t)
    await page.open(`/dashboard/listings/${id}/edit`)
    await page.locator('[id="f-title"]').fill('By itself')
    await page.locator('[id="f-title"]').blur()
    await page.getByText(/^Saved at/).waitFor()
    await page.getByRole('button', { name: en.listingForm.saveDraft, exact: true }).click()
    const { updated_at: changed, title } = await shown(id)
    assert.equal(title, 'By itself')
    const time = new Intl.DateTimeFormat('en', {
      timeZone: 'America/Argentina/Buenos_Aires',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
    }).format(new Date(changed))
    await page
      .getByText(new RegExp(`^Draft saved\\. Last change: .*, ${time}\\.$`))
      .first()
      .waitFor()

    const { id: other } = await published(t)
    await page.open(`/dashboard/listings/${other}/edit`)
    await page.getByRole('button', { name: en.listingForm.saveChanges, exact: true }).first().click()
    await page.getByText(en.flash.listingSame).first().waitFor()
    await page.context().close()
  })
})

describe('the fields of the form', { skip: noBrowser }, () => {
  test('each have a distinct name', async () => {
    for (const [locale, texts] of [
      ['es-AR', es],
      ['en-US', en],
    ] as const) {
      const page = await signedIn(locale, texts)
      await page.open('/dashboard/listings/new')
      await page.getByRole('radio', { name: texts.listings.operations.rent, exact: true }).check()
      const tree = await page.locator('#listing-form').ariaSnapshot()
      const names: string[] =
        tree.match(/^\s*- (?:textbox|combobox|spinbutton|checkbox|radio) "[^"]*"/gm) ?? []
      assert.ok(names.length > 25, tree)
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
      )
      await page.context().close()
    }
  })
})
