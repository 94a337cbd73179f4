/** Storage of picture files: a folder and an S3-compatible store behave alike. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { S3Config } from '../../../src/platform/config/stores.ts'
import {
  hashContent,
  newPhotoName,
  photoKey,
  photoSizeNames,
} from '../../../src/listings/photos/names-and-urls.ts'
import { checkStorage, openStorage, type PhotoStorage } from '../../../src/listings/photos/storage.ts'
import { startS3Store } from '../../support/network/s3-store.ts'

const agencyId = '01890a5d-ac96-774b-bcce-b302099a8057'
const newPhoto = (): string => newPhotoName(hashContent(Buffer.from('picture')))

async function readBack(storage: PhotoStorage, key: string): Promise<Buffer | null> {
  const file = await storage.openRead(key)
  if (file === null) return null
  const bytes = await buffer(file.stream)
  assert.equal(file.size, bytes.length)
  return bytes
}

function keepsItsPromises(storage: () => PhotoStorage): void {
  test('the storage of photos returns what was put, under its key only', async () => {
    const photo = newPhoto()
    const key = photoKey(agencyId, photo, 'large')
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
    await storage().put(key, bytes)
    assert.deepEqual(await readBack(storage(), key), bytes)
    await storage().put(key, Buffer.from('shorter'))
    assert.equal(String(await readBack(storage(), key)), 'shorter')
    assert.equal(await storage().openRead(photoKey(agencyId, photo, 'small')), null)
    assert.equal(await storage().openRead(photoKey(agencyId, newPhoto(), 'large')), null)
    assert.equal(await storage().openRead(`${key}/below`), null)
  })

  test('the storage of photos removes one picture completely and leaves the others', async () => {
    const [gone, kept] = [newPhoto(), newPhoto()]
    for (const photo of [gone, kept]) {
      await Promise.all(
        photoSizeNames.map((size) => storage().put(photoKey(agencyId, photo, size), Buffer.from(size))),
      )
    }
    await storage().removePhoto(agencyId, gone)
    for (const size of photoSizeNames) {
      assert.equal(await storage().openRead(photoKey(agencyId, gone, size)), null)
      assert.equal(String(await readBack(storage(), photoKey(agencyId, kept, size))), size)
    }
    await storage().removePhoto(agencyId, gone)
    await storage().removePhoto(agencyId, newPhoto())
  })

  test('the storage of photos refuses keys that escape their folder', async () => {
    await assert.rejects(storage().put('../outside', Buffer.from('x')))
    await assert.rejects(storage().put(`${agencyId}/../../outside`, Buffer.from('x')))
    await assert.rejects(storage().removePhoto(agencyId, '../..'))
  })

  test('the storage of photos passes the check of the doctor', async () =>
    assert.equal(await checkStorage(storage()), null))
}

describe('files of photos', () => {
  let dataDir = ''
  let storage: PhotoStorage
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'photos-'))
    storage = await openStorage({ dataDir, s3: null })
  })
  after(() => rm(dataDir, { recursive: true }))

  keepsItsPromises(() => storage)

  test('are under photos in the data directory, with nothing beside them', async () => {
    const photo = newPhoto()
    await Promise.all(
      photoSizeNames.map((size) => storage.put(photoKey(agencyId, photo, size), Buffer.from(size))),
    )
    const folder = join(dataDir, 'photos', agencyId, photo)
    assert.deepEqual((await readdir(folder)).toSorted(), ['large.webp', 'medium.webp', 'small.webp'])
    // The leftover of a crash in the middle of a write.
    await writeFile(join(folder, 'large.webp.0123456789ab.tmp'), 'half')
    await storage.removePhoto(agencyId, photo)
    assert.equal((await readdir(dirname(folder))).includes(photo), false)
  })

  test('are complete or absent: a failed write leaves the old one and no temporary file', async () => {
    const photo = newPhoto()
    const key = photoKey(agencyId, photo, 'large')
    const folder = join(dataDir, 'photos', agencyId, photo)
    // A directory with the target's name makes the last step, the renaming, fail.
    await mkdir(join(folder, 'large.webp', 'in the way'), { recursive: true })
    await assert.rejects(storage.put(key, Buffer.from('new')))
    assert.deepEqual(await readdir(folder), ['large.webp'])
  })

  test('are never visible half written', async () => {
    const key = photoKey(agencyId, newPhoto(), 'large')
    const versions = [Buffer.alloc(300_000, 'a'), Buffer.alloc(200_000, 'b')]
    await storage.put(key, versions[0] ?? Buffer.alloc(0))
    const writes = Array.from({ length: 20 }, (_, index) =>
      storage.put(key, versions[index % 2] ?? Buffer.alloc(0)),
    )
    for (let read = 0; read < 20; read++) {
      const file = await storage.openRead(key)
      const bytes = file === null ? null : await buffer(file.stream)
      assert.ok(versions.some((version) => bytes !== null && version.equals(bytes)))
    }
    await Promise.all(writes)
  })

  test('that cannot be written are reported to the doctor in a sentence', async () => {
    const file = join(dataDir, 'a file')
    await writeFile(file, '')
    assert.match(
      (await checkStorage(await openStorage({ dataDir: file, s3: null }))) ?? '',
      /^The photo storage failed to write a file: .*ENOTDIR/,
    )
  })
})

describe('an S3-compatible store', () => {
  let store: Awaited<ReturnType<typeof startS3Store>>
  let directory = ''
  let config: S3Config
  let storage: PhotoStorage
  before(async () => {
    store = await startS3Store('photos')
    directory = store.directory
    config = { ...store.access, bucket: 'photos' }
    storage = await openStorage({ dataDir: directory, s3: config })
  })
  after(async () => {
    storage.close()
    await store.close()
  })

  keepsItsPromises(() => storage)

  test('without the bucket, or with a rejected key, is reported to the doctor and never treated as empty', async () => {
    for (const wrong of [{ bucket: 'missing' }, { accessKeyId: 'unknown' }]) {
      const other = await openStorage({ dataDir: directory, s3: { ...config, ...wrong } })
      assert.match((await checkStorage(other)) ?? '', /^The photo storage failed to write a file: /)
      if ('secretAccessKey' in wrong)
        await assert.rejects(other.openRead(photoKey(agencyId, newPhoto(), 'large')))
      other.close()
    }
  })

  for (const [what, respond] of [
    ['refuses connections', null],
    ['responds with errors', (_request, response) => response.writeHead(500).end()],
    [
      'disconnects before the first byte',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 1_000 }).flushHeaders()
        response.destroy()
      },
    ],
  ] as const satisfies [string, RequestListener | null][]) {
    test(`that ${what} is unavailable, not empty`, async () => {
      const away = createServer(respond ?? undefined).listen(0, '127.0.0.1')
      await once(away, 'listening')
      const { port } = away.address() as AddressInfo
      if (respond === null) away.close()
      const other = await openStorage({
        dataDir: directory,
        s3: { ...config, endpoint: `http://127.0.0.1:${port}` },
      })
      const key = photoKey(agencyId, newPhoto(), 'large')
      for (const read of [other.openRead, other.read])
        await assert.rejects(read(key), { code: 'service_unavailable', headers: { 'retry-after': '5' } })
      other.close()
      away.close()
    })
  }
})
