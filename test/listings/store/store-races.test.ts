/** Random concurrent writes to a few listings, and the invariants that must hold afterwards. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { reapPhotos } from '../../../src/listings/photos/unreferenced.ts'
import type { Listing } from '../../../src/listings/listing.ts'
import { listingColumns } from '../../../src/listings/listing.ts'
import { missingToPublish } from '../../../src/listings/fields/publishable.ts'
import { type ApiResponse, publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { filesOf, listingOf, revisionOf, type Shown, unreferencedOf } from '../../support/app/listings.ts'
import { randomFrom } from '../../support/random.ts'
import { assertHistoryTells } from '../history/history-replay.ts'

const clients = 8
const rounds = Number(process.env['RACE_ROUNDS'] ?? 30)
const seed = Number(process.env['RACE_SEED'] ?? Math.floor(Math.random() * 2 ** 32))

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const externals = Array.from({ length: 6 }, (_, index) => `RACE-${index}`)
const pictures = Array.from({ length: 6 }, (_, index) => `https://photos.example/race-${index}.jpg`)
const addresses = Array.from({ length: 12 }, (_, index) => `Calle Carrera ${100 + index}`)

/** One client. It remembers the listing as it last saw it. */
async function client(number: number, responses: ApiResponse[]): Promise<void> {
  const { fraction, pick } = randomFrom(seed + number)
  const some = <T>(from: readonly T[]): T[] => from.filter(() => fraction() < 0.6)
  const known: Shown[] = []
  const payload = () =>
    publishable({
      title: `Casa ${number}.${responses.length}`,
      address: pick(addresses),
      photos: some(pictures),
      status: pick(['published', 'published', 'draft']),
      external_id: undefined,
      force_duplicate: fraction() < 0.3,
    })
  const edits = (listing: Shown | undefined) =>
    pick<Record<string, unknown>>([
      { title: `Otra ${number}.${responses.length}` },
      { title: null },
      { price: { amount: Math.ceil(fraction() * 9), currency: 'USD' } },
      { price: null },
      { operation: pick(['sale', 'rent']), price: { amount: 1, currency: 'ARS' } },
      { operation: 'temporary', price: {} },
      { address: pick(addresses) },
      { photos: some(listing?.photos ?? []).toReversed() },
      { external_id: pick([...externals, null]) },
      { features: { rooms: Math.ceil(fraction() * 9) }, type: pick(['Casa', 'Lote']) },
    ])

  for (let round = 0; round < rounds; round += 1) {
    const listing = known.length === 0 ? undefined : pick(known)
    const at = `/properties/${listing?.id ?? 'ZZZZ9999'}`
    const headers: Record<string, string> = {}
    if (fraction() < 0.1 && listing !== undefined)
      headers['if-match'] = (await t.ask('GET', at)).headers.get('etag') ?? ''
    const response = await pick<() => Promise<ApiResponse>>([
      () => t.ask('POST', '/properties', { body: { ...payload(), external_id: pick(externals) } }),
      () => t.ask('PUT', `/properties/external/${pick(externals)}`, { headers, body: payload() }),
      () => t.ask('PUT', `/properties/external/${pick(externals)}`, { headers, body: payload() }),
      () => t.ask('PATCH', at, { headers, body: edits(listing) }),
      () => t.ask('PATCH', at, { headers, body: edits(listing) }),
      () => t.ask('PATCH', at, { headers, body: edits(listing) }),
      () => t.ask('POST', `${at}/photos`, { headers, body: { urls: [pick(pictures), pick(pictures)] } }),
      () =>
        t.ask('PUT', `${at}/photos`, {
          headers,
          body: {
            urls: [...new Set([...some(listing?.photos ?? []), pick(pictures), ...some(pictures)])],
            refresh: fraction() < 0.3,
          },
        }),
      () =>
        t.ask('POST', `${at}/disable`, {
          headers,
          body: pick([{}, { reason: 'sold', close_price: { amount: 5, currency: 'USD' } }]),
        }),
      () => t.ask('POST', `${at}/enable`, { headers }),
      () =>
        fraction() < 0.4
          ? t.ask('DELETE', at, { headers })
          : t.ask('PATCH', at, { headers, body: edits(listing) }),
    ])()
    responses.push(response)
    const shown = response.status < 300 && 'photos' in response.body.data ? listingOf(response) : null
    if (shown !== null) known.unshift(shown)
    // Sometimes adopts listings created by others, and drops removed ones.
    if (round % 4 === 0) {
      const list = await t.ask('GET', '/properties?status=all&per_page=50')
      known.splice(0, known.length, ...(list.body['data'] as unknown as Shown[]))
    }
  }
}

test(`a listing written by ${clients} clients, ${rounds} times each, keeps its invariants (RACE_SEED=${seed})`, async (context) => {
  const responses: ApiResponse[] = []
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number, responses)))
  const counts = Object.groupBy(responses, ({ status, body }) => `${status} ${body.error?.['code'] ?? ''}`)
  context.diagnostic(
    Object.entries(counts)
      .map(([what, list]) => `${what}: ${list?.length}`)
      .join(', '),
  )
  for (const { status, text } of responses)
    assert.ok([200, 201, 400, 404, 409, 412, 422].includes(status), text)
  assert.ok(responses.filter(({ status }) => status < 300).length > rounds, 'most of the writes are refused')

  const { rows } = await sql<Listing>`select ${sql.join(listingColumns.map((name) => sql.ref(name)))}
    from properties where agency_id = ${t.agency.id}`.execute(t.deps.db)
  const alive = rows.filter(({ deleted_at }) => deleted_at === null)

  // Every published listing meets the requirements for publishing.
  for (const row of alive)
    if (row.status === 'published') assert.deepEqual(missingToPublish(row, row.photos.length), [])
  for (const row of rows) {
    assert.equal(
      new Set(row.photos.map((name) => name.split('.')[0])).size,
      row.photos.length,
      'a picture has two places',
    )
    await assertHistoryTells(t.deps.db, row)
  }

  // One listing per external id, and one revision per write.
  const taken = alive.flatMap(({ external_id }) => (external_id === null ? [] : [external_id]))
  assert.equal(new Set(taken).size, taken.length)
  const history = await sql<{ revision: number; at: string }>`
    select revision, at from listing_history where agency_id = ${t.agency.id} order by revision`.execute(
    t.deps.db,
  )
  assert.deepEqual(
    history.rows.map(({ revision }) => revision),
    history.rows.map((_, index) => index + 1),
  )
  assert.equal(history.rows.length, await revisionOf(t))
  history.rows.forEach(({ at }, index) => assert.ok(index === 0 || at > (history.rows[index - 1]?.at ?? '')))

  // No picture is lost, and two days later no unreferenced one is left.
  const shown = rows.flatMap(({ photos }) => photos).sort()
  assert.equal(new Set(shown).size, shown.length)
  assert.deepEqual(await filesOf(t), [...shown, ...(await unreferencedOf(t))].sort())
  t.clock.offsetMs = 2 * 86_400_000
  while ((await reapPhotos(t.deps.photos, 100)) === 100);
  assert.deepEqual(await filesOf(t), shown)
  assert.deepEqual(await unreferencedOf(t), [])

  // The API shows exactly these listings.
  const list = (await t.ask('GET', '/properties?status=all&per_page=50')).body['data'] as unknown as Shown[]
  assert.deepEqual(
    list.map(({ id }) => id).sort(),
    alive
      .map(({ public_id }) => public_id)
      .sort()
      .slice(0, 50),
  )
})
