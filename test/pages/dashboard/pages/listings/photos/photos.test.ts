/** A listing's photos from files and by URL: only re-encoded pictures are stored, within the limits of the API. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { setAgencyActive } from '../../../../../../src/agencies/agencies.ts'
import { es } from '../../../../../../src/pages/dashboard/messages/catalogue.ts'
import { sizeLimits } from '../../../../../../src/limits/sizes.ts'
import { testApp, type TestApp } from '../../../../../support/app/app.ts'
import {
  accepted,
  draft,
  filesOf,
  historyOf,
  tracesOf,
  unreferencedOf,
  usageOf,
} from '../../../../../support/app/listings.ts'
import { signedIn, type Visitor } from '../../../visitor.ts'

const json = { accept: 'application/json' }

let t: TestApp
let who: Visitor
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  who = await signedIn(t, 'member')
})
after(() => t.close())

let drawn = 0
/** A JPEG unlike any before. */
async function jpeg(width = 60, height = 40): Promise<Buffer> {
  drawn += 1
  const background = { r: (drawn * 37) % 256, g: (drawn * 91) % 256, b: (drawn * 53) % 256 }
  return await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
}
const fileOf = (bytes: Uint8Array | string, name = 'foto.jpg', type = 'image/jpeg') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

type Told = { status?: string; message?: string; grid?: string; error?: { code: string; message: string } }
async function send(id: string, file: File, by = who): Promise<Told & { http: number }> {
  const response = await by.upload(`/dashboard/listings/${id}/photos`, [['photo', file]], json)
  return { ...(JSON.parse(response.text) as Told), http: response.status }
}
const newDraft = async () => (await draft(t, { photos: [] })).id
const photosOf = async (id: string): Promise<string[]> =>
  accepted(await t.ask('GET', `/properties/${id}`)).photos
const nameIn = (url: string) => url.split('/').at(-2) ?? ''
const used = async (): Promise<number> => (await usageOf(t)).photos_per_day.used

describe('a picture from a file', () => {
  test('is added to the listing, with the person in the history, and charged once', async () => {
    const id = await newDraft()
    const charged = await used()
    const page = await who.upload(`/dashboard/listings/${id}/photos`, [['photo', fileOf(await jpeg())]])
    assert.deepEqual([page.status, page.to], [303, `/dashboard/listings/${id}/photos`])
    assert.match((await who.get(page.to ?? '')).words, /Foto guardada\./)
    const [url = ''] = await photosOf(id)
    const last = (await historyOf(t, id)).at(-1)
    assert.deepEqual([last?.action, last?.actor.kind], ['photos_added', 'person'])
    assert.equal(await used(), charged + 1)
    const stored = await fetch(`${t.baseUrl}${new URL(url).pathname}`)
    assert.deepEqual(
      ['content-type', 'x-content-type-options'].map((name) => stored.headers.get(name)),
      ['image/webp', 'nosniff'],
    )
  })
  test('is recognized by its bytes, whatever its name and declared type', async () => {
    const id = await newDraft()
    const png = await sharp(await jpeg())
      .png()
      .toBuffer()
    for (const [bytes, name, type] of [
      [await jpeg(), 'page.html', 'text/html'],
      [png, 'x.jpg', 'image/jpeg'],
      [
        await sharp(await jpeg())
          .webp()
          .toBuffer(),
        'a',
        'application/x-php',
      ],
    ] as const)
      assert.partialDeepStrictEqual(await send(id, fileOf(bytes, name, type)), { status: 'stored' }, name)
    assert.equal((await photosOf(id)).length, 3)
  })
  test("is rotated upright, without the camera's metadata", async () => {
    const id = await newDraft()
    const exif = { IFD0: { Copyright: 'secret owner' }, IFD3: { GPSLatitude: '34/1 55/1 0/1' } }
    const bytes = await sharp(await jpeg(90, 30))
      .withMetadata({ orientation: 6 })
      .withExifMerge(exif)
      .jpeg()
      .toBuffer()
    assert.equal((await send(id, fileOf(bytes))).status, 'stored')
    const [url = ''] = await photosOf(id)
    const stored = Buffer.from(await (await fetch(`${t.baseUrl}${new URL(url).pathname}`)).arrayBuffer())
    const { width, height, exif: left, orientation } = await sharp(stored).metadata()
    assert.deepEqual([width, height, left, orientation], [30, 90, undefined, undefined])
  })
  test('loses data hidden behind its pixels', async () => {
    const id = await newDraft()
    const polyglot = Buffer.concat([
      await jpeg(),
      Buffer.from('<script>alert(document.domain)</script><?php'),
    ])
    assert.equal((await send(id, fileOf(polyglot, 'a.php.jpg'))).status, 'stored')
    const [url = ''] = await photosOf(id)
    const stored = await (await fetch(`${t.baseUrl}${new URL(url).pathname}`)).text()
    assert.doesNotMatch(stored, /script|php/)
  })
  test('is not added twice, even when sent twice at once', async () => {
    const id = await newDraft()
    const bytes = await jpeg()
    const both = await Promise.all([send(id, fileOf(bytes)), send(id, fileOf(bytes, 'again.jpg'))])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ['duplicate', 'stored'])
    assert.equal((await send(id, fileOf(bytes))).status, 'duplicate')
    const [url = '', ...more] = await photosOf(id)
    assert.deepEqual(more, [])
    const files = await filesOf(t)
    assert.equal(files.filter((name) => name.startsWith(nameIn(url).slice(0, 43))).length, 1)
  })
})

describe('a file that is not a picture is not stored', () => {
  const bombHead = Buffer.from('89504e470d0a1a0a0000000d49484452000186a0000186a0080600000000000000', 'hex')
  for (const [what, bytes] of [
    ['SVG', async () => '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['HTML', async () => '<!doctype html><script>alert(1)</script>'],
    ['GIF', async () => Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['HEIC', async () => Buffer.from('00000018667479706865696300000000', 'hex')],
    ['a truncated JPEG', async () => (await jpeg(600, 600)).subarray(0, 700)],
    ['a JPEG by name only', async () => Buffer.from('ffd8ffe000104a46494600', 'hex')],
    ['a PNG that claims ten billion pixels', async () => bombHead],
    ['nothing', async () => ''],
  ] as const) {
    test(what, async () => {
      const id = await newDraft()
      const before = await tracesOf(t)
      const told = await send(id, fileOf(await bytes(), 'foto.jpg'))
      assert.deepEqual([told.http, told.status], [200, 'failed'], JSON.stringify(told))
      assert.match(told.message ?? '', /^No se pudo guardar\. \S/)
      assert.deepEqual(await tracesOf(t), before)
    })
  }
  test('and its name is shown as text', async () => {
    const id = await newDraft()
    const name = '"><img src=x onerror=alert(1)>.jpg'
    const page = await who.upload(`/dashboard/listings/${id}/photos`, [['photo', fileOf('x', name)]])
    const { text } = await who.get(page.to ?? '')
    assert.match(text, /No se pudo guardar «/)
    assert.doesNotMatch(text, /<img src&#61;x|<img src=x/)
  })
})

describe('limits of uploaded photos', () => {
  test('a file may have 10 MiB, and not a byte more', async () => {
    const id = await newDraft()
    const bytes = Buffer.alloc(sizeLimits.photo_bytes + 1)
    ;(await jpeg()).copy(bytes)
    const charged = await used()
    const over = await send(id, fileOf(bytes))
    assert.deepEqual([over.http, over.error?.code], [413, 'payload_too_large'])
    assert.equal(await used(), charged)
    assert.equal((await send(id, fileOf(bytes.subarray(0, -1)))).http, 200)
  })
  test('a listing holds 50; the 51st is refused unread, and costs nothing', async () => {
    const id = await newDraft()
    accepted(await t.ask('POST', `/properties/${id}/photos`, { body: { urls: manyUrls(50) } }))
    const charged = await used()
    const told = await send(id, fileOf(await jpeg()))
    assert.deepEqual([told.http, told.error?.message], [422, es.refusals.photos])
    assert.equal(await used(), charged)
    assert.match((await who.get(`/dashboard/listings/${id}/photos`)).words, /Ya tiene 50 fotos, el máximo/)
  })
  test('the daily limit is that of the API', async () => {
    const small = await testApp({ env: { GEOCODER: 'none' }, limits: { photos_per_day: 2 } })
    try {
      const by = await signedIn(small, 'owner')
      const { id } = await draft(small, { photos: [] })
      const path = `/dashboard/listings/${id}/photos`
      const one = async () => await by.upload(path, [['photo', fileOf(await jpeg())]], json)
      for (let times = 0; times < 2; times += 1) assert.equal(JSON.parse((await one()).text).status, 'stored')
      const refused = await one()
      assert.equal(refused.status, 429)
      assert.ok(Number(refused.headers.get('retry-after')) > 0)
      assert.match(JSON.parse(refused.text).error.message, /^Se alcanzó un límite\./)
      assert.equal((await filesOf(small)).length, 2)
      assert.deepEqual(await unreferencedOf(small), [])
    } finally {
      await small.close()
    }
  })
  test('a deactivated agency cannot add any', async () => {
    const { agency, writeKey } = await t.newAgency()
    const by = await signedIn(t, 'owner', agency.id)
    const { id } = accepted(
      await t.ask('POST', '/properties', { key: writeKey, body: { title: 'Casa' } }),
      201,
    )
    await setAgencyActive(t.deps.db, agency.slug, false, t.clock)
    const told = await send(id, fileOf(await jpeg()), by)
    assert.deepEqual([told.http, told.error?.code], [403, 'agency_not_active'])
    assert.deepEqual(await filesOf(t, agency.id), [])
  })
})

test('an aborted upload leaves nothing: no files, no rows, no charge', async () => {
  const id = await newDraft()
  const state = { traces: await tracesOf(t), used: await used() }
  const page = await who.get(`/dashboard/listings/${id}/photos`)
  const token = /name="_csrf"\s+value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const field = `--B\r\nContent-Disposition: form-data; name="_csrf"\r\n\r\n${token}\r\n`
  const file = '--B\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
  const body = Buffer.concat([Buffer.from(field + file), (await jpeg()).subarray(0, 300)])
  const head = [
    `POST /dashboard/listings/${id}/photos HTTP/1.1`,
    'Host: listings.test',
    `Cookie: ${[...who.cookies].map((pair) => pair.join('=')).join('; ')}`,
    'Content-Type: multipart/form-data; boundary=B',
    'Content-Length: 100000',
  ]
  const closed = new Promise((resolve) =>
    t.app.server.once('connection', (socket) => socket.once('close', resolve)),
  )
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(t.baseUrl).port) })
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]), () => socket.destroy())
  await closed
  // The next one succeeds afterwards.
  assert.equal((await send(id, fileOf('x'))).status, 'failed')
  assert.deepEqual({ traces: await tracesOf(t), used: (await used()) - 1 }, state)
})

const manyUrls = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://photos.example/many-${drawn}-${index}.jpg`)
