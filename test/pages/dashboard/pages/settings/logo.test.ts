/** An agency's logo: it is decoded and stored like a photo, anything else is rejected, and an old logo is deleted with its files. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { getAgencyDetails } from '../../../../../src/agencies/details.ts'
import { reapPhotos } from '../../../../../src/listings/photos/unreferenced.ts'
import { dayMs } from '../../../../../src/platform/time/days.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { published } from '../../../../support/app/listings.ts'
import { newTestKey } from '../../../../support/app/test-key.ts'
import { signedIn, type Visitor } from '../../visitor.ts'

const look = '/dashboard/settings/look'
let t: TestApp
let owner: Visitor
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' }, limits: { photos_per_day: 20 } })
})
after(() => t.close())
/** Sessions do not last that long. */
const pass = async () => {
  t.clock.offsetMs += dayMs + 60_000
  owner = await signedIn(t, 'owner', t.agency.id, 'en')
}
beforeEach(pass)

const picture = async (colour: string) =>
  await sharp({ create: { width: 400, height: 100, channels: 4, background: colour } })
    .png()
    .toBuffer()
const file = (bytes: Buffer | string, name = 'logo.png', type = 'image/png') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
const upload = (who: Visitor, one: File, path = look) => who.upload(`${path}/logo`, [['logo', one]])
const logoOf = async (agencyId = t.agency.id) => (await getAgencyDetails(t.deps.db, agencyId)).logo ?? ''
const get = (path: string) => fetch(t.baseUrl + path, { redirect: 'manual' })
const urlOf = (logo: string, name = 'small.webp', agencyId = t.agency.id) =>
  `/logos/${agencyId}/${logo}/${name}`
const stored = () => readdirSync(join(t.deps.config.dataDir, 'photos', t.agency.id))
const page = async (path = `/inmobiliarias/${t.agency.slug}`) => await (await get(path)).text()

test('the logo is shown to visitors in its sizes, with a preview, only as re-encoded pictures', async () => {
  assert.doesNotMatch(await page(), /class="logo"|og:image/)
  assert.equal((await upload(owner, file(await picture('#ff000080')))).status, 303)
  const logo = await logoOf()
  const small = await get(urlOf(logo))
  assert.equal(small.status, 200)
  assert.equal(small.headers.get('content-type'), 'image/webp')
  assert.equal(small.headers.get('x-content-type-options'), 'nosniff')
  const { width, hasAlpha } = await sharp(Buffer.from(await small.arrayBuffer())).metadata()
  assert.deepEqual([width, hasAlpha], [320, true])
  const preview = await get(urlOf(logo, 'preview.jpg'))
  assert.equal(preview.headers.get('content-type'), 'image/jpeg')
  const shape = await sharp(Buffer.from(await preview.arrayBuffer())).metadata()
  assert.deepEqual([shape.width, shape.height], [1_200, 630])
  const html = await page()
  assert.match(html, /<img\s+class="logo"\s+src="\/logos\//)
  assert.ok(html.includes(`property="og:image" content="https://listings.test${urlOf(logo, 'preview.jpg')}"`))
  assert.ok(html.includes(`"logo":"https://listings.test${urlOf(logo, 'medium.webp')}"`))
  assert.match((await owner.get(look)).text, /class="logo-shown"/)
})

test('the logo is served only while it is the agency’s current one', async () => {
  const logo = await logoOf()
  for (const path of [
    urlOf(logo, 'small.webp', t.other.agency.id),
    urlOf(`${'A'.repeat(43)}.AAAAAAAA`),
    urlOf(logo, 'huge.webp'),
    urlOf(logo, 'original.png'),
    urlOf('..%2f..'),
    urlOf(logo, 'small.webp', 'nobody'),
  ])
    assert.equal((await get(path)).status, 404, path)
})

test('the logo is gone once replaced or removed, and its files a day later', async () => {
  const old = await logoOf()
  assert.equal((await upload(owner, file(await picture('#00ff00')))).status, 303)
  const logo = await logoOf()
  assert.notEqual(logo, old)
  assert.equal((await get(urlOf(old))).status, 404)
  assert.deepEqual(stored().sort(), [old, logo].sort())
  await pass()
  await reapPhotos(t.deps.photos, 100)
  assert.deepEqual(stored(), [logo])
  await owner.submit(`${look}/logo/remove`)
  assert.equal(await logoOf(), '')
  assert.equal((await get(urlOf(logo))).status, 404)
  await pass()
  await reapPhotos(t.deps.photos, 100)
  assert.deepEqual(stored(), [])
  assert.doesNotMatch(await page(), /class="logo"/)
})

test('the logo is refused with the reason if it is not a picture, and leaves nothing behind', async () => {
  const large = Buffer.alloc(10_485_761, 1)
  const cut = (
    await sharp({ create: { width: 900, height: 900, channels: 3, background: '#123' } })
      .jpeg()
      .toBuffer()
  ).subarray(0, 600)
  for (const [one, status] of [
    [file('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'logo.svg', 'image/svg+xml'), 422],
    [file('<svg onload=alert(1)>', '"><script>alert(1)</script>.png'), 422],
    [file('GIF89a<script>alert(1)</script>', 'logo.gif', 'image/gif'), 422],
    [file(''), 422],
    [file(cut, 'cut.jpg', 'image/jpeg'), 422],
    [file(large), 413],
  ] as const) {
    const refused = await upload(owner, one)
    assert.equal(refused.status, status, refused.words)
    assert.match(refused.text, /id="f-logo-error"/)
    assert.doesNotMatch(refused.text, /<script>alert/)
  }
  assert.equal(await logoOf(), '')
  assert.deepEqual(stored(), [])
})

test('the logo keeps one of two concurrent uploads, and no file of the other', async () => {
  const pictures = await Promise.all(['#111111', '#222222', '#333333'].map(picture))
  const responses = await Promise.all(pictures.map((one) => upload(owner, file(one))))
  assert.deepEqual(
    responses.map(({ status }) => status),
    [303, 303, 303],
  )
  await pass()
  await reapPhotos(t.deps.photos, 100)
  assert.deepEqual(stored(), [await logoOf()])
  assert.equal((await get(urlOf(await logoOf()))).status, 200)
})

test('the logo is shared with the test environment, from the agency’s own files', async () => {
  await newTestKey(t, t.agency)
  assert.ok((await page(`/inmobiliarias/${t.agency.slug}-test`)).includes(urlOf(await logoOf())))
})

test('the logo counts toward the daily photos', async () => {
  const one = file(await picture('#444444'))
  const statuses = []
  for (let count = 0; count < 21; count += 1) statuses.push((await upload(owner, one)).status)
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 303), 429])
})

test('the logo cannot be changed by members, but by operators on the agency’s page', async () => {
  const member = await signedIn(t, 'member')
  assert.equal((await upload(member, file(await picture('#555555')))).status, 404)
  const operator = await signedIn(t, 'operator', null, 'en')
  const path = `/dashboard/operator/agencies/${t.other.agency.slug}/settings/look`
  assert.equal((await upload(operator, file(await picture('#666666')), path)).status, 303)
  assert.notEqual(await logoOf(t.other.agency.id), '')
  const { rows } = await sql`select actor_kind, details from audit_log
    where action = 'agency_changed' and agency_id = ${t.other.agency.id}`.execute(t.deps.db)
  assert.deepEqual(rows, [{ actor_kind: 'operator', details: { logo: true } }])
})

test('the logo represents the agency’s page where its link is shared, but no search or listing', async () => {
  assert.equal((await upload(owner, file(await picture('#123456')))).status, 303)
  const { url } = await published(t)
  const own = `/inmobiliarias/${t.agency.slug}`
  const imageOf = async (path: string) =>
    /property="og:image"\s+content="[^"/]*\/\/[^"/]*\/(\w+)\//.exec(await page(path))?.[1]
  assert.equal(await imageOf(own), 'logos')
  assert.equal(await imageOf(`${own}?operation=sale`), 'photos')
  assert.equal(await imageOf(`${own}?q=nothing-like-it`), 'logos')
  assert.equal(await imageOf(new URL(String(url)).pathname), 'photos')
})
