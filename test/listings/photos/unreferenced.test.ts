/** Stored pictures that no listing shows are discarded and reaped: no listing loses files, and no file stays forever. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { hashContent, newPhotoName } from '../../../src/listings/photos/names-and-urls.ts'
import { ingestPhotos } from '../../../src/listings/photos/ingest.ts'
import {
  abandonPhotos,
  discardPhotos,
  reapPhotos,
  referencePhotos,
} from '../../../src/listings/photos/unreferenced.ts'
import { testDatabase, type TestDatabase } from '../../support/database/database.ts'
import { type Bench, collectListing, openBench, picture } from './stored-photos.ts'

const hourMs = 3_600_000

let database: TestDatabase
let bench: Bench
before(async () => void (database = await testDatabase()))
after(() => database.drop())
afterEach(async () => {
  await sql`delete from unreferenced_photos`.execute(database.db)
  await bench.close()
})

/** Stores pictures for a write that has not ended. */
async function upload(count: number): Promise<string[]> {
  const responses = await Promise.all(
    Array.from(
      { length: count },
      async (_, index) => [`https://a.example/${index}`, await picture(index)] as const,
    ),
  )
  bench = await openBench(database.db, Object.fromEntries(responses))
  const verdicts = await ingestPhotos(
    bench.deps,
    bench.agencyId,
    responses.map(([url]) => url),
    { existing: [] },
  )
  return verdicts.flatMap(({ photo }) => (photo === null ? [] : [photo]))
}

const reference = (photos: readonly string[]): Promise<void> =>
  inTransaction(database.db, (tx) => referencePhotos(tx, bench.agencyId, photos))
const unavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'service_unavailable'
const filed = async (): Promise<string[]> => Object.keys(await bench.files()).toSorted()

describe('a successful write', () => {
  test('references its pictures, and nothing deletes them afterwards', async () => {
    const photos = await upload(3)
    await reference(photos)
    assert.deepEqual(await bench.unreferenced(), [])
    await discardPhotos(bench.deps, bench.agencyId, photos)
    bench.deps.clock.offsetMs = 48 * hourMs
    assert.equal(await reapPhotos(bench.deps, 100), 0)
    assert.deepEqual(await filed(), photos.toSorted())
  })

  test('must not commit if a picture was discarded, is unknown, or belongs to another agency', async () => {
    const [kept = '', lost = ''] = await upload(2)
    bench.deps.storage.removePhoto = () => Promise.reject(new Error('unreachable'))
    await discardPhotos(bench.deps, bench.agencyId, [lost])
    await assert.rejects(reference([kept, lost]), unavailable)
    await assert.rejects(reference([kept, newPhotoName(hashContent(Buffer.from('x')))]), unavailable)
    assert.deepEqual(await bench.unreferenced(), [kept, lost].toSorted())
    const foreign = inTransaction(database.db, (tx) =>
      referencePhotos(tx, '01890a5d-ac96-774b-bcce-b302099a8057', [kept]),
    )
    await assert.rejects(foreign, unavailable)
    await reference([kept])
    await reference([])
  })
})

describe('discardPhotos', () => {
  test('deletes the files and rows of these pictures only', async () => {
    const [first = '', second = '', third = ''] = await upload(3)
    await discardPhotos(bench.deps, bench.agencyId, [first, second])
    assert.deepEqual(await filed(), [third])
    assert.deepEqual(await bench.unreferenced(), [third])
    await discardPhotos(bench.deps, bench.agencyId, [first])
    await discardPhotos(bench.deps, bench.agencyId, [])
  })

  test('works after a rollback, and does not touch what a transaction in doubt may still reference', async () => {
    const [rolledBack = '', doubtful = ''] = await upload(2)
    await assert.rejects(
      inTransaction(database.db, async (tx) => {
        await referencePhotos(tx, bench.agencyId, [rolledBack])
        throw new Error('commit failed')
      }),
      { message: 'commit failed' },
    )
    await inTransaction(database.db, async (tx) => {
      await referencePhotos(tx, bench.agencyId, [doubtful])
      await discardPhotos(bench.deps, bench.agencyId, [rolledBack, doubtful])
    })
    assert.deepEqual(await filed(), [doubtful])
    assert.deepEqual(await bench.unreferenced(), [])
  })

  test('never throws, and leaves what storage does not delete to the reaper', async () => {
    const photos = await upload(2)
    const remove = bench.deps.storage.removePhoto
    bench.deps.storage.removePhoto = () => Promise.reject(new Error('unreachable'))
    await discardPhotos(bench.deps, bench.agencyId, photos)
    assert.deepEqual(await bench.unreferenced(), photos.toSorted())
    assert.equal(bench.logged.length, 2)
    await discardPhotos(bench.deps, 'not a uuid', photos)
    assert.equal(bench.logged.length, 3)
    bench.deps.storage.removePhoto = remove
    assert.equal(await reapPhotos(bench.deps, 100), 2)
    assert.deepEqual([await filed(), await bench.unreferenced()], [[], []])
  })
})

describe('reapPhotos', () => {
  test('deletes expired pictures: uploads after an hour, pictures removed from a listing after a day', async () => {
    const [upl = '', abandoned = ''] = await upload(2)
    await reference([abandoned])
    await inTransaction(database.db, (tx) => abandonPhotos(tx, bench.agencyId, [abandoned], bench.deps.clock))
    const steps: [number, string[]][] = [
      [0, [upl, abandoned]],
      [0.9, [upl, abandoned]],
      [1.1, [abandoned]],
      [23.9, [abandoned]],
      [24.1, []],
    ]
    for (const [hours, left] of steps) {
      bench.deps.clock.offsetMs = hours * hourMs
      await reapPhotos(bench.deps, 100)
      assert.deepEqual(
        [await filed(), await bench.unreferenced()],
        [left.toSorted(), left.toSorted()],
        `${hours} hours`,
      )
    }
  })

  test('never deletes the files of a picture on a listing, including removed listings', async () => {
    const photos = await upload(3)
    await collectListing(database.db, bench.agencyId, photos.slice(0, 2))
    bench.deps.clock.offsetMs = 2 * hourMs
    assert.equal(await reapPhotos(bench.deps, 100), 3)
    assert.deepEqual(await filed(), photos.slice(0, 2).toSorted())
    assert.deepEqual(await bench.unreferenced(), [])
    assert.equal(bench.logged.length, 1)
  })

  test('deletes up to its limit at a time', async () => {
    const photos = await upload(3)
    bench.deps.clock.offsetMs = 2 * hourMs
    assert.equal(await reapPhotos(bench.deps, 2), 2)
    assert.equal((await filed()).length, 1)
    assert.equal(await reapPhotos(bench.deps, 2), 1)
    assert.equal(await reapPhotos(bench.deps, 2), 0)
    assert.deepEqual(await filed(), [])
    assert.equal(photos.length, 3)
  })

  test('may run twice concurrently', async () => {
    await upload(6)
    bench.deps.clock.offsetMs = 2 * hourMs
    await Promise.all([reapPhotos(bench.deps, 4), reapPhotos(bench.deps, 4)])
    await reapPhotos(bench.deps, 100)
    assert.deepEqual([await filed(), await bench.unreferenced(), bench.logged], [[], [], []])
  })

  test('skips a picture that a transaction is referencing, and one it condemned cannot be referenced', async () => {
    const [referenced = '', reaped = ''] = await upload(2)
    bench.deps.clock.offsetMs = 2 * hourMs
    await inTransaction(database.db, async (tx) => {
      await referencePhotos(tx, bench.agencyId, [referenced])
      assert.equal(await reapPhotos(bench.deps, 100), 1)
    })
    assert.deepEqual(await filed(), [referenced])
    await assert.rejects(reference([reaped]), unavailable)
  })

  test('continues after a file that cannot be deleted, and retries it', async () => {
    const photos = await upload(3)
    const remove = bench.deps.storage.removePhoto
    bench.deps.storage.removePhoto = (agencyId, photo) =>
      photo === photos[0] ? Promise.reject(new Error('unreachable')) : remove(agencyId, photo)
    bench.deps.clock.offsetMs = 2 * hourMs
    // Two rounds of two: the undeletable one comes last in the second.
    assert.equal((await reapPhotos(bench.deps, 2)) + (await reapPhotos(bench.deps, 2)), 2)
    assert.deepEqual([await filed(), await bench.unreferenced()], [[photos[0]], [photos[0]]])
    bench.deps.storage.removePhoto = remove
    assert.equal(await reapPhotos(bench.deps, 3), 1)
    assert.deepEqual([await filed(), await bench.unreferenced()], [[], []])
  })
})
