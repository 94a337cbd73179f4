/**
 * Takes screenshots of the dashboard, the public pages and the documentation, with demonstration data: at the widths of a phone and a
 * desktop, in light and dark.
 *   node scripts/screenshots.ts DIRECTORY [--only=PART-OF-A-NAME] [--language=en] [--widths=390,1440] [--schemes=light,dark]
 * Files are named after the path, width and scheme, such as `dashboard_listings-390-dark.png`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Browser, BrowserContext } from 'playwright-core'
import { seedDemo } from '../src/samples/seed.ts'
import { uuidv7 } from '../src/platform/names/ids.ts'
import { testApp, type TestApp } from '../test/support/app/app.ts'
import { startBrowser } from '../test/support/browser/browser.ts'
import { type Role, tour } from '../test/pages/dashboard/tour.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    language: { type: 'string', default: 'es' },
    widths: { type: 'string', default: '390,1440' },
    schemes: { type: 'string', default: 'light,dark' },
  },
})
const [directory] = positionals
if (directory === undefined) throw new Error('node scripts/screenshots.ts DIRECTORY')
const locale = values.language === 'en' ? 'en-US' : 'es-AR'

type Shot = Readonly<{ role: Role; path: string; name?: string }>
type Sign = Readonly<Record<'owner' | 'operator', { email: string; password: string }>>

mkdirSync(directory, { recursive: true })
// Over https the cookies would be `Secure`, and the browser would reject them, because the test server speaks http.
await using t = Object.assign(
  await testApp({ env: { GEOCODER: 'none', PUBLIC_BASE_URL: 'http://listings.test' } }),
  { [Symbol.asyncDispose]: () => t.close() },
)
await sql`insert into demonstration (started_at) values (clock_timestamp())`.execute(t.deps.db)
const keys = await seedDemo(t.deps, (line) => console.error(line))
if (keys === null) throw new Error('There is no demonstration data.')
const shots = await shotsOf(t, keys.agency, keys.write)
const browser = await startBrowser()
try {
  for (const width of values.widths.split(',').map(Number))
    for (const scheme of values.schemes.split(',')) await takeAll(browser, width, scheme, keys)
} finally {
  await browser.close()
}

/** Adds data that a new demonstration lacks, such as request counts of several days, refused requests and a long title. */
async function shotsOf({ deps, baseUrl }: TestApp, slug: string, key: string): Promise<readonly Shot[]> {
  const { db } = deps
  const { rows } = await sql<Record<'agency' | 'key' | 'listing' | 'event' | 'sold' | 'person', string>>`
    select a.id as agency, (select id from accounts where agency_id = a.id limit 1) as person, k.id as key, e.id as event,
      (select public_id from properties p where p.agency_id = a.id and p.status = 'published' and p.deleted_at is null
        order by jsonb_array_length(to_jsonb(p.photos)) desc, id limit 1) as listing,
      (select public_id from properties p where p.agency_id = a.id and p.status = 'disabled' and p.deleted_at is null
        order by id limit 1) as sold
    from agencies a join api_keys k on k.agency_id = a.id join notification_events e on e.agency_id = a.id
    where a.slug = ${slug} order by k.name limit 1`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error(`There is no agency ${slug}.`)
  await sql`insert into request_days (agency_id, key_id, day, code, requests)
    select ${found.agency}, ${found.key}, date_trunc('day', clock_timestamp(), 'UTC') - n * interval '1 day', code,
      (share * (700 + 500 * sin(n * 1.7) + 20 * n))::int + 1
    from generate_series(0, 29) n, (values ('', 1.0), ('validation_failed', 0.04), ('not_found', 0.02),
      ('rate_limited', 0.01), ('external_id_exists', 0.005)) c (code, share)
    on conflict do nothing`.execute(db)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const body of ['{"title": "Casa"}', '{"operation": "swap"}', '{"title": 1}', '{}']) {
    const once = { ...headers, 'idempotency-key': uuidv7() }
    await (await fetch(`${baseUrl}/api/v1/properties`, { method: 'POST', headers: once, body })).text()
  }
  await (await fetch(`${baseUrl}/api/v1/properties?per_page=1`, { headers })).text()
  const items = [
    { external_id: 'A-1', title: 'Casa' },
    { external_id: 'A-2', price: { amount: -1 } },
    { type: 'X' },
  ]
  const batch = await fetch(`${baseUrl}/api/v1/properties/batch`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': uuidv7() },
    body: JSON.stringify({ items }),
  })
  await batch.text()
  await deps.requestLog.flush()
  const agency = `/inmobiliarias/${slug}`
  const prefix = values.language === 'en' ? '/en' : ''
  const open = ['', '/terms', agency, `${agency}?operation=rent`, `${agency}/${found.listing}`]
  const missing = ['/inmobiliarias/nadie', '/no-such-page']
  const docs = ['/docs', '/docs/guides/photos', '/docs/errors', '/docs/contract']
  return [
    ...tour({
      ...found,
      request: batch.headers.get('x-request-id') ?? '',
      agency: slug,
      channel: 'marketplace',
    }),
    { role: 'guest', path: '/dashboard/password' },
    { role: 'owner', path: `/dashboard/listings/${found.sold}`, name: 'dashboard_listings_sold' },
    { role: 'guest', path: `${prefix}${agency}/${found.sold}`, name: 'gone' },
    ...[...open, ...missing].map((path) => ({ role: 'guest' as const, path: prefix + path || '/' })),
    ...docs.map((path) => ({ role: 'guest' as const, path })),
  ]
}

async function takeAll(opened: Browser, width: number, scheme: string, people: Sign): Promise<void> {
  for (const role of ['guest', 'owner', 'operator'] as const) {
    const wanted = shots.filter((shot) => shot.role === role && nameOf(shot).includes(values.only))
    if (wanted.length === 0) continue
    const context = await opened.newContext({
      baseURL: t.baseUrl,
      locale,
      colorScheme: scheme === 'dark' ? 'dark' : 'light',
      reducedMotion: 'reduce',
      viewport: { width, height: width < 600 ? 844 : 900 },
    })
    if (role !== 'guest') await signIn(context, people[role])
    const page = await context.newPage()
    for (const shot of wanted) {
      await page.goto(shot.path, { waitUntil: 'load' })
      const path = join(directory ?? '', `${nameOf(shot)}-${width}-${scheme}.png`)
      // A full page of the reference or contract would be too long to look at.
      await page.screenshot({ path, fullPage: !/^\/docs(\/contract)?$/.test(shot.path) })
    }
    await context.close()
  }
}

async function signIn(context: BrowserContext, { email, password }: Sign['owner']): Promise<void> {
  const page = await context.newPage()
  await page.goto('/dashboard/sign-in')
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await Promise.all([page.waitForURL('**/dashboard'), page.locator('[name=password]').press('Enter')])
  await page.close()
}

/** `/dashboard/listings/7TP2X9QK` → `dashboard_listings_one`. Random ids are replaced, so that names stay the same between runs. */
function nameOf({ role, path, name: given }: Shot): string {
  if (given !== undefined) return given
  const plain = path.replaceAll(/[0-9a-f]{8}-[\da-f-]{27}|\b[0-9A-Z]{8}\b/g, 'one')
  const name = plain.replaceAll(/[^\w-]+/g, '_').replace(/^_|_$/g, '')
  const twice = path.endsWith('/dashboard') && role === 'operator' ? '-operator' : ''
  return `${name === '' ? 'start' : name}${twice}`
}
