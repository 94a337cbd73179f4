/** The list of work at home, the pages of each kind, and the warnings of a listing with their actions. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { GeocodingResult } from '../../../../../src/listings/geocoding/geocoder.ts'
import { sourceFingerprint } from '../../../../../src/listings/photos/names-and-urls.ts'
import { findPhotoWarnings } from '../../../../../src/listings/reading/warnings/attention.ts'
import { createTwin } from '../../../../../src/agencies/twins.ts'
import { inTransaction } from '../../../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../../../src/platform/names/ids.ts'
import { formats } from '../../../../../src/platform/web/language/format.ts'
import { photoUrls, publishable, type TestApp, testApp } from '../../../../support/app/app.ts'
import { accepted, historyOf, listingOf, rowOf } from '../../../../support/app/listings.ts'
import { signedIn, type Visitor } from '../../visitor.ts'
import { makeKeyTrouble, makeUnmailed, makeWork, fixed, type WorkData, workSource } from './work-data.ts'

let t: TestApp
let owner: Visitor
let member: Visitor
let operator: Visitor
let work: WorkData
/** The geocoder's result. */
let found: GeocodingResult = { status: 'none' }
before(async () => {
  t = await testApp({
    source: workSource,
    geocoder: async () => (found.status === 'found' ? found.pin : null),
  })
  owner = await signedIn(t, 'owner')
  member = await signedIn(t, 'member')
  operator = await signedIn(t, 'operator')
  work = await makeWork(t, t.writeKey, t.agency.id)
  await makeKeyTrouble(t, t.agency.id)
  await makeUnmailed(t, t.agency.id)
})
after(() => t.close())
beforeEach(() => {
  found = { status: 'none' }
  fixed.clear()
})

const at = (id: string, act: string) => `/dashboard/listings/${id}/warnings/${act}`
const openOf = async (id: string, agencyId = t.agency.id) => {
  const { id: uuid } = await rowOf(t, id, agencyId)
  const { failed, kept } = await findPhotoWarnings(t.deps.db, agencyId, uuid)
  return {
    failed: failed.filter((one) => !one.is_dismissed).map(({ url }) => url),
    kept: kept !== null && !kept.is_dismissed,
  }
}
const titlesOf = ({ text }: { text: string }) =>
  [...text.matchAll(/<li class="work-entry[^]*?<h3>([^<]*)<\/h3>/g)].map(([, title]) => title)

describe('home', () => {
  test('lists the work, most useful first, in both languages', async () => {
    assert.deepEqual(titlesOf(await owner.get('/dashboard')), [
      '2 propiedades con fotos que no se guardaron',
      '1 pin lejos de la Argentina',
      '1 dirección sin ubicar en el mapa',
      '2 borradores casi listos',
      'La clave «CRM» está fallando',
      'Un sistema sigue usando la clave «Clave vieja», que ya no sirve',
      'La clave «Sincronización nocturna» dejó de usarse',
      `La clave «Sitio» vence el ${await endOf('Sitio')}.`,
      'No pudimos enviarle correos a la inmobiliaria',
      '1 propiedad publicada sin cambios en 90 días',
    ])
    const english = await signedIn(t, 'member', t.agency.id, 'en')
    const page = await english.get('/dashboard')
    assert.equal(titlesOf(page).length, 10)
    assert.match(page.words, /2 listings with photos that were not saved/)
    // Members cannot change the agency's email.
    assert.doesNotMatch(page.words, /Correct the email/)
    assert.match((await owner.get('/dashboard')).words, /Corregir el correo/)
  })

  test('names what is missing, with a link to its field, and what went wrong', async () => {
    const page = await owner.get('/dashboard')
    assert.match(page.words, /Departamento listo Listo para publicar/)
    assert.match(page.words, /Oficina casi lista Falta: Precio[^,]*, Fotos \(0\/3\)/)
    assert.ok(page.text.includes(`/dashboard/listings/${work.nearly.id}/edit#f-price`), 'a link to the field')
    assert.match(page.words, /fotos\.crm\.example : El sitio respondió con el código 404/)
    assert.match(page.words, /Fallaron 220 de 280 solicitudes desde ayer.*rate_limited/)
    assert.match(page.words, /550 5\.1\.1 No such user here/)
  })

  test('is the same for an operator who views the agency, and its test environment has its own', async () => {
    const theirs = await operator.get(`/dashboard/operator/agencies/${t.agency.slug}/work`)
    assert.equal(titlesOf(theirs).length, 10)
    assert.match((await operator.get(`/dashboard/operator/agencies/${t.agency.slug}`)).words, /Para hacer/)
    const twin = await inTransaction(t.deps.db, (tx) => createTwin(tx, t.agency.id, uuidv7(), t.clock))
    const { key } = await t.newKey(twin.id, { scopes: ['properties:write'] })
    assert.match((await owner.get('/dashboard/test/work')).words, /Todo al día/)
    const body = { title: 'De prueba', photos: [...photoUrls(1), work.gone('twin')] }
    const { id } = accepted(await t.ask('POST', '/properties', { key, body }), 201)
    assert.deepEqual(titlesOf(await owner.get('/dashboard/test/work')), [
      '1 propiedad con fotos que no se guardaron',
    ])
    fixed.add(work.gone('twin'))
    const back = await owner.submit(`/dashboard/test/listings/${id}/warnings/retry`, { name: 'all' })
    assert.match(back.words, /La foto se guardó/)
    assert.equal((await rowOf(t, id, twin.id)).photos.length, 2)
  })

  test('praises an agency without work, and gives a new one its first steps', async () => {
    const { agency, writeKey } = await t.newAgency()
    const someone = await signedIn(t, 'owner', agency.id)
    assert.match((await someone.get('/dashboard')).words, /Para empezar Cargá la primera propiedad/)
    assert.match((await someone.get('/dashboard')).text, /href="\/dashboard\/listings\/new"/)
    accepted(await t.ask('POST', '/properties', { key: writeKey, body: { title: 'Casa' } }), 201)
    const page = await someone.get('/dashboard')
    assert.match(page.words, /Todo al día/)
    assert.match(page.words, /Borradores 1/)
    // Counted once per revision, and again after a write.
    accepted(await t.ask('POST', '/properties', { key: writeKey, body: { title: 'Otra' } }), 201)
    assert.match((await someone.get('/dashboard')).words, /Borradores 2/)
    const { words } = await someone.get('/dashboard/work/photos')
    assert.match(words, /No hay fotos con problemas/)
    assert.match((await someone.get('/dashboard/work/places')).words, /Todas las direcciones tienen su pin/)
    assert.equal((await someone.get('/dashboard/work/photos?page=9')).to, '/dashboard/work/photos')
  })
})

/** The expiry of the key with that name, as the page formats it. */
async function endOf(name: string): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select expires_at as at from api_keys where agency_id = ${t.agency.id} and name = ${name}`.execute(
    t.deps.db,
  )
  return formats.es.plainDate(rows[0]?.at ?? '')
}

describe('the page of a listing', () => {
  test('shows each failed photo with its address, reason, sender and request', async () => {
    const { words, text } = await owner.get(`/dashboard/listings/${work.photos.id}`)
    assert.match(words, /Necesita atención 2 fotos no se guardaron Reintentar todas Descartar todas/)
    assert.ok(words.includes(work.gone('a').replace('=', '&#61;')), words)
    assert.match(
      words,
      /El sitio respondió con el código 404 en lugar de la foto\..*Enviada por: clave «test»/,
    )
    assert.match(text, /\/dashboard\/requests\?request_id&#61;[0-9a-f-]{36}/)
    const { words: calm } = await owner.get(`/dashboard/listings/${work.ready.id}`)
    assert.doesNotMatch(calm, /Necesita atención/)
  })

  test('shows kept photos, a swapped pin, an address that was not found, and a pin on the street', async () => {
    const of = async (id: string) => (await owner.get(`/dashboard/listings/${id}`)).words
    assert.match(await of(work.kept.id), /Quedó una foto de más.*Quitar esa foto Dejar como está/)
    assert.match(
      await of(work.swapped.id),
      /lejos de la Argentina: -57\.9500, -34\.9200.*Mover a -34\.9200, -57\.9500/,
    )
    assert.match(await of(work.unplaced.id), /La dirección no está ubicada en el mapa Ruta 2 km 45/)
    const location = { city: 'Punta del Este', lat: -34.96, lng: -54.95 }
    const abroad = await t.ask('POST', '/properties', { body: { address: 'Gorlero 800', location } })
    assert.match(await of(accepted(abroad, 201).id), /El pin está fuera de la Argentina\. Si es correcto/)
    found = { status: 'found', pin: { lat: -34.9, lng: -57.9, status: 'approximate' } }
    const street = await t.ask('POST', '/properties', { body: { address: 'Calle 99 1234' } })
    assert.match(await of(accepted(street, 201).id), /El pin está en la calle, no en el número/)
  })

  test('escapes text from strangers', async () => {
    const url = `https://fotos.example/gone/<script>alert(1)</script>.jpg?"onerror=x'`
    const body = { title: '<img src=x>', photos: [...photoUrls(1), url] }
    const { id } = accepted(await t.ask('POST', '/properties', { body }), 201)
    for (const path of [`/dashboard/listings/${id}`, '/dashboard/work/photos', '/dashboard']) {
      const { text, status } = await owner.get(path)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /<script>alert|<img src=x>|"onerror=x/, path)
    }
    await t.ask('DELETE', `/properties/${id}`)
  })
})

describe('people fix', () => {
  test('a photo by retrying: it is stored, with the person in the history', async () => {
    const { id } = work.photos
    const name = sourceFingerprint(work.gone('a'))
    const failed = await member.submit(at(id, 'retry'), { name })
    assert.match(failed.words, /1 foto sigue sin guardarse/)
    fixed.add(work.gone('a'))
    const back = await member.submit(at(id, 'retry'), { name, next: '/dashboard/work/photos' })
    assert.match(back.words, /La foto se guardó\..*Fotos que no se guardaron/)
    assert.deepEqual((await openOf(id)).failed, [work.gone('b')])
    const [last] = (await historyOf(t, id)).toReversed()
    assert.deepEqual([last?.action, last?.actor.kind], ['photos_added', 'person'])
    // Pressed again on an outdated page.
    assert.match((await member.submit(at(id, 'retry'), { name })).words, /cambió/)
  })

  test('a photo, by dismissing it', async () => {
    const { id } = work.photos
    await owner.submit(at(id, 'dismiss'), { name: sourceFingerprint(work.gone('b')) })
    assert.deepEqual((await openOf(id)).failed, [])
    assert.doesNotMatch((await owner.get(`/dashboard/listings/${id}`)).words, /Necesita atención/)
  })

  test('kept photos, by removing or keeping them', async () => {
    const { id } = work.kept
    const { version, photos } = await rowOf(t, id)
    assert.match((await owner.submit(at(id, 'kept'), { version: String(version - 1) })).words, /cambió/)
    assert.match((await owner.submit(at(id, 'kept'), { version: 'x' })).words, /cambió/)
    await owner.submit(at(id, 'kept'), { version: String(version) })
    assert.deepEqual((await rowOf(t, id)).photos, photos.slice(0, 3))
    const { words } = await owner.get(`/dashboard/listings/${id}`)
    assert.doesNotMatch(words, /foto de más/)
    // A published listing does not go below three, and says so.
    const own = listingOf(await t.ask('GET', `/properties/${id}`)).photos
    await t.ask('PUT', `/properties/${id}/photos`, { body: { urls: [...own.slice(1), work.gone('d')] } })
    const now = await rowOf(t, id)
    const refused = await owner.submit(at(id, 'kept'), { version: String(now.version) })
    assert.equal((await rowOf(t, id)).photos.length, 3, refused.words)
    await owner.submit(at(id, 'dismiss'), { name: 'photos_kept' })
    assert.deepEqual(await openOf(id), { failed: [work.gone('d')], kept: false })
    await owner.submit(at(id, 'dismiss'), { name: 'failed' })
    assert.deepEqual(await openOf(id), { failed: [], kept: false })
  })

  test('a pin, by moving it to the intended place', async () => {
    const { id } = work.swapped
    const { version } = await rowOf(t, id)
    await member.submit(at(id, 'pin'), { version: String(version), next: '/dashboard' })
    const { lat, lng, location_status: status } = await rowOf(t, id)
    assert.deepEqual([lat, lng, status], [-34.92, -57.95, 'manual'])
    assert.doesNotMatch((await owner.get('/dashboard')).words, /pin lejos de la Argentina/)
    // Nothing is left to fix.
    const again = await member.submit(at(id, 'pin'), { version: String((await rowOf(t, id)).version) })
    assert.match(again.words, /cambió/)
  })

  test('an address, by geocoding it again', async () => {
    const { id } = work.unplaced
    assert.match((await owner.submit(at(id, 'place'))).words, /Seguimos sin encontrar la dirección/)
    found = { status: 'found', pin: { lat: -35.01, lng: -58.08, status: 'resolved' } }
    await sql`delete from geocoding_cache`.execute(t.deps.db)
    assert.match((await owner.submit(at(id, 'place'))).words, /La dirección ya está en el mapa/)
    const [last] = (await historyOf(t, id)).toReversed()
    assert.equal(last?.actor.kind, 'person')
    assert.match((await owner.submit(at(id, 'place'))).words, /La dirección ya está en el mapa/)
  })

  test('as operators too, with an entry in the audit log', async () => {
    const body = { title: 'Del operador', photos: [...photoUrls(1), work.gone('op')] }
    const { id } = accepted(await t.ask('POST', '/properties', { body }), 201)
    const path = `/dashboard/operator/agencies/${t.agency.slug}/listings/${id}/warnings/dismiss`
    await operator.submit(path, { name: 'failed' })
    const { rows } = await sql<{ subject: string }>`
      select subject from audit_log where action = 'listing_mended'`.execute(t.deps.db)
    assert.deepEqual(rows, [{ subject: id }])
  })

  test('nothing on a removed listing, and only in the dashboard', async () => {
    const body = publishable({ status: 'draft', photos: [...photoUrls(1), work.gone('x')] })
    const { id } = accepted(await t.ask('POST', '/properties', { body }), 201)
    const back = await owner.post(at(id, 'dismiss'), { name: 'none', next: 'https://evil.example/' })
    assert.equal(back.to, '/dashboard')
    await t.ask('DELETE', `/properties/${id}`)
    assert.doesNotMatch((await owner.get(`/dashboard/listings/${id}`)).words, /Necesita atención/)
    for (const act of ['retry', 'dismiss', 'place'])
      assert.equal((await owner.post(at(id, act), { name: 'failed' })).status, 404, act)
  })
})
