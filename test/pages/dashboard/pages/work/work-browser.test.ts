/** The list of work in a real browser: shown at home and fixed on the linked pages, on a phone and a desktop, with and without scripts. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { en, es, type Messages } from '../../../../../src/pages/dashboard/messages/catalogue.ts'
import { appInBrowser } from '../../../../support/browser/app-in-browser.ts'
import type { TestApp } from '../../../../support/app/app.ts'
import { noBrowser, type Walker, walker, widths } from '../../../../support/browser/browser.ts'
import { rowOf } from '../../../../support/app/listings.ts'
import { person } from '../../visitor.ts'
import { press, signIn } from '../../walk.ts'
import { makeKeyTrouble, makeUnmailed, makeWork, fixed, type WorkData, workSource } from './work-data.ts'

/** The longest words: nothing may scroll sideways because of them. */
const long = `${'Supercalifragilístico'.repeat(4)} `

let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
before(async () => {
  if (noBrowser !== false) return
  // Plain http, so that the browser accepts the cookies.
  ;({ t, browser, close } = await appInBrowser({
    env: { PUBLIC_BASE_URL: 'http://listings.test' },
    geocoder: async () => null,
    source: workSource,
  }))
})
after(() => close?.())

async function follow(page: Walker, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name }).first().click()])
}

/** Home → photos → the same listing: one photo is retried, one dismissed; then a pin is moved from home. */
async function fixAll(
  page: Walker,
  texts: Messages,
  work: WorkData,
  agencyId: string,
  isScripted: boolean,
): Promise<void> {
  const words = texts.work
  // The page check is a script itself.
  const check = async () => void (isScripted && (await page.check()))
  await page.open('/dashboard')
  await check()
  await follow(page, words.page.photos.review)
  await check()
  await page.open(`/dashboard/listings/${work.photos.id}`)
  await check()
  fixed.add(work.gone('a'))
  await press(page, words.warnings.retryAll)
  await page.getByText(texts.flash.photosFailAgain('1', '1')).waitFor()
  assert.equal((await rowOf(t, work.photos.id, agencyId)).photos.length, 2)
  await press(page, `${words.warnings.dismiss} ${work.gone('b')}`)
  await page.getByText(texts.flash.warningDismissed).waitFor()
  assert.equal(await page.getByText(words.warnings.title).count(), 0)

  await page.open(`/dashboard/listings/${work.kept.id}`)
  await check()
  await press(page, words.warnings.removeKept(1))
  await page.getByText(texts.flash.keptRemoved).waitFor()

  await page.open('/dashboard')
  await press(page, words.page.pins.use('-34.9200', '-57.9500'))
  await page.getByText(texts.flash.pinMoved).waitFor()
  assert.equal((await rowOf(t, work.swapped.id, agencyId)).lat, -34.92)
  await follow(page, words.page.unplaced.review)
  await check()
  await press(page, `${words.warnings.lookUp} ${work.unplaced.title}`)
  await page.getByText(texts.flash.placeUnknown).waitFor()
}

describe('work', { skip: noBrowser }, () => {
  for (const [locale, texts, width, isScripted] of [
    ...([
      ['en-US', en, widths.desk, true],
      ['es-AR', es, widths.phone, true],
    ] as const),
    ['es-AR', es, widths.phone, false],
  ] as const) {
    test(`is shown and fixed: ${locale}, ${width} px${isScripted ? '' : ', without scripts'}`, async () => {
      fixed.clear()
      const { agency, writeKey } = await t.newAgency()
      const work = await makeWork(t, writeKey, agency.id, isScripted ? long : '')
      await makeKeyTrouble(t, agency.id, long.slice(0, 40))
      await makeUnmailed(t, agency.id)
      const { email } = await person(t, 'owner', agency.id)
      const page = await walker(browser, t.baseUrl, { locale, width, scripts: isScripted })
      await signIn(page, texts, email)
      await fixAll(page, texts, work, agency.id, isScripted)
      await page.context().close()
    })
  }
})
