/** The settings in a real browser: an owner changes what visitors see, on a phone and a desktop, and checks it as a visitor. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import type { Mail } from '../../../../../src/delivery/mails/mailer.ts'
import { en, es } from '../../../../../src/pages/dashboard/messages/catalogue.ts'
import { saveAgencyProfile } from '../../../../support/app/agency-profile.ts'
import { appInBrowser } from '../../../../support/browser/app-in-browser.ts'
import type { TestApp } from '../../../../support/app/app.ts'
import { noBrowser, type Walker, walker, widths } from '../../../../support/browser/browser.ts'
import { published } from '../../../../support/app/listings.ts'
import { person } from '../../visitor.ts'
import { press, signIn, signedInWalker } from '../../walk.ts'

let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
const mails: Mail[] = []
before(async () => {
  if (noBrowser !== false) return
  // Plain http, so that the browser accepts the cookies.
  ;({ t, browser, close } = await appInBrowser({
    env: { GEOCODER: 'none', PUBLIC_BASE_URL: 'http://listings.test' },
    mailer: mails,
  }))
})
after(() => close?.())

const tab = (page: Walker, name: string) => page.locator('.tabs').getByRole('link', { name }).click()

describe('an owner', { skip: noBrowser }, () => {
  for (const [locale, texts, width] of [
    ['es-AR', es, widths.phone],
    ['en-US', en, widths.desk],
  ] as const) {
    test(`changes phone, hours, logo, colour and address, and sees them public: ${locale}, ${width} px`, async () => {
      const slug = `walk-${width}`
      const listing = await published(t)
      const page = await walker(browser, t.baseUrl, { locale, width })
      const { settings, common, nav, agencies } = texts
      await signIn(page, texts, (await person(t, 'owner')).email)
      if (width === widths.phone) await page.locator('summary', { hasText: nav.accountMenu }).click()
      await page.getByRole('link', { name: nav.settings, exact: true }).last().click()
      await page.getByLabel(settings.phone).fill('11 5555-0142')
      await page.getByLabel(settings.college).fill('CUCICBA')
      await page.getByLabel(settings.number).fill('')
      await press(page, common.save)
      assert.ok(await page.locator('.error', { hasText: texts.reasons.licence_half }).isVisible())
      assert.equal(await page.getByLabel(settings.phone).inputValue(), '11 5555-0142')
      await page.getByLabel(settings.number).fill('1234')
      await press(page, common.save)
      assert.ok(await page.getByText(texts.flash.profileSaved, { exact: true }).isVisible())
      assert.equal(await page.getByLabel(settings.phone).inputValue(), '+54 11 5555-0142')

      await tab(page, settings.tabs.hours)
      const [monday = ''] = settings.weekdays
      await page.getByLabel(settings.opens(monday, 1)).fill('09:30')
      await page.getByLabel(settings.closes(monday, 1)).fill('18:00')
      await press(page, common.save)

      await tab(page, settings.tabs.look)
      const picture = sharp({ create: { width: 600, height: 200, channels: 3, background: '#c2185b' } })
      const buffer = await picture.png().toBuffer()
      await page.getByLabel(settings.logoFile).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
      await press(page, settings.logoUpload)
      assert.ok(await page.getByRole('img', { name: settings.logoNow }).isVisible())
      await page.getByLabel(settings.ownColour).check()
      // The least readable colour on white.
      await page.getByLabel(settings.chosenColour).fill('#ffff00')
      await press(page, common.save)
      await page.check()

      await tab(page, settings.tabs.slug)
      const before = await page.getByLabel(agencies.slug).inputValue()
      await page.getByLabel(agencies.slug).fill(slug)
      await press(page, settings.change)
      assert.ok(await page.getByText(settings.formerReserved).first().isVisible())
      await page.check()

      for (const [path, shown] of [
        [`/inmobiliarias/${before}`, `/inmobiliarias/${slug}`],
        [`/en/inmobiliarias/${before}/${listing.id}`, `/en/inmobiliarias/${slug}/${listing.id}`],
      ] as const) {
        await page.open(path)
        assert.equal(new URL(page.url()).pathname, shown)
        assert.ok(await page.getByText('+54 11 5555-0142').first().isVisible())
        assert.ok(await page.getByText(/CUCICBA 1234/).isVisible())
        assert.ok(await page.locator('img.logo').first().isVisible())
        await page.check()
      }
      await page.context().close()
    })
  }

  for (const [locale, texts, width] of [
    ['en-US', en, widths.desk],
    ['es-AR', es, widths.narrow],
  ] as const) {
    test(`requests another email, which its reader confirms: ${locale}, ${width} px`, async () => {
      const email = `${'w'.repeat(60)}@${'w'.repeat(60)}.${locale}.example`.toLowerCase()
      const { settings, common, confirmEmail, flash } = texts
      const page = await signedInWalker({ t, browser }, 'owner', texts, { locale, width })
      await page.open('/dashboard/settings')
      await page.getByLabel(common.email).fill(email)
      await press(page, common.save)
      assert.ok(await page.getByText(flash.emailLinkSent(email)).isVisible())
      assert.ok(await page.getByRole('heading', { name: settings.pendingEmail.title }).isVisible())
      await page.check()
      await press(page, settings.pendingEmail.again)
      const link = /http:\/\/listings\.test(\/dashboard\/confirm-email\/\S+)/.exec(
        mails.at(-1)?.text ?? '',
      )?.[1]

      const reader = await walker(browser, t.baseUrl, { locale, width })
      await reader.open(link ?? '')
      await reader.check()
      await press(reader, confirmEmail.press)
      assert.ok(await reader.getByRole('heading', { name: confirmEmail.done }).isVisible())
      await reader.check()
      await reader.goto('/dashboard/confirm-email')
      assert.ok(await reader.getByText(confirmEmail.dead).isVisible())
      await reader.context().close()
      await page.open('/dashboard/settings')
      assert.equal(await page.getByLabel(common.email).inputValue(), email)
      await page.context().close()
    })
  }

  test('can change settings without scripts, and the longest words fit', async () => {
    const context = await browser.newContext({
      baseURL: t.baseUrl,
      locale: 'es-AR',
      javaScriptEnabled: false,
      viewport: { width: widths.narrow, height: 800 },
    })
    const page = await context.newPage()
    await signIn(page, es, (await person(t, 'owner')).email)
    await page.goto('/dashboard/settings')
    await page.getByLabel(es.settings.phone).fill('+54 11 5555-0199')
    await page.getByRole('main').getByRole('button', { name: es.common.save }).click()
    assert.ok(await page.getByText(es.flash.profileSaved, { exact: true }).isVisible())
    const long = (length: number) => 'W'.repeat(length)
    await saveAgencyProfile(t.deps, t.agency.id, {
      name: long(120),
      email: `${long(64)}@${long(60)}.example`,
      website: `https://${long(60)}.example/${long(200)}`,
      address: long(200),
      licence_number: long(40),
      licence_college: long(80),
      broker: long(120),
      about: long(2_000),
      slug: 'w'.repeat(63),
    })
    for (const path of [
      '/dashboard/settings',
      '/dashboard/settings/hours',
      '/dashboard/settings/address',
      '/dashboard/settings/mails',
      `/inmobiliarias/${'w'.repeat(63)}`,
    ]) {
      await page.goto(path)
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
      assert.ok(width <= widths.narrow, `${path} is ${width} px wide`)
    }
    await context.close()
  })
})
