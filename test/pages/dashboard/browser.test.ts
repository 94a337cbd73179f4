/** The dashboard in a real browser: typical walks on a phone and a desktop, in both languages, and the accessibility of every page. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Browser } from 'playwright-core'
import { deliverLink } from '../../../src/delivery/mails/link-mails.ts'
import { createAccount } from '../../../src/access/accounts/accounts.ts'
import { createTwin, findTwin } from '../../../src/agencies/twins.ts'
import { en, es, type Messages } from '../../../src/pages/dashboard/messages/catalogue.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import type { Mail } from '../../../src/delivery/mails/mailer.ts'
import { appInBrowser } from '../../support/browser/app-in-browser.ts'
import { publishable, type TestApp } from '../../support/app/app.ts'
import { noBrowser, type Walker, walker, widths } from '../../support/browser/browser.ts'
import { accepted, draft, published } from '../../support/app/listings.ts'
import { password } from '../../support/app/people.ts'
import { tour } from './tour.ts'
import { person } from './visitor.ts'
import { press, signIn } from './walk.ts'

/** Each width with one language, the longer words with the narrow one, since the markup is the same in both. */
const visits: readonly (readonly [locale: string, Messages, width: number])[] = [
  ['es-AR', es, widths.phone],
  ['en-US', en, widths.desk],
]
const mails: Mail[] = []

let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
before(async () => {
  if (noBrowser !== false) return
  // Plain http, so that the browser accepts the cookies.
  ;({ t, browser, close } = await appInBrowser({
    env: { GEOCODER: 'none', PUBLIC_BASE_URL: 'http://listings.test' },
    mailer: mails,
  }))
})
after(() => close?.())

/** A disclosure with that name. */
async function unfold(page: Walker, name: string): Promise<void> {
  await page.locator('summary', { hasText: name }).first().click()
}

const works = async (key: string) => (await t.ask('GET', '/properties', { key })).status

async function invitationToRevocation(page: Walker, texts: Messages, email: string): Promise<void> {
  const { db, clock } = t.deps
  const account = await createAccount(db, { email, agencyId: t.agency.id, role: 'owner', name: 'Ana' }, clock)
  const { outcome } = await deliverLink(t.deps, account, 'invitation')
  assert.equal(outcome, 'sent')
  const link = /http:\/\/listings\.test(\/dashboard\/welcome\/\S+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''

  await page.open(link)
  assert.equal(new URL(page.url()).pathname, '/dashboard/password')
  await page.getByLabel(texts.entrance.yourName).fill('Ana Ribera')
  await page.getByLabel(texts.common.password).fill('corta')
  await press(page, texts.entrance.save)
  assert.ok(await page.locator('.error', { hasText: texts.reasons.password_short }).isVisible())
  assert.equal(await page.getByLabel(texts.entrance.yourName).inputValue(), 'Ana Ribera')
  await page.getByLabel(texts.common.password).fill(password)
  await press(page, texts.entrance.save)

  const secret = ((await page.locator('#totp-secret').textContent()) ?? '').replaceAll(' ', '')
  // A phone would have to scan its own screen.
  const toApp = await page.getByRole('link', { name: texts.factor.openApp }).getAttribute('href')
  assert.equal(new URL(toApp ?? '').searchParams.get('secret'), secret)
  await page.getByLabel(texts.factor.code).fill(generateSync({ secret }))
  await page.getByLabel(texts.account.currentPassword).fill(password)
  await press(page, texts.account.turnOn)
  const codes = await page.locator('#recovery-codes li').allTextContents()
  assert.equal(codes.length, 10)
  await page.check()
  await page.getByRole('link', { name: texts.factor.codesKept }).click()
  await page.locator('summary', { hasText: texts.nav.accountMenu }).click()
  await press(page, texts.nav.signOut)

  await signIn(page, texts, email)
  await page.getByLabel(texts.entrance.code).fill('000000')
  await press(page, texts.entrance.goOn)
  assert.ok(await page.locator('.error', { hasText: texts.reasons.wrong_code }).isVisible())
  await page.check()
  await page.getByLabel(texts.entrance.code).fill(codes[0]?.trim() ?? '')
  await press(page, texts.entrance.goOn)
  assert.ok(await page.getByText(texts.overview.hello('Ana')).isVisible())

  await page.getByRole('link', { name: texts.nav.keys, exact: true }).click()
  await page.getByRole('link', { name: texts.keys.create }).first().click()
  await page.getByLabel(texts.keys.nameLabel).fill(`CRM ${email}`)
  await page.getByLabel('properties:write').check()
  assert.equal(await page.getByLabel(texts.keys.originsLabel).isVisible(), false)
  await page.getByLabel(texts.test.test).check()
  assert.equal(await page.getByLabel(texts.keys.originsLabel).isVisible(), true)
  await page.getByLabel(texts.test.live, { exact: true }).check()
  assert.equal(await page.getByLabel(texts.keys.originsLabel).isVisible(), false)
  await press(page, texts.keys.create)
  const first = ((await page.locator('#new-key').textContent()) ?? '').trim()
  assert.match(
    (await page.locator('#sample-curl').textContent()) ?? '',
    /-H "Authorization: Bearer svc_live_/,
  )
  await unfold(page, 'Python')
  assert.ok(await page.locator('#sample-python').isVisible())
  assert.equal(await page.locator('#sample-curl').isVisible(), false)
  await page.check()
  assert.ok(await page.getByText(texts.requests.waiting).isVisible())
  await t.ask('GET', '/properties/ABCD2345', { key: first })
  await t.deps.requestLog.flush()
  await page.getByText('404 not_found').waitFor()
  assert.equal(await works(first), 200)
  await t.deps.requestLog.flush()
  await page.getByText('GET /api/v1/properties → 200').waitFor()
  await page.check()

  await page.getByRole('link', { name: texts.keys.keptIt }).click()
  const url = page.url()
  await unfold(page, texts.keys.rotate)
  await press(page, texts.keys.rotateNow)
  const second = ((await page.locator('#new-key').textContent()) ?? '').trim()
  assert.deepEqual([await works(first), await works(second)], [200, 200])
  await page.open(new URL(url).pathname)
  await unfold(page, texts.keys.revoke)
  await page.check()
  await press(page, texts.keys.revokeNow)
  assert.ok(await page.getByText(texts.flash.keyRevoked(`CRM ${email}`)).isVisible())
  assert.deepEqual([await works(first), await works(second)], [401, 200])
}

async function createdToRestored(
  page: Walker,
  console: Walker,
  texts: Messages,
  people: { owner: string; operator: string },
): Promise<void> {
  const title = `Casa ${page.viewportSize()?.width} ${texts.nav.listings}`
  const { id } = accepted(
    await t.ask('POST', '/properties', { body: publishable({ title, status: 'draft' }) }),
    201,
  )
  await signIn(page, texts, people.owner)
  await page.getByRole('link', { name: texts.nav.listings, exact: true }).click()
  await page.getByLabel(texts.common.search, { exact: true }).fill(title)
  await press(page, texts.common.search)
  await page.getByRole('link', { name: title, exact: true }).click()
  await press(page, texts.listings.publish)
  assert.ok(await page.getByText(texts.flash.published, { exact: true }).first().isVisible())
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'published')

  await unfold(page, texts.listings.suspend)
  assert.equal(await page.getByLabel(texts.listings.recorded.close_price).isVisible(), false)
  await page.getByLabel(texts.listings.recorded.close_reason).selectOption('sold')
  await page.getByLabel(texts.listings.recorded.close_price).fill('99000')
  await page.check()
  await press(page, texts.listings.suspendNow)
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'disabled')

  await unfold(page, texts.listings.delete)
  await press(page, texts.listings.deleteNow)
  assert.equal((await t.ask('GET', `/properties/${id}`)).status, 404)
  assert.ok(await page.getByText(texts.listings.operatorRestores).isVisible())
  await page.check()

  await signIn(console, texts, people.operator)
  await console.getByRole('link', { name: texts.nav.agencies, exact: true }).click()
  await console.getByRole('link', { name: t.agency.name }).click()
  await console.getByRole('link', { name: texts.listings.tabs.removed }).click()
  await console.getByRole('link', { name: title, exact: true }).click()
  await press(console, texts.listings.restore)
  assert.ok(await console.getByText(texts.flash.restored).isVisible())
  await console.check()
  assert.equal(accepted(await t.ask('GET', `/properties/${id}`)).status, 'disabled')
}

describe('walks', { skip: noBrowser }, () => {
  for (const [locale, texts, width] of visits) {
    test(`invitation → password → second factor → key → rotated → revoked: ${locale}, ${width} px`, async () => {
      const page = await walker(browser, t.baseUrl, { locale, width })
      await invitationToRevocation(page, texts, `ana-${locale.toLowerCase()}-${width}@acme.example`)
      await page.context().close()
    })
    test(`created by the API → seen → published → suspended → removed → restored: ${locale}, ${width} px`, async () => {
      const people = {
        owner: (await person(t, 'owner')).email,
        operator: (await person(t, 'operator')).email,
      }
      const page = await walker(browser, t.baseUrl, { locale, width })
      const console = await walker(browser, t.baseUrl, { locale, width })
      await createdToRestored(page, console, texts, people)
      await page.context().close()
      await console.context().close()
    })
  }
})

const longest = (length: number) => 'W'.repeat(length)

/** Texts from agencies that fit on no line. */
const longestWords = (name: string) => ({
  title: longest(200),
  description: longest(2_000),
  external_id: `${name}-${longest(64 - name.length - 1)}`,
  address: `${longest(100)} 123`,
  location: { city: longest(80), province: longest(80), lat: -34.92, lng: -57.95 },
  amenities: [longest(80), 'Pileta'],
  video_url: `https://videos.example/${longest(500)}`,
  price: { amount: 999_999_999_999, currency: 'ARS' },
  expenses: { amount: 999_999_999_999, currency: 'ARS' },
  force_duplicate: true,
})

describe('a page is accessible, fits the window and logs no errors', { skip: noBrowser }, () => {
  for (const [locale, texts, width] of visits) {
    test(`${locale}, ${width} px`, async () => {
      const listing = await published(t, longestWords(texts.nav.listings + width))
      await draft(t)
      const event = await t.deps.db
        .selectFrom('notification_events')
        .select('id')
        .limit(1)
        .executeTakeFirstOrThrow()
      const items = [
        { external_id: longest(64), price: { amount: -1 }, [longest(80)]: 1 },
        { external_id: 'A', title: 'A' },
      ]
      const batch = await t.ask('POST', '/properties/batch', { body: { items } })
      const ids: Record<string, string> = {
        event: event.id,
        request: batch.headers.get('x-request-id') ?? '',
        channel: 'mail',
        listing: listing.id,
        key: (await t.newKey(t.agency.id, { name: longest(120) })).id,
        agency: t.agency.slug,
        person: (await person(t, 'member')).id,
      }
      if ((await findTwin(t.deps.db, t.agency.id)) === null)
        await inTransaction(t.deps.db, (tx) => createTwin(tx, t.agency.id, uuidv7(), t.clock))
      await t.deps.requestLog.flush()
      const email = `${longest(64)}@${longest(60)}.${longest(60)}.example`
      const agency = { email, name: longest(120) }
      await t.deps.db.updateTable('agencies').set(agency).where('id', '=', t.agency.id).execute()
      const stops = tour(ids)
      for (const role of ['guest', 'owner', 'operator'] as const) {
        const page = await walker(browser, t.baseUrl, { locale, width })
        if (role !== 'guest') {
          const { id, email: own } = await person(t, role)
          await t.deps.db
            .updateTable('accounts')
            .set({ name: longest(120) })
            .where('id', '=', id)
            .execute()
          await signIn(page, texts, own)
        }
        for (const { path } of stops.filter((stop) => stop.role === role)) {
          await page.open(path)
          await page.check()
        }
        if (role === 'owner') {
          // A rejected form opens at its errors, which link to the fields.
          await page.goto('/dashboard/listings?min_price=x')
          const wrong = page.locator('.notice-bad:focus')
          await wrong.waitFor()
          await wrong.getByRole('link').click()
          await page.locator('#f-min_price:focus').waitFor()
        }
        if (role === 'operator') {
          await page.goto('/dashboard/operator/notifications?view=not_sent')
          const box = await page.locator('.tabs [aria-current]').boundingBox()
          assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width, 'the tab one is on is in view')
        }
        await page.context().close()
      }
    })
  }
})

const tellLeaving = `new MutationObserver(() => {
  if (document.querySelector('[data-leaving] button[aria-busy=true]') !== null) tell()
}).observe(document.documentElement, { attributes: true, subtree: true })`

test('a sent form shows that it is in progress', { skip: noBrowser }, async () => {
  const page = await walker(browser, t.baseUrl, { locale: 'es-AR', width: widths.phone })
  await page.open('/dashboard/sign-in')
  // The page reports it itself, because a query made now would reach the next page.
  const seen = Promise.withResolvers<void>()
  await page.exposeFunction('tell', seen.resolve)
  await page.evaluate(tellLeaving)
  await page.route('**/dashboard/sign-in', async (route) => {
    await seen.promise
    await route.continue()
  })
  await page.getByLabel(es.common.email).fill('nobody@acme.example')
  await page.getByLabel(es.common.password).fill('not the password')
  await press(page, es.entrance.signIn)
  await page.locator('.error').waitFor()
  assert.equal(await page.locator('[aria-busy], [data-leaving]').count(), 0)
  await page.context().close()
})

test('the dashboard works without scripts', { skip: noBrowser }, async () => {
  const context = await browser.newContext({ baseURL: t.baseUrl, locale: 'es-AR', javaScriptEnabled: false })
  const page = await context.newPage()
  await signIn(page, es, (await person(t, 'owner')).email)
  await page.goto('/dashboard/keys/new')
  await page.getByLabel(es.keys.nameLabel).fill('Sitio')
  await page.getByLabel(es.keys.originsLabel).fill('https://www.acme.example')
  await page.getByRole('button', { name: es.keys.create }).click()
  const key = ((await page.locator('#new-key').textContent()) ?? '').trim()
  assert.equal(await works(key), 200)
  await context.close()
})
