/** The public pages in a real browser: both widths, both languages, by keyboard, without scripts, and without requests to other sites. */
// in a browser
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { publishable, type TestApp } from '../../support/app/app.ts'
import {
  checkAccessibility,
  checkNarrower,
  noBrowser,
  startBrowser,
  watch,
} from '../../support/browser/browser.ts'
import { accepted } from '../../support/app/listings.ts'
import { openSite } from './site.ts'

let t: TestApp
let browser: Browser
let listing = ''
let agency = ''
let gone = ''
before(async () => {
  if (noBrowser !== false) return
  ;[browser, { t, agency, listing, gone }] = await Promise.all([startBrowser(), openSite()])
})
after(async () => {
  if (noBrowser !== false) return
  await browser.close()
  await t.close()
})

async function visiting(
  options: BrowserContextOptions,
  run: (page: Page, wrong: string[]) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce', baseURL: t.baseUrl, ...options })
  try {
    const page = await context.newPage()
    const wrong = watch(page, t.baseUrl)
    await run(page, wrong)
  } finally {
    await context.close()
  }
}

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } }

/** Checks that a page is no wider than its window; saves a screenshot if SCREENSHOTS names a directory. */
async function picture(page: Page, name: string): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth')
  assert.equal(width, page.viewportSize()?.width, `${name} is wider than its window`)
  const directory = process.env['SCREENSHOTS']
  if (directory === undefined) return
  await mkdir(directory, { recursive: true })
  await page.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
}

describe('every page', { skip: noBrowser }, () => {
  for (const [size, colorScheme, language, prefix] of [
    ['phone', 'light', 'es', ''],
    ['desk', 'dark', 'en', '/en'],
    ['phone', 'dark', 'en', '/en'],
    ['desk', 'light', 'es', ''],
  ] as const) {
    test(`is complete, accessible and loads nothing from other sites: ${size}, ${colorScheme}, ${language}`, async () => {
      const viewport = sizes[size]
      await visiting({ viewport, colorScheme }, async (page, wrong) => {
        for (const [name, path] of Object.entries({ start: '/', listing, agency, terms: '/terms' })) {
          await page.goto(prefix + path, { waitUntil: 'load' })
          await checkNarrower(page, `${name} ${language}`)
          await checkAccessibility(page, `${name} ${size} ${language}`)
          const broken = await page.evaluate(
            '[...document.images].filter((image) => image.complete && image.naturalWidth === 0).length',
          )
          assert.equal(broken, 0, `broken pictures on ${name}`)
          await picture(page, `${name}-${language}-${viewport.width}`)
        }
        assert.deepEqual(wrong, [])
      })
    })
  }

  for (const [size, colorScheme] of [
    ['desk', 'light'],
    ['phone', 'dark'],
  ] as const) {
    test(`is accessible when it explains few or no results: ${size}, ${colorScheme}`, async () => {
      const viewport = sizes[size]
      await visiting({ viewport, colorScheme }, async (page) => {
        for (const [name, path, status] of [
          ['filtered', `${agency}?operation=rent`, 200],
          ['gone', gone, 410],
          ['missing', '/inmobiliarias/nadie', 404],
        ] as const) {
          assert.equal((await page.goto(path))?.status(), status)
          await checkAccessibility(page, `${name} ${size}`)
          await picture(page, `${name}-${viewport.width}`)
        }
      })
    })
  }
})

test('pages fit a narrow phone with the longest words', { skip: noBrowser }, async () => {
  const longest = (length: number) => 'W'.repeat(length)
  const { agency: other, writeKey: key } = t.other
  const name = longest(120)
  await t.deps.db.updateTable('agencies').set({ name }).where('id', '=', other.id).execute()
  const body = publishable({
    title: longest(200),
    description: longest(2_000),
    address: `${longest(100)} 123`,
    location: { city: longest(80), province: longest(80), lat: -34.92, lng: -57.95 },
    amenities: [longest(80)],
    price: { amount: 999_999_999_999, currency: 'ARS' },
    expenses: { amount: 999_999_999_999, currency: 'ARS' },
  })
  const { id } = accepted(await t.ask('POST', '/properties', { key, body }), 201)
  const path = `/inmobiliarias/${other.slug}`
  await visiting({ viewport: sizes.phone }, async (page) => {
    for (const one of [path, `${path}/${id}`, `${path}?q=${longest(80)}`]) {
      await page.goto(one)
      await checkNarrower(page, one)
    }
  })
})

const stripHasFocus = "document.activeElement === document.querySelector('.strip')"

/** Waits for the text: a photo slides into place before it is counted. */
async function reads(counter: Locator, place: number): Promise<void> {
  await counter.filter({ hasText: `${place} / 5` }).waitFor()
}

describe('the photo gallery', { skip: noBrowser }, () => {
  test('works by keyboard, in the strip and in full screen', async () => {
    await visiting({ viewport: sizes.desk }, async (page, wrong) => {
      await page.goto(listing, { waitUntil: 'load' })
      const count = page.locator('.gallery .counter')
      // From the top of the page: the skip link, the agency, the language, the strip.
      for (let steps = 0; steps < 4; steps++) await page.keyboard.press('Tab')
      assert.ok(await page.evaluate(stripHasFocus))
      await reads(count, 1)
      for (const [key, place] of [
        ['ArrowRight', 2],
        ['ArrowRight', 3],
        ['ArrowLeft', 2],
        ['End', 5],
        ['ArrowRight', 5],
        ['Home', 1],
        ['ArrowLeft', 1],
        ['ArrowRight', 2],
      ] as const) {
        await page.keyboard.press(key)
        await reads(count, place)
      }
      await page.keyboard.press('Enter')
      const dialog = page.locator('dialog.stage')
      await dialog.waitFor({ state: 'visible' })
      const shown = dialog.locator('.counter')
      await reads(shown, 2)
      await checkAccessibility(page, 'full screen')
      for (const [key, place] of [
        ['ArrowRight', 3],
        ['ArrowLeft', 2],
        ['ArrowLeft', 1],
        ['ArrowLeft', 5],
      ] as const) {
        await page.keyboard.press(key)
        await reads(shown, place)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      await page.waitForFunction(stripHasFocus)
      await reads(count, 5)
      assert.deepEqual(wrong, [])
    })
  })

  test('works with buttons, and opens on a click', async () => {
    // On a desktop they are side by side.
    await visiting({ viewport: { ...sizes.desk, width: 900 } }, async (page) => {
      await page.goto(`/en${listing}`)
      const count = page.locator('.gallery .counter')
      await page.getByRole('button', { name: 'Next photo' }).click()
      await reads(count, 2)
      await page.getByRole('button', { name: 'Previous photo' }).click()
      await reads(count, 1)
      await page.locator('.strip li').first().click()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.locator('dialog.stage').waitFor({ state: 'hidden' })
    })
  })

  test('follows a swipe in full screen', async () => {
    await visiting({ viewport: sizes.phone, hasTouch: true, isMobile: true }, async (page, wrong) => {
      await page.goto(listing)
      await page.getByRole('button', { name: 'Ver en pantalla completa' }).tap()
      const shown = page.locator('dialog.stage .counter')
      await reads(shown, 1)
      const finger = await page.context().newCDPSession(page)
      const swipe = async (from: number, to: number) => {
        const at = (x: number) => [{ x, y: 400 }]
        await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from) })
        await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at((from + to) / 2) })
        await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(to) })
        await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      }
      await swipe(300, 100)
      await reads(shown, 2)
      await swipe(100, 300)
      await reads(shown, 1)
      // Too short to count as a swipe.
      await swipe(200, 220)
      await reads(shown, 1)
      assert.deepEqual(wrong, [])
    })
  })

  test('loads the size that the screen needs', async () => {
    for (const [options, expected] of [
      [{ viewport: sizes.phone, deviceScaleFactor: 1 }, 'medium'],
      // At a pixel ratio of three, the file for two is sharp enough.
      [{ viewport: sizes.phone, deviceScaleFactor: 3 }, 'medium'],
      [{ viewport: { width: 320, height: 600 }, deviceScaleFactor: 1 }, 'small'],
      [{ viewport: sizes.desk, deviceScaleFactor: 1 }, 'medium'],
    ] as const) {
      await visiting(options, async (page) => {
        await page.goto(listing)
        const source = String(await page.evaluate("document.querySelector('.strip img').currentSrc"))
        assert.match(source, new RegExp(`/${expected}\\.webp$`), JSON.stringify(options))
      })
    }
  })
})

describe('sharing a listing', { skip: noBrowser }, () => {
  /** The device's share sheet, as far as the page sees it. */
  const sheet = `navigator.share = async (what) => { globalThis.passed = what }`

  test('opens the share sheet of the device if it has one', async () => {
    await visiting({ viewport: sizes.phone }, async (page, wrong) => {
      await page.addInitScript(sheet)
      await page.goto(listing)
      await page.getByRole('button', { name: 'Compartir' }).click()
      assert.deepEqual(await page.evaluate('passed'), {
        title: 'Departamento de 3 ambientes con balcón aterrazado en Palermo Soho',
        url: `https://listings.test${listing}`,
      })
      assert.deepEqual(wrong, [])
    })
  })

  test('otherwise copies the link, and confirms it', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    await visiting({ viewport: sizes.desk, permissions }, async (page) => {
      await page.addInitScript('delete Navigator.prototype.share')
      await page.goto(`/en${listing}`)
      await page.locator('.share button').first().click()
      await page.locator('.share').getByText('Link copied').waitFor()
      assert.equal(
        await page.evaluate('navigator.clipboard.readText()'),
        `https://listings.test/en${listing}`,
      )
    })
  })

  test('works with links without scripts', async () => {
    await visiting({ viewport: sizes.phone, javaScriptEnabled: false }, async (page) => {
      await page.goto(listing)
      assert.equal(await page.locator('.share button').first().isVisible(), false)
      const whatsApp = page.getByRole('link', { name: 'Compartir por WhatsApp' })
      const said = new URL((await whatsApp.getAttribute('href')) ?? '').searchParams.get('text')
      assert.equal(
        said,
        `Departamento de 3 ambientes con balcón aterrazado en Palermo Soho https://listings.test${listing}`,
      )
    })
  })

  test('fits a printed page', async () => {
    await visiting({ viewport: sizes.desk }, async (page) => {
      await page.goto(listing, { waitUntil: 'load' })
      await page.emulateMedia({ media: 'print' })
      for (const hidden of ['.share', '.crumbs', '.bar', '.more', '.top', '.controls'])
        assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
      for (const shown of [`https://listings.test${listing}`, '+54 11 5555-0142', 'a@b.example'])
        assert.ok(await page.locator('.agency').getByText(shown).isVisible(), shown)
      await picture(page, 'print')
    })
  })
})

describe('the search', { skip: noBrowser }, () => {
  test('is collapsed on a phone and open on a desktop, and is sent unchanged either way', async () => {
    for (const [size, viewport] of Object.entries(sizes)) {
      await visiting({ viewport, javaScriptEnabled: false }, async (page) => {
        await page.goto(agency)
        const type = page.getByLabel('Tipo')
        assert.equal(await type.isVisible(), size === 'desk', size)
        if (size === 'phone') await page.getByText('Filtros', { exact: true }).click()
        await type.selectOption('PH')
        await page.getByLabel('Hasta').first().fill('800.000')
        await page.getByLabel('Moneda').selectOption('ARS')
        await page.getByRole('button', { name: 'Ver resultados' }).click()
        assert.equal(await page.locator('.card').count(), 1)
        assert.equal(new URL(page.url()).searchParams.get('max_price'), '800.000')
        await page.getByRole('link', { name: 'Quitar el filtro PH' }).click()
        await page.getByRole('link', { name: 'Quitar el filtro Hasta $ 800.000' }).click()
        assert.equal(await page.locator('.card').count(), 3)
        await page.goto(`${agency}?type=Casa&operation=rent`)
        await page.getByRole('link', { name: /propiedad(es)? sin «Alquiler»/ }).click()
        assert.ok((await page.locator('.card').count()) > 0)
      })
    }
  })

  for (const [size, colorScheme] of [
    ['phone', 'light'],
    ['desk', 'dark'],
    ['phone', 'dark'],
    ['desk', 'light'],
  ] as const) {
    test(`is accessible with all of its messages: ${size}, ${colorScheme}`, async () => {
      const viewport = sizes[size]
      await visiting({ viewport, colorScheme }, async (page) => {
        for (const query of [
          '?type=Castillo&min_price=x&bedrooms=1&city=Tandil&currency=USD&max_price=1000000&sort=price_asc',
          '?type=Casa&operation=rent&q=nada',
          '?type=Casa&operation=rent',
        ]) {
          await page.goto(agency + query)
          if (size === 'phone') await page.locator('.filters summary').click()
          await checkAccessibility(page, `${query} ${viewport.width} ${colorScheme}`)
          await picture(page, `search-${viewport.width}-${colorScheme}`)
        }
      })
    })
  }
})

describe('pictures below the fold', { skip: noBrowser }, () => {
  test('load after the first one', async () => {
    await visiting({ viewport: sizes.phone }, async (page) => {
      let release = () => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      const seen: string[] = []
      await page.route('**/photos/**', async (route) => {
        seen.push(route.request().url())
        await held
        await route.continue()
      })
      await page.goto(agency, { waitUntil: 'commit' })
      await page.waitForLoadState('domcontentloaded')
      await page.locator('.card img').last().waitFor({ state: 'hidden' })
      assert.equal(seen.length, 1)
      const next = page.waitForRequest('**/photos/**')
      release()
      await page.locator('.card img').last().waitFor({ state: 'visible' })
      await next
    })
  })

  test('load even if the script that triggers them fails', async () => {
    await visiting({ viewport: sizes.phone }, async (page) => {
      await page.route('**/first.*.js', (route) => route.abort())
      await page.goto(agency)
      const last = page.locator('.card img').last()
      await last.waitFor({ state: 'hidden' })
      await page.evaluate('document.getAnimations().find((one) => one.animationName === "waiting").finish()')
      await last.waitFor({ state: 'visible' })
    })
  })
})

describe('without scripts', { skip: noBrowser }, () => {
  test('everything is visible, photos scroll, the search works, and pages can be turned', async () => {
    await visiting({ viewport: sizes.phone, javaScriptEnabled: false }, async (page) => {
      await page.goto(listing, { waitUntil: 'load' })
      assert.equal(await page.locator('.strip img').count(), 5)
      await page.locator('.strip img').last().scrollIntoViewIfNeeded()
      assert.ok(await page.locator('.strip img').last().isVisible())
      await picture(page, 'no-script-390')
      await page.goto(agency)
      await page.getByLabel('Qué buscás').fill('pileta')
      await page.getByRole('button', { name: 'Buscar' }).click()
      assert.equal(await page.locator('.card').count(), 1)
      await page.getByRole('link', { name: /Casa con pileta/ }).click()
      await page.getByRole('heading', { level: 1, name: /^Casa con pileta/ }).waitFor()
      assert.match(await page.title(), /^Casa con pileta/)
      await page.getByRole('link', { name: 'English' }).click()
      assert.equal(await page.locator('html').getAttribute('lang'), 'en-US')
    })
  })
})
