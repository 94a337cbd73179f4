/**
 * A real browser: headless Chromium out of an npm package, unpacked once among the temporary files.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as launcher, type Page } from 'playwright-core'
import { waitForLock } from '../../src/db/file-lock.ts'

/** The package brings Chromium for Linux alone. */
export const noBrowser = process.platform === 'linux' ? false : 'there is no browser for this platform'

export const widths = { phone: 390, desk: 1280 } as const

/** Starts it. Close it in `after`. */
export async function startBrowser(): Promise<Browser> {
  // Test files run side by side, and unpacking is not safe against that.
  const lock = await waitForLock(
    join(tmpdir(), `listings-chromium-${process.getuid?.()}.lock`),
    undefined,
    () => {},
  )
  const executablePath = await chromium.executablePath().finally(() => lock.release())
  return await launcher.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

/** A page of the browser, with what tests need beside. */
export type Walker = Page & {
  /** Opens an address below the application's. */
  open(path: string): Promise<void>
  /** Holds the page that is open to the rules of accessibility, and to its width. */
  check(): Promise<void>
}

/**
 * A page with cookies of its own.
 * @param options `isJudged: false` leaves the rules of accessibility to others, because they take their time
 */
export async function walker(
  browser: Browser,
  baseUrl: string,
  options: { locale: string; width: number; isJudged?: boolean },
): Promise<Walker> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: options.locale,
    // Colours on their way are no colours to judge.
    reducedMotion: 'reduce',
    viewport: { width: options.width, height: 844 },
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    // A form that is shown again says so by its status, which browsers find worth a line.
    const isRefusal = /status of 4\d\d/.test(message.text()) && message.location().url === page.url()
    if (['error', 'warning'].includes(message.type()) && !isRefusal)
      wrong.push(`${page.url()}: ${message.text()}`)
  })
  return Object.assign(page, {
    async open(path: string) {
      const response = await page.goto(path)
      assert.ok((response?.status() ?? 0) < 400, `${path}: ${response?.status()}`)
    },
    async check() {
      assert.deepEqual(wrong, [])
      const { pathname } = new URL(page.url())
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(overflow) <= 0, `${pathname} is ${String(overflow)} px wider than the window`)
      if (options.isJudged === false) return
      await page.evaluate(axe)
      const violations = await page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' at ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
      )
      assert.deepEqual(violations, [], pathname)
      await keep(
        page,
        `${pathname
          .slice(1)
          .replaceAll(/[^a-z-]+/gi, '_')
          .slice(0, 80)}-${options.locale}-${options.width}`,
      )
    },
  })
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const pictures = process.env['SCREENSHOTS']

/** With SCREENSHOTS=folder every page that is checked is also kept as a picture, to look at. */
async function keep(page: Page, name: string): Promise<void> {
  if (pictures === undefined || pictures === '') return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}
