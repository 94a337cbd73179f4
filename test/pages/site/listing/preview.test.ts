/** The preview picture of a shared link: a JPEG of fixed size, created once, deleted along with its photo. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { previewKey, previewUrl } from '../../../../src/listings/photos/names-and-urls.ts'
import { reapPhotos } from '../../../../src/listings/photos/unreferenced.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, published, type Shown } from '../../../support/app/listings.ts'
import { meta, shown, visit } from '../visit.ts'

let t: TestApp
let listing: Shown
let photo = ''
let url = ''
before(async () => {
  t = await testApp()
  listing = await published(t, { title: 'Casa "con" jardín' })
  const page = await shown(t, String(listing['url']))
  url = meta(page, 'og:image') ?? ''
  photo = url.split('/').at(-2) ?? ''
})
after(() => t.close())

const stored = () => t.deps.photos.storage.openRead(previewKey(t.agency.id, photo))
async function get(from: string, headers: Record<string, string> = {}) {
  const response = await fetch(t.baseUrl + new URL(from).pathname, { headers })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

describe('the preview of a page', () => {
  test('names its type, size and description', async () => {
    for (const [path, alt] of [
      [String(listing['url']), 'Casa "con" jardín'],
      [`/inmobiliarias/${t.agency.slug}`, t.agency.name],
    ] as const) {
      const page = await shown(t, path)
      assert.match(meta(page, 'og:image') ?? '', /^https:\/\/listings\.test\/photos\/.*\/preview\.jpg$/)
      const told = ['type', 'width', 'height', 'alt'].map((name) => meta(page, `og:image:${name}`))
      assert.deepEqual(told, ['image/jpeg', '1200', '630', alt])
      assert.equal(meta(page, 'twitter:card'), 'summary_large_image')
    }
  })
})

test('the preview of a page of no particular agency is the service’s own picture', async () => {
  for (const path of ['/', '/en/', '/terms', '/en/terms']) {
    const page = await shown(t, path)
    const url = meta(page, 'og:image') ?? ''
    assert.match(url, /^https:\/\/listings\.test\/site\/preview\.[0-9a-f]{12}\.jpg$/)
    assert.equal(meta(page, 'og:image:alt'), 'Svc')
    const { status, headers, bytes } = await get(url)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/jpeg'])
    assert.equal(headers.get('content-encoding'), null)
    const { format, width, height } = await sharp(bytes).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 1200, 630])
  }
})

describe('the preview picture', () => {
  test('is created on the first request, however many arrive at once, and stored', async () => {
    assert.equal(await stored(), null)
    const responses = await Promise.all(Array.from({ length: 8 }, () => get(url)))
    for (const { status, headers, bytes } of responses) {
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/jpeg'])
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.deepEqual(bytes, responses[0]?.bytes)
    }
    const { format, width, height } = await sharp(responses[0]?.bytes).metadata()
    assert.deepEqual([format, width, height], ['jpeg', 1200, 630])
    const file = await stored()
    assert.equal(file?.size, responses[0]?.bytes.length)
    file?.stream.destroy()
    const again = await get(url, { 'if-none-match': responses[0]?.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
  })

  test('is not found under another listing, agency or photo', async () => {
    const foreign = await published(t, { title: 'Otra' })
    const at = (agency: string, id: string, name: string) =>
      get(previewUrl('https://listings.test', agency, id, name))
    assert.equal((await at(t.agency.id, foreign.id, photo)).status, 404)
    assert.equal((await at(t.other.agency.id, listing.id, photo)).status, 404)
    assert.equal((await at(t.agency.id, listing.id, photo.replace(/.$/, '_'))).status, 404)
    assert.equal((await visit(t, new URL(url).pathname.replace('preview.jpg', 'preview.webp'))).status, 404)
    assert.equal((await visit(t, new URL(url).pathname.replace('preview.jpg', 'large.jpg'))).status, 404)
  })

  test('is not a photo of the listing in the API', async () => {
    const response = await t.ask('PATCH', `/properties/${listing.id}`, { body: { photos: [url] } })
    assert.equal(response.status, 400)
  })

  test('disappears with its photo, from the site at once and from the disk a day later', async () => {
    const [, ...others] = listing.photos
    const more = await t.ask('POST', `/properties/${listing.id}/photos`, {
      body: { urls: ['https://photos.example/more-for-preview.jpg'] },
    })
    const added = accepted(more).photos.at(-1) ?? ''
    accepted(await t.ask('PATCH', `/properties/${listing.id}`, { body: { photos: [...others, added] } }))
    assert.equal((await get(url)).status, 404)
    assert.notEqual(await stored().then((file) => file?.stream.destroy() ?? file), null)
    t.clock.offsetMs += 25 * 3_600_000
    await reapPhotos(t.deps.photos, 100)
    assert.equal(await stored(), null)
  })
})
