/** The photos of one write, before its transaction (api.md 13.4). */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { photoOutcomes } from '../../../src/platform/log/counters.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import {
  contentHash,
  hashContent,
  newPhotoName,
  photoKey,
  photoSizeNames,
} from '../../../src/listings/photos/names-and-urls.ts'
import { createLimiter } from '../../../src/platform/concurrency.ts'
import {
  PhotoDelayed,
  PhotoFailure,
  type PhotoWhy,
  photoWhyText,
} from '../../../src/listings/photos/failure.ts'
import { readPicture } from '../../../src/listings/photos/image.ts'
import { ingestPhotos } from '../../../src/listings/photos/ingest.ts'
import { openPhotoShare } from '../../../src/listings/photos/share.ts'
import type { PhotoDownloader } from '../../../src/listings/photos/download.ts'
import { testDatabase, type TestDatabase } from '../../support/database/database.ts'
import { settle } from '../../support/settle.ts'
import { type Responses, type Bench, openBench, picture } from './stored-photos.ts'

const told = (why: PhotoWhy | null | undefined): string | null => (why ? photoWhyText(why) : null)

/** A download that ends only when it is aborted. */
const endless = (signal: AbortSignal | undefined): Promise<Buffer> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)))

const unavailable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'service_unavailable'

let database: TestDatabase
let bench: Bench
before(async () => void (database = await testDatabase()))
after(() => database.drop())
afterEach(() => bench.close())
const open = async (responses: Responses = {}): Promise<Bench> =>
  (bench = await openBench(database.db, responses))

/** Counts outcomes since the call. @returns a function with the counts that are not zero */
function counting(): () => Record<string, number> {
  const before = new Map(photoOutcomes.read())
  return () => {
    const since = [...photoOutcomes.read()].map(
      ([outcome, count]) => [outcome, count - (before.get(outcome) ?? 0)] as const,
    )
    return Object.fromEntries(since.filter(([, count]) => count > 0))
  }
}

describe('ingestPhotos', () => {
  test('returns a verdict for each URL in order, and stores three files for each new picture', async () => {
    const existing = newPhotoName(hashContent(await picture(9)))
    const { deps, agencyId, asked, files, unreferenced } = await open({
      'https://a.example/1': await picture(1),
      'https://a.example/2': await picture(2),
      'https://a.example/copy-of-1': await picture(1),
      'https://a.example/existing': await picture(9),
      'https://a.example/page': Buffer.from('<html>'),
      'https://a.example/gone': new PhotoFailure('The source answered with status 404 instead of a picture.'),
    })
    const paths = ['1', 'gone', 'copy-of-1', 'existing', '2', 'page', '1', 'gone']
    const urls = paths.map((path) => `https://a.example/${path}`)
    const counted = counting()
    const verdicts = await ingestPhotos(deps, agencyId, urls, { existing: [existing] })

    assert.deepEqual(counted(), { stored: 2, duplicate: 3, failed_source: 3 })
    assert.deepEqual(
      verdicts.map(({ url }) => url),
      urls,
    )
    assert.deepEqual(
      verdicts.map(({ status }) => status),
      ['stored', 'failed', 'duplicate', 'duplicate', 'stored', 'failed', 'duplicate', 'failed'],
    )
    const [first, , copy, had, second, , again] = verdicts.map(({ photo }) => photo)
    assert.ok(typeof first === 'string' && typeof second === 'string')
    assert.deepEqual([copy, again, had], [first, first, existing])
    assert.equal(contentHash(first), hashContent(await picture(1)))
    const gone = 'The source answered with status 404 instead of a picture.'
    const page = 'The file is not a JPEG, PNG or WebP picture.'
    assert.deepEqual(
      verdicts.map(({ why }) => told(why)),
      [null, gone, null, null, null, page, null, gone],
    )

    assert.deepEqual(asked.toSorted(), [...new Set(urls)].toSorted())
    assert.deepEqual(await files(), { [first]: 3, [second]: 3 })
    assert.deepEqual(await unreferenced(), [first, second].toSorted())
    for (const size of photoSizeNames) {
      const file = await deps.storage.openRead(photoKey(agencyId, first, size))
      assert.ok(file !== null && file.size > 0)
      file.stream.destroy()
    }
  })

  test('stores the earlier of two equal pictures, whichever arrives first', async () => {
    const late = Promise.withResolvers<Buffer>()
    const { deps, agencyId } = await open({
      'https://a.example/late': late.promise,
      'https://a.example/early': await picture(1),
    })
    const urls = ['https://a.example/late', 'https://a.example/early']
    const verdicts = ingestPhotos(deps, agencyId, urls, { existing: [] })
    await settle()
    late.resolve(await picture(1))
    assert.deepEqual(
      (await verdicts).map(({ status }) => status),
      ['stored', 'duplicate'],
    )
    assert.equal((await verdicts)[0]?.photo, (await verdicts)[1]?.photo)
  })

  test('does nothing without URLs', async () => {
    const { deps, agencyId } = await open()
    assert.deepEqual(await ingestPhotos(deps, agencyId, [], { existing: [] }), [])
  })

  test('writes the row before the files, with an hour to live by the database clock', async () => {
    const { deps, agencyId, unreferenced } = await open({ 'https://a.example/1': await picture(1) })
    deps.clock.offsetMs = 5 * 3_600_000
    const put = deps.storage.put
    const rowsAtWriting: number[] = []
    deps.storage.put = async (key, bytes) => {
      rowsAtWriting.push((await unreferenced()).length)
      await put(key, bytes)
    }
    await ingestPhotos(deps, agencyId, ['https://a.example/1'], { existing: [] })
    assert.deepEqual(rowsAtWriting, [1, 1, 1])
    const { rows } = await sql<{
      hours: number
    }>`select round(extract(epoch from delete_after - clock_timestamp()) / 3600)::int as hours
      from unreferenced_photos where agency_id = ${agencyId}`.execute(database.db)
    assert.deepEqual(rows, [{ hours: 6 }])
  })

  test('fails a picture whose files cannot be written, stores nothing of it, and names the cause', async () => {
    const { deps, agencyId, files, unreferenced, logged } = await open({
      'https://a.example/1': await picture(1),
      'https://a.example/2': await picture(2),
    })
    const put = deps.storage.put
    const broken = hashContent(await picture(1))
    deps.storage.put = async (key, bytes) => {
      if (key.includes(broken) && key.endsWith('small.webp')) throw new Error('disk full')
      await put(key, bytes)
    }
    const counted = counting()
    const verdicts = await ingestPhotos(deps, agencyId, ['https://a.example/1', 'https://a.example/2'], {
      existing: [],
    })
    assert.deepEqual(counted(), { stored: 1, failed_storage: 1 })
    assert.deepEqual(
      verdicts.map(({ status }) => status),
      ['failed', 'stored'],
    )
    assert.match(told(verdicts[0]?.why) ?? '', /^The service failed/)
    assert.deepEqual(await files(), { [verdicts[1]?.photo ?? '']: 3 })
    assert.deepEqual(await unreferenced(), [verdicts[1]?.photo])
    assert.deepEqual(logged, ['photos could not be stored'])

    const all = ingestPhotos(deps, agencyId, ['https://a.example/1', 'https://a.example/unknown'], {
      existing: [],
    })
    await assert.rejects(all, unavailable)
    assert.equal((await unreferenced()).length, 1)
    assert.deepEqual(counted(), { stored: 1, failed_storage: 2, failed_source: 1 })
  })

  test('fails what is not stored by the deadline, and keeps the rest', async () => {
    const { deps, agencyId, files } = await open({ 'https://a.example/1': await picture(1) })
    const deadline = new AbortController()
    const { download, storage } = deps
    const put = storage.put
    let puts = 0
    storage.put = async (key, bytes) => {
      await put(key, bytes)
      puts += 1
      if (puts === 3) setImmediate(() => deadline.abort(new Error('time is up')))
    }
    deps.download = (url, allow, signal) =>
      url.endsWith('1') ? download(url, allow, signal) : endless(signal)
    const slow = Array.from({ length: 9 }, (_, index) => `https://a.example/slow-${index}`)
    const urls = ['https://a.example/slow', 'https://a.example/1', ...slow]
    const counted = counting()
    deps.share = { payer: agencyId, ends: deadline.signal, take: (work) => work() }
    const verdicts = await ingestPhotos(deps, agencyId, urls, { existing: [] })
    assert.deepEqual(counted(), { stored: 1, failed_source: 1, failed_late: 9 })
    assert.deepEqual(
      verdicts.map(({ status }) => status),
      ['failed', 'stored', ...slow.map(() => 'failed')],
    )
    assert.match(told(verdicts[0]?.why) ?? '', /no time left/)
    assert.match(told(verdicts[10]?.why) ?? '', /no time left/)
    assert.deepEqual(await files(), { [verdicts[1]?.photo ?? '']: 3 })
  })

  test('leaves files that are still being written at the deadline to the reaper', async () => {
    const { deps, agencyId, unreferenced } = await open({ 'https://a.example/1': await picture(1) })
    const deadline = new AbortController()
    deps.storage.put = () => {
      setImmediate(() => deadline.abort(new Error('time is up')))
      return new Promise(() => {})
    }
    deps.share = { payer: agencyId, ends: deadline.signal, take: (work) => work() }
    await assert.rejects(ingestPhotos(deps, agencyId, ['https://a.example/1'], { existing: [] }), unavailable)
    assert.equal((await unreferenced()).length, 1)
  })

  test('processes four URLs of a write at a time, five of an agency, and twenty in total', async () => {
    const { deps, agencyId } = await open()
    const running = new Map<string, number>()
    const count = (): number[] => [...running.values()]
    const waiting: (() => void)[] = []
    const source = (agency: string): PhotoDownloader => {
      running.set(agency, 0)
      return async () => {
        running.set(agency, (running.get(agency) ?? 0) + 1)
        await new Promise<void>((resolve) => waiting.push(resolve))
        throw new PhotoFailure('Enough.')
      }
    }
    const write = (agency: string): Promise<unknown> =>
      ingestPhotos(
        { ...deps, download: deps.download, share: openPhotoShare(agency) },
        agency,
        Array.from({ length: 20 }, (_, index) => `https://${agency}.example/${index}`),
        { existing: [] },
      )
    deps.download = source(agencyId)
    const writes = [write(agencyId)]
    await settle()
    assert.deepEqual(count(), [4])
    writes.push(write(agencyId), write(agencyId))
    await settle()
    assert.deepEqual(count(), [5])
    for (let other = 0; other < 4; other++) {
      deps.download = source(uuidv7())
      const agency = [...running.keys()].at(-1) ?? ''
      writes.push(write(agency), write(agency))
    }
    await settle()
    assert.deepEqual(count(), [5, 5, 5, 5, 0])
    // The agency that has waited longest is next, however much work the others have left.
    waiting.shift()?.()
    await settle()
    assert.deepEqual(count(), [5, 5, 5, 5, 1])
    while (waiting.length > 0) {
      for (const proceed of waiting.splice(0)) proceed()
      await settle()
    }
    await Promise.all(writes)
    assert.deepEqual(count(), [60, 40, 40, 40, 40])
  })

  test('charges once a slot is free, before any download, and downloads nothing if the charge is refused', async () => {
    const { deps, agencyId, asked } = await open({ 'https://a.example/1': await picture(1) })
    const urls = ['1', '2', '3', '4', '5', '6'].map((path) => `https://a.example/${path}`)
    let charges = 0
    const charge = async (): Promise<void> => {
      charges += 1
      assert.deepEqual(asked, [])
      await settle()
    }
    await ingestPhotos(deps, agencyId, urls, { existing: [], charge })
    assert.deepEqual([charges, asked.length], [1, 6])

    const refused = ingestPhotos(deps, agencyId, urls, {
      existing: [],
      charge: () => Promise.reject(new ApiError('rate_limited')),
    })
    await assert.rejects(refused, (error) => error instanceof ApiError && error.code === 'rate_limited')
    assert.equal(asked.length, 6)
  })

  test('charges nothing and asks for a retry if no slot becomes free', async () => {
    const { deps, agencyId, asked } = await open({ 'https://a.example/1': await picture(1) })
    const places = createLimiter(1, 1)
    const held = Promise.withResolvers<void>()
    const other = places(() => held.promise, { party: 'other' })
    deps.share = openPhotoShare(agencyId, { untilFirstMs: 20, fromFirstMs: 60_000 }, places)
    const alive = setInterval(() => {}, 1_000)
    const counted = counting()
    const charge = () => assert.fail('charged')
    const urls = ['https://a.example/1', 'https://a.example/2']
    await assert.rejects(ingestPhotos(deps, agencyId, urls, { existing: [], charge }), unavailable)
    clearInterval(alive)
    held.resolve()
    await other
    assert.deepEqual([asked, counted()], [[], { failed_late: 2 }])
  })

  test('distinguishes failures of the service from those of photos or sources', async () => {
    const { deps, agencyId } = await open({
      'https://a.example/1': await picture(1),
      'https://a.example/gone': new PhotoFailure('404'),
    })
    const read = deps.read ?? readPicture
    const slow = hashContent(await picture(2))
    deps.download = async (url) => {
      if (url.endsWith('gone')) throw new PhotoFailure('404')
      return picture(url.endsWith('slow') ? 2 : 1)
    }
    deps.read = (bytes) =>
      hashContent(bytes) === slow ? Promise.reject(new PhotoDelayed('Too slow; send it again.')) : read(bytes)
    const urls = ['1', 'gone', 'slow'].map((path) => `https://a.example/${path}`)
    const verdicts = await ingestPhotos(deps, agencyId, urls, { existing: [] })
    assert.deepEqual(
      verdicts.map(({ status, why, isOurs }) => [status, told(why), isOurs]),
      [
        ['stored', null, false],
        ['failed', '404', false],
        ['failed', 'Too slow; send it again.', true],
      ],
    )
    await assert.rejects(ingestPhotos(deps, agencyId, urls.slice(1), { existing: [] }), unavailable)
    const [gone] = await ingestPhotos(deps, agencyId, urls.slice(1, 2), { existing: [] })
    assert.equal(gone?.status, 'failed')
  })
})
