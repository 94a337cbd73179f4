/** Ordering, removing, and adding photos by URL: the rules of the API, the displayed version, and warnings in advance. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTwin } from '../../../../../../src/agencies/twins.ts'
import { inTransaction } from '../../../../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../../../../src/platform/names/ids.ts'
import { photoUrls, picture, testApp, type TestApp } from '../../../../../support/app/app.ts'
import {
  accepted,
  draft,
  historyOf,
  published,
  rowOf,
  tracesOf,
} from '../../../../../support/app/listings.ts'
import { type VisitedPage, signedIn, type Visitor } from '../../../visitor.ts'

const json = { accept: 'application/json' }

let t: TestApp
let who: Visitor
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  who = await signedIn(t, 'member')
})
after(() => t.close())

const pathOf = (id: string) => `/dashboard/listings/${id}/photos`
const photosOf = async (id: string) => (await rowOf(t, id)).photos
const versionOf = async (id: string) => String((await rowOf(t, id)).version)
const told = (response: VisitedPage) =>
  JSON.parse(response.text) as { message?: string; grid?: string; error?: { code: string; message: string } }

describe('the order of photos', () => {
  test('changes one photo at a time by buttons', async () => {
    const { id } = await draft(t, { photos: photoUrls(4) })
    const [a = '', b = '', c = '', d = ''] = await photosOf(id)
    for (const [photo, move, after] of [
      [c, 'first', [c, a, b, d]],
      [c, 'later', [a, c, b, d]],
      [d, 'earlier', [a, c, d, b]],
      // At either end, nothing changes.
      [a, 'earlier', [a, c, d, b]],
      [b, 'later', [a, c, d, b]],
    ] as const) {
      const page = await who.submit(`${pathOf(id)}/order`, { version: await versionOf(id), photo, move })
      assert.match(page.words, /Orden guardado\./)
      assert.deepEqual(await photosOf(id), after, `${move}`)
    }
    assert.equal((await historyOf(t, id)).at(-1)?.actor.kind, 'person')
  })
  test('changes as a whole by a script, which gets the resulting photos', async () => {
    const { id } = await draft(t, { photos: photoUrls(3) })
    const [a = '', b = '', c = ''] = await photosOf(id)
    const response = await who.post(
      `${pathOf(id)}/order`,
      { version: await versionOf(id), photo: c, order: [c, b, a] },
      json,
    )
    assert.equal(response.status, 200)
    assert.equal(told(response).message, 'La foto quedó en el lugar 1 de 3.')
    assert.deepEqual(
      [...(told(response).grid ?? '').matchAll(/data-photo="([^"]+)"/g)].map(([, name]) => name),
      [c, b, a],
    )
    assert.match(told(response).grid ?? '', new RegExp(`data-version="${await versionOf(id)}"`))
  })
  test('is refused for an outdated version, and the conflict is shown', async () => {
    const { id } = await draft(t, { photos: photoUrls(3) })
    const version = await versionOf(id)
    const [a = '', b = '', c = ''] = await photosOf(id)
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otro' } }))
    const before = await tracesOf(t)
    const page = await who.submit(`${pathOf(id)}/order`, { version, photo: c, move: 'first' })
    assert.match(page.words, /cambió mientras la mirabas/)
    const response = await who.post(`${pathOf(id)}/order`, { version, order: [c, b, a] }, json)
    assert.deepEqual([response.status, told(response).error?.code], [412, 'precondition_failed'])
    assert.match(told(response).grid ?? '', /data-photo/)
    assert.deepEqual(await tracesOf(t), before)
  })
  test('refuses duplicates, and photos of another listing', async () => {
    const { id } = await draft(t, { photos: photoUrls(3) })
    const other = await draft(t, { photos: photoUrls(1) })
    const [a = '', b = '', c = ''] = await photosOf(id)
    const [foreign = ''] = await photosOf(other.id)
    const before = await tracesOf(t)
    const version = await versionOf(id)
    const tries: Record<string, string | string[]>[] = [
      { order: [a, b] },
      { order: [a, a, b] },
      { order: [a, b, c, c] },
      { order: [a, b, foreign] },
      { photo: foreign, move: 'first' },
      { photo: a, move: 'away' },
      { photo: a, move: 'toString' },
      {},
    ]
    for (const fields of tries) {
      const response = await who.post(`${pathOf(id)}/order`, { version, ...fields }, json)
      assert.ok([400, 412].includes(response.status), `${JSON.stringify(fields)} ${response.status}`)
    }
    for (const odd of [null, '', 'x', '-1', '1e3'])
      assert.equal(
        (await who.post(`${pathOf(id)}/order`, { version: odd, order: [c, b, a] }, json)).status,
        412,
      )
    assert.deepEqual(await tracesOf(t), before)
  })
})

describe('a photo is removed', () => {
  test('if the listing can spare it', async () => {
    const { id } = await draft(t, { photos: photoUrls(2) })
    const [a = '', b = ''] = await photosOf(id)
    const page = await who.submit(`${pathOf(id)}/remove`, { version: await versionOf(id), photo: a })
    assert.match(page.words, /Foto quitada\./)
    assert.deepEqual(await photosOf(id), [b])
    const again = await who.post(`${pathOf(id)}/remove`, { version: await versionOf(id), photo: a }, json)
    assert.equal(again.status, 412)
  })
  test('unless a published listing would have fewer than three, which is shown in advance', async () => {
    const { id } = await published(t, { photos: photoUrls(4) })
    const [a = '', b = ''] = await photosOf(id)
    assert.match((await who.get(pathOf(id))).text, /photos\/remove"/)
    const page = await who.submit(`${pathOf(id)}/remove`, { version: await versionOf(id), photo: a })
    assert.match(page.words, /Una propiedad publicada necesita al menos 3 fotos/)
    assert.doesNotMatch(page.text, /photos\/remove"/)
    const refused = await who.post(`${pathOf(id)}/remove`, { version: await versionOf(id), photo: b }, json)
    assert.deepEqual([refused.status, told(refused).error?.code], [422, 'insufficient_photos'])
    assert.match(told(refused).error?.message ?? '', /al menos 3 fotos/)
    assert.equal((await photosOf(id)).length, 3)
  })
})

describe('photos by URL', () => {
  const add = (id: string, urls: string) => who.post(`${pathOf(id)}/urls`, { urls })

  test('are added in order', async () => {
    const { id } = await draft(t, { photos: [] })
    const page = await who.submit(`${pathOf(id)}/urls`, { urls: `${photoUrls(2).join('\r\n')}\r\n\r\n` })
    assert.match(page.words, /2 fotos guardadas\./)
    assert.equal((await photosOf(id)).length, 2)
  })
  test('each have a verdict, and the failed ones can be retried', async () => {
    const [url = ''] = photoUrls(1)
    const { id } = await draft(t, { photos: [url] })
    const [fresh = ''] = photoUrls(1)
    const missing = 'https://photos.example/missing-<b>.jpg'
    const page = await add(id, [url, fresh, missing].join('\n'))
    assert.equal(page.status, 200)
    assert.match(page.words, /La propiedad ya tiene esta foto/)
    assert.match(page.words, /Guardada/)
    assert.match(page.words, /No se pudo guardar/)
    assert.doesNotMatch(page.text, /<b>/)
    const typed = /<textarea[^>]*name="urls"[^>]*>\s*([^<]*)</.exec(page.text)?.[1] ?? ''
    assert.match(typed, /^https:\/\/photos\.example\/missing-/)
    const none = await add(id, missing)
    assert.equal(none.status, 200)
    assert.equal((await photosOf(id)).length, 2)
  })
  test('are refused by checks of the URLs themselves, with their lines', async () => {
    const { id } = await draft(t, { photos: [] })
    const [url = ''] = photoUrls(1)
    const page = await add(id, `${url}\n\nhttp://10.0.0.1/a.jpg\nhttps://localhost/b.jpg`)
    assert.equal(page.status, 400)
    assert.match(page.words, /Revisá estas líneas: 3, 4\./)
    assert.equal((await add(id, ' \n ')).status, 400)
    assert.equal((await add(id, photoUrls(51).join('\n'))).status, 422)
    assert.deepEqual(await photosOf(id), [])
  })
})

test('operators’ photo actions are in the audit log too', async () => {
  const operator = await signedIn(t, 'operator')
  const { id } = await draft(t, { photos: photoUrls(2) })
  const path = `/dashboard/operator/agencies/${t.agency.slug}/listings/${id}/photos`
  const file = new File([new Uint8Array(await picture('operator'))], 'a.jpg')
  assert.equal((await operator.upload(path, [['photo', file]])).to, path)
  const [, , last = ''] = await photosOf(id)
  await operator.submit(`${path}/order`, { version: await versionOf(id), photo: last, move: 'first' })
  await operator.submit(`${path}/remove`, { version: await versionOf(id), photo: last })
  await operator.submit(`${path}/urls`, { urls: photoUrls(1).join('\n') })
  const rows = await t.deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject'])
    .where('subject', '=', id)
    .execute()
  assert.deepEqual(
    rows,
    Array.from({ length: 4 }, () => ({ action: 'listing_photos_changed', subject: id })),
  )
})

test('the test environment has its own photos', async () => {
  const owner = await signedIn(t, 'owner')
  const twin = await inTransaction(t.deps.db, (tx) => createTwin(tx, t.agency.id, uuidv7(), t.clock))
  const { key } = await t.newKey(twin.id, { scopes: ['properties:write'] })
  const { id } = accepted(await t.ask('POST', '/properties', { key, body: { title: 'Prueba' } }), 201)
  const file = new File([new Uint8Array(await picture('twin'))], 'a.jpg')
  const path = `/dashboard/test/listings/${id}/photos`
  assert.equal((await owner.upload(path, [['photo', file]])).to, path)
  assert.equal((await rowOf(t, id, twin.id)).photos.length, 1)
})

test('a form of photos without a file shows an error', async () => {
  const { id } = await draft(t, { photos: [] })
  for (const send of [() => who.upload(pathOf(id), []), () => who.post(pathOf(id))]) {
    assert.equal((await send()).to, pathOf(id))
    assert.match((await who.get(pathOf(id))).words, /Elegí una foto\./)
  }
})

test('the photos of a deactivated agency are read-only', async () => {
  const { agency, writeKey } = await t.newAgency()
  const owner = await signedIn(t, 'owner', agency.id)
  const body = { title: 'Casa', photos: photoUrls(2) }
  const { id } = accepted(await t.ask('POST', '/properties', { key: writeKey, body }), 201)
  await t.deps.db.updateTable('agencies').set({ active: false }).where('id', '=', agency.id).execute()
  const page = await owner.get(pathOf(id))
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /photos\/order|type="file"/)
})
