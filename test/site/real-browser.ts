/**
 * A real browser, without a window: Chromium from an npm package, unpacked once among the temporary files.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packed from '@sparticuz/chromium'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The package brings Chromium for Linux alone. */
export const noBrowser = process.platform === 'linux' ? false : 'there is no browser for this platform'

/** Starts it. Close it in `after`. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await executable(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

/**
 * The package unpacks wherever the temporary files are, in place, and takes whatever lies there for whole. So it does that in a
 * directory of its own, which then gets its name at a stroke: test files run side by side.
 */
async function executable(): Promise<string> {
  const project = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const version = project.devDependencies['@sparticuz/chromium']
  const home = join(tmpdir(), `property-listing-api-browser-${process.getuid?.()}-${version}`)
  const path = join(home, 'chromium')
  if (existsSync(path)) return path
  const own = await mkdtemp(`${home}-`)
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = own
  try {
    await packed.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  try {
    await rename(own, home)
  } catch (error) {
    // Another test was quicker.
    await rm(own, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
  return path
}

/** What a page did that it should not: errors told in the console, exceptions, requests to elsewhere, answers that failed. */
export function watch(page: Page, origin: string): string[] {
  const wrong: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) wrong.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) wrong.push(`request: ${request.url()}`)
  })
  page.on('requestfailed', (request) =>
    wrong.push(`failed: ${request.url()} ${request.failure()?.errorText}`),
  )
  return wrong
}

let axe: Promise<string> | null = null

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

/** Holds a page to what axe-core can judge of its accessibility. Runs beside the page's own policy, which forbids foreign scripts. */
export async function checkAccessibility(page: Page, where: string): Promise<void> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  await page.evaluate(await axe)
  const violations = (await page.evaluate('axe.run().then(({ violations }) => violations)')) as Violation[]
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  )
  assert.deepEqual(told, [], where)
}
