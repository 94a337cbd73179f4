/** Stored photos over HTTP (api.md 13.3): every size has a permanent URL, and no other URL returns anything. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { photoUrls, type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, draft, refused, rowOf, type Shown } from '../../../support/app/listings.ts'
import { restoreRemoved } from '../../../../src/listings/writing/states/restore.ts'

let t: TestApp
let listing: Shown
let large = ''
before(async () => {
  t = await testApp({
    source: async () =>
      sharp({ create: { width: 2400, height: 1200, channels: 3, background: '#753' } })
        .jpeg()
        .toBuffer(),
  })
  listing = await draft(t, { photos: photoUrls(1) })
  large = listing.photos[0] ?? ''
})
after(() => t.close())

const get = (url: string, init: RequestInit = {}) =>
  fetch(url.replace('https://listings.test', t.baseUrl), init)
const sized = (size: string) => large.replace('/large.webp', `/${size}.webp`)

async function missing(url: string): Promise<void> {
  const response = await get(url)
  const text = await response.text()
  assert.equal(response.status, 404, `${url}: ${text.slice(0, 200)}`)
  refused({ status: 404, headers: response.headers, text, body: JSON.parse(text) }, 'not_found')
  // Nothing may have cached its absence.
  assert.doesNotMatch(response.headers.get('cache-control') ?? '', /immutable|max-age=[1-9]/)
  assert.equal(response.headers.get('etag'), null)
}

describe('a stored photo', () => {
  for (const [size, width, height] of [
    ['large', 1600, 800],
    ['medium', 800, 400],
    ['small', 320, 160],
  ] as const) {
    test(`is available as ${size}, unchanged forever`, async () => {
      const response = await get(sized(size))
      assert.equal(response.status, 200)
      const bytes = Buffer.from(await response.arrayBuffer())
      const { format, width: w, height: h, exif } = await sharp(bytes).metadata()
      assert.deepEqual([format, w, h, exif], ['webp', width, height, undefined])
      assert.equal(response.headers.get('content-type'), 'image/webp')
      assert.equal(response.headers.get('content-length'), String(bytes.length))
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.match(response.headers.get('etag') ?? '', /^"[^"]+"$/)
    })
  }

  test('has an ETag for each size, and is not sent again to clients that have it', async () => {
    const tags = await Promise.all(
      ['large', 'medium', 'small'].map(async (size) => (await get(sized(size))).headers.get('etag') ?? ''),
    )
    assert.equal(new Set(tags).size, 3)
    const [tag = '', other = ''] = tags
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const response = await get(large, { headers: { 'if-none-match': header } })
      assert.equal(response.status, 304, header)
      assert.equal(await response.text(), '')
      assert.equal(response.headers.get('etag'), tag)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    }
    for (const header of [other, '"x"'])
      assert.equal((await get(large, { headers: { 'if-none-match': header } })).status, 200)
  })

  test('responds to HEAD as to GET, without the picture', async () => {
    const [head, whole] = [await get(large, { method: 'HEAD' }), await get(large)]
    assert.deepEqual([head.status, await head.text()], [200, ''])
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name)
    }
  })
})

describe('a 404 is returned for a URL', () => {
  const segments = () => large.replace('https://listings.test/photos/', '').split('/')
  const with_ = (index: number, value: string) =>
    `https://listings.test/photos/${segments().with(index, value).join('/')}`

  for (const [what, url] of Object.entries<() => string>({
    'of another agency': () => with_(0, t.other.agency.id),
    'of an agency that does not exist': () => with_(0, randomUUID()),
    'of an invalid agency': () => with_(0, '..%2f'),
    'of a listing that does not exist': () => with_(1, 'ZZZZ9999'),
    'of an invalid listing': () => with_(1, 'x'),
    'of a photo that does not exist': () => with_(2, `${'a'.repeat(43)}.aaaaaaaa`),
    'of the same picture from another upload': () =>
      with_(2, `${segments()[2]?.slice(0, -1)}${segments()[2]?.endsWith('0') ? '1' : '0'}`),
    'of a name in another case': () => with_(2, segments()[2]?.toLowerCase() ?? ''),
    'of an invalid photo': () => with_(2, '..%2f..%2fsecret.key'),
    'in another size': () => sized('huge'),
    'in the size of an object': () => sized('constructor'),
    'in another format': () => large.replace('.webp', '.jpg'),
    'without a format': () => large.replace('.webp', ''),
    'with a format twice': () => `${large}.webp`,
    'below a photo': () => `${large}/x`,
    'of the photo itself': () => large.replace('/large.webp', ''),
    'of a neighbouring file': () => with_(3, '..%2flarge.webp'),
  })) {
    test(what, () => missing(url()))
  }

  test('of a photo under the code of another listing', async () => {
    const other = await draft(t, { photos: photoUrls(1) })
    await missing(with_(1, other.id))
  })

  test('of a photo that was removed from its listing', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(1) })
    assert.equal((await get(photos[0] ?? '')).status, 200)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { photos: [] } }))
    for (const size of ['large', 'medium', 'small']) await missing(photos[0]?.replace('large', size) ?? '')
  })

  test('of a removed listing, until it is restored', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(1) })
    const etag = (await get(photos[0] ?? '')).headers.get('etag') ?? ''
    assert.equal((await t.ask('DELETE', `/properties/${id}`)).status, 200)
    await missing(photos[0] ?? '')
    assert.equal((await get(photos[0] ?? '', { headers: { 'if-none-match': etag } })).status, 404)
    const actor = { kind: 'operator', id: null, name: 'test', requestId: null } as const
    await restoreRemoved(t.deps, t.agency.id, id, undefined, actor)
    assert.equal((await get(photos[0] ?? '')).status, 200)
  })

  test('of a lost file, without a response that caches would keep', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(1) })
    const [name = ''] = (await rowOf(t, id)).photos
    await t.deps.photos.storage.removePhoto(t.agency.id, name)
    await missing(photos[0] ?? '')
  })
})

describe('unreadable storage', () => {
  const folder = () => join(t.deps.config.dataDir, 'photos')
  const unavailable = async (url: string): Promise<void> => {
    const response = await get(url)
    const text = await response.text()
    assert.equal(response.status, 503, `${url}: ${text.slice(0, 200)}`)
    assert.equal(JSON.parse(text).error.code, 'service_unavailable')
    assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(response.headers.get('cache-control'), null)
    assert.equal(response.headers.get('etag'), null)
  }

  test('returns 503 for a file that cannot be read, until it can', async () => {
    const { id, photos } = await draft(t, { photos: photoUrls(1) })
    const [url = ''] = photos
    const [name = ''] = (await rowOf(t, id)).photos
    const file = join(folder(), t.agency.id, name, 'large.webp')
    await rename(file, `${file}.away`)
    // A directory can be opened, but not read.
    await mkdir(file)
    await unavailable(url)
    await unavailable(url.replace('large.webp', 'preview.jpg'))
    assert.equal((await get(url.replace('large.webp', 'small.webp'))).status, 200)
    await rm(file, { recursive: true })
    await rename(`${file}.away`, file)
    assert.equal((await get(url)).status, 200)
  })

  test('returns 503 while a volume is not mounted', async () => {
    const etag = (await get(large)).headers.get('etag') ?? ''
    await rename(folder(), `${folder()}-away`)
    for (const file of ['large.webp', 'small.webp', 'preview.jpg'])
      await unavailable(large.replace('large.webp', file))
    assert.equal((await get(large, { headers: { 'if-none-match': etag } })).status, 304)
    await rename(`${folder()}-away`, folder())
    assert.equal((await get(large)).status, 200)
  })
})
