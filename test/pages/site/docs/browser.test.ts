/** The documentation in a real browser: accessible at both widths and in both themes, searched by keyboard, tried with a key. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { appInBrowser } from '../../../support/browser/app-in-browser.ts'
import type { TestApp } from '../../../support/app/app.ts'
import { newTestKey } from '../../../support/app/test-key.ts'
import { guideNames } from '../../../../src/pages/site/docs/guides.ts'
import { noBrowser, type Walker, walker, widths } from '../../../support/browser/browser.ts'

/** The application's own path in tests. */
const publicUrl = 'https://listings.test'

let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
before(async () => {
  if (noBrowser !== false) return
  ;({ t, browser, close } = await appInBrowser())
})
after(() => close?.())

async function reading(width: number, run: (page: Walker) => Promise<void>): Promise<void> {
  const page = await walker(browser, t.baseUrl, { locale: 'en-US', width })
  try {
    await run(page)
  } finally {
    await page.context().close()
  }
}

/** Keeps only a few of the reference's similar sections, because checking all of them takes seconds. */
const trim = `{
  const kept = ['listProperties', 'createProperty', 'disableProperty', 'model-Property', 'model-Warning']
  for (const one of document.querySelectorAll('.operation, .model')) if (!kept.includes(one.id)) one.remove()
}`
const shownLanguages = `[...document.querySelectorAll('.code > [data-language]:not([hidden])')].map((one) => one.dataset.language)`

describe('the documentation', { skip: noBrowser }, () => {
  test('is accessible and fits: light on a desktop, dark on a phone', async () => {
    await reading(widths.desk, async (page) => {
      await page.open('/docs')
      await page.evaluate(trim)
      await page.check()
    })
    await reading(widths.phone, async (page) => {
      await page.open('/docs/guides/signing')
      await page.getByRole('button', { name: 'Use light colours' }).click()
      await page.check()
      await page.open('/docs')
      await page.getByRole('button', { name: 'Use dark colours' }).click()
      await page.evaluate(trim)
      await page.check()
    })
  })

  test('has only accessible pages', async () => {
    const guides = guideNames.map((name) => `/docs/guides/${name}`)
    // Guides look alike on a desktop.
    for (const [width, ...paths] of [
      [widths.desk, '/docs/errors', '/docs/contract', guides[0] ?? ''],
      [widths.phone, '/docs/errors', '/docs/contract', ...guides],
    ] as const) {
      await reading(width, async (page) => {
        for (const path of paths) {
          await page.open(path)
          await page.check(guides.includes(path) ? 'both' : 'shown')
        }
      })
    }
  })

  test('shows every sample in the chosen language, on the next page too', async () => {
    await reading(widths.desk, async (page) => {
      await page.open('/docs')
      assert.deepEqual(new Set((await page.evaluate(shownLanguages)) as string[]), new Set(['curl']))
      await page.locator('#createProperty').getByRole('button', { name: 'PHP' }).click()
      assert.deepEqual(new Set((await page.evaluate(shownLanguages)) as string[]), new Set(['php']))
      await page.open('/docs/guides/signing')
      assert.deepEqual(await page.evaluate(shownLanguages), ['php'])
    })
  })

  test('marks the section in view, and keeps the contents within reach on a phone', async () => {
    await reading(widths.phone, async (page) => {
      await page.open('/docs#createProperty')
      await page.locator('.where', { hasText: '· Create' }).waitFor()
      await page.locator('.menu > summary').click()
      await page.locator('.menu [aria-current="location"]', { hasText: 'Create' }).waitFor()
      await page.locator('.menu').getByText('Models').click()
      await page.locator('.where', { hasText: '· Models' }).waitFor()
      await page.locator('.menu > summary').click()
      await page.keyboard.press('Escape')
      await page.locator('.menu:not([open])').waitFor()
      await page.evaluate('scrollTo(0, 0)')
      await page.locator('.where', { hasText: '· Overview' }).waitFor()
      assert.equal(await page.locator('.menu a[aria-current]').getAttribute('aria-current'), 'page')
    })
  })

  test('can be searched by keyboard', async () => {
    await reading(widths.phone, async (page) => {
      await page.open('/docs/guides/photos')
      await page.keyboard.press('/')
      await page.keyboard.type('sold closed_at')
      await page.locator('#found a').first().waitFor()
      await page.check('both')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs#disableProperty')
    })
  })

  test('finds synonyms, titles first', async () => {
    await reading(widths.phone, async (page) => {
      await page.open('/docs/errors')
      for (const [words, href] of [
        ['pagination', 'docs#listProperties'],
        ['sandbox', 'docs/guides/trying'],
        ['staging', 'docs/guides/trying'],
        ['webhooks', 'docs#listChanges'],
        ['rate limit', 'docs/guides/limits'],
        ['delete photo', 'docs#setPhotos'],
        ['retry', 'docs/guides/errors-and-retries'],
        ['borrar propiedad', 'docs#deleteProperty'],
        ['not_found', 'docs/errors#not_found'],
      ] as const) {
        await page.getByLabel('Search').fill(words)
        await page.locator(`#found li:first-child a[href$="${href}"]`).waitFor()
      }
      const { x = -1 } = (await page.locator('#found').boundingBox()) ?? {}
      assert.ok(x >= 0, `begins at ${x}`)
    })
  })

  test('sends requests with the key that was entered', async () => {
    await reading(widths.desk, async (page) => {
      await page.open('/docs')
      const list = page.locator('#listProperties')
      await list.getByText('Try it').click()
      await list.getByRole('button', { name: 'Send' }).click()
      await list.getByText('Enter an API key first.').waitFor()
      await list.getByLabel('API key').fill(t.readKey)
      await list.getByLabel('per_page').fill('7')
      await list.getByRole('button', { name: 'Send' }).click()
      await list.getByText('HTTP 200').waitFor()
      assert.match(await list.locator('.result').innerText(), /"per_page": 7/)
      await page.evaluate(trim)
      await page.check('both')
    })
  })

  test('writes with a test key, at the public URL of the service', async () => {
    const { key } = await newTestKey(t, t.agency)
    await reading(widths.desk, async (page) => {
      await page.route(`${publicUrl}/**`, async (route) => {
        const { pathname, search } = new URL(route.request().url())
        await route.fulfill({ response: await route.fetch({ url: t.baseUrl + pathname + search }) })
      })
      await page.open(`${publicUrl}/docs`)
      await page.getByLabel('API key').first().fill(key)
      const create = page.locator('#createProperty')
      await create.getByText('Try it').click()
      await create.getByLabel('Example').selectOption({ label: 'A lot, as a draft' })
      await create.getByLabel('dry_run', { exact: true }).selectOption('true')
      await create.getByRole('button', { name: 'Send' }).click()
      await create.locator('.result', { hasText: '"dry_run": true' }).waitFor()
      await create.getByLabel('dry_run', { exact: true }).selectOption('not sent')
      await create.getByRole('button', { name: 'Send' }).click()
      await create.locator('.result:not(:has-text("dry_run"))').waitFor()
      assert.match(await create.locator('.result').innerText(), /^HTTP 201[^]*"type": "Lote"/)
      // The code of the new listing is suggested in the other forms.
      const remove = page.locator('#deleteProperty')
      await remove.getByText('Try it').click()
      await remove.getByRole('button', { name: 'Send' }).click()
      await remove.getByText('HTTP 200').waitFor()
    })
  })

  test('explains what to do if a live key may not write', async () => {
    await reading(widths.desk, async (page) => {
      await page.open('/docs')
      await page.getByLabel('API key').first().fill(t.writeKey)
      const create = page.locator('#createProperty')
      await create.getByText('Try it').click()
      await create.getByRole('button', { name: 'Send' }).click()
      await create.getByText('HTTP 403').waitFor()
      await create.getByText('Browsers can write with test keys only').waitFor()
    })
  })
})
