/**
 * How soon the public pages of a running service appear, and whether anything shifts: in a browser on a slow connection, as a first-time
 * visitor. Works best with the demonstration's listings; see README.md.
 */
import type { Browser } from 'playwright-core'
import { startBrowser } from '../test/support/browser/browser.ts'
import { observeVitals, slowPage, vitalsOf } from '../test/support/browser/web-vitals.ts'

const [base = 'http://127.0.0.1:3000', slug = 'ribera-norte'] = process.argv.slice(2)
const devices = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 },
  desk: { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
} as const
const rounds = 5

async function visit(browser: Browser, url: string, device: (typeof devices)[keyof typeof devices]) {
  const context = await browser.newContext(device)
  await observeVitals(context)
  const { page, sent } = await slowPage(context)
  await page.goto(url, { waitUntil: 'networkidle' })
  const vitals = await vitalsOf(page)
  await context.close()
  return { ...vitals, ...sent }
}

const agency = `/inmobiliarias/${slug}`
const listings = await (await fetch(base + agency)).text()
const [listing = ''] = new RegExp(`${agency}/[0-9A-Z]{8}(?=")`).exec(listings) ?? []
const browser = await startBrowser()
const rows = []
for (const [name, path] of Object.entries({ listing, agency, search: `${agency}?bedrooms=2`, start: '/' }))
  for (const [device, options] of Object.entries(devices)) {
    const visits = []
    for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser, base + path, options))
    visits.sort((one, other) => one.lcp - other.lcp)
    const [first, middle, last] = [visits[0], visits[Math.floor(rounds / 2)], visits.at(-1)]
    if (first === undefined || middle === undefined || last === undefined) continue
    rows.push({
      page: `${name}, ${device}`,
      'LCP ms': Math.round(middle.lcp),
      'least–most': `${Math.round(first.lcp)}–${Math.round(last.lcp)}`,
      'FCP ms': Math.round(middle.fcp),
      CLS: Math.max(...visits.map(({ cls }) => cls)).toFixed(4),
      KB: Math.round(middle.bytes / 1_000),
      requests: middle.requests,
      largest: middle.largest.slice(-14),
      moved: [...new Set(visits.flatMap(({ moved }) => moved))].join(' ').slice(0, 80),
    })
  }
console.table(rows)
await browser.close()
