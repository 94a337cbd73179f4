/** Backups in a bucket. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { openArchiveStore, type ArchiveStore } from '../../../src/operations/backup/archive/archive-store.ts'
import { exceptOnCitus } from '../../support/database/citus.ts'
import { databaseUrl, testDatabase } from '../../support/database/database.ts'
import { startS3Store } from '../../support/network/s3-store.ts'
import { testSecretKey } from '../../support/app/server.ts'
import { svcHere, svcProcess } from '../cli/svc.ts'

const refused = '`svc backup` refuses a distributed database'

let store: Awaited<ReturnType<typeof startS3Store>>
let directory: string
let settings: Record<string, string>
let archives: ArchiveStore
let database: Awaited<ReturnType<typeof testDatabase>>
before(async () => {
  store = await startS3Store('backups')
  directory = store.directory
  database = await testDatabase()
  settings = {
    SECRET_KEY: testSecretKey,
    BACKUP_TO: 's3://backups/nightly',
    S3_ENDPOINT: store.access.endpoint,
    S3_ACCESS_KEY_ID: store.access.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.access.secretAccessKey,
  }
  archives = await openArchiveStore('s3://backups/nightly/', { s3Access: store.access, dataDir: directory })
})
after(async () => {
  archives.close()
  await store.close()
  await database.drop()
})

const never = new AbortController().signal

describe('a bucket', exceptOnCitus(refused), () => {
  test('takes a routine backup, from which a database is restored', async () => {
    const dataDir = join(directory, 'data')
    const from = svcProcess({
      ...settings,
      DATABASE_URL: databaseUrl(database.connection),
      DATA_DIR: dataDir,
    })
    const { code, stdout, stderr } = await from('backup --json')
    assert.equal(code, 0, stderr)
    const { archive, listings } = JSON.parse(stdout)
    assert.match(archive, /^s3:\/\/backups\/nightly\/listings-.*\.tar$/)
    const target = await testDatabase({ empty: { encoding: 'UTF8' } })
    try {
      const url = databaseUrl(target.connection)
      const to = svcProcess({ ...settings, DATABASE_URL: url, DATA_DIR: join(directory, 'restored') })
      const restored = await to('restore --json', archive)
      assert.equal(restored.code, 0, restored.stderr)
      assert.equal(JSON.parse(restored.stdout).listings, listings)
    } finally {
      await target.drop()
    }
  })

  test('keeps nothing of an archive that cannot be written, or fails its check', async () => {
    const broken = archives.save('broken', {
      signal: never,
      async write(destination) {
        destination.write(Buffer.alloc(1_000))
        const error = new Error('the source broke')
        destination.destroy(error)
        throw error
      },
      check: async () => {},
    })
    await assert.rejects(broken, /the source broke/)
    const refused = archives.save('refused', {
      signal: never,
      async write(destination) {
        destination.end('content')
      },
      async check(open) {
        assert.equal((await buffer(await open())).toString(), 'content')
        throw new Error('not what was written')
      },
    })
    await assert.rejects(refused, /not what was written/)
    assert.deepEqual([await archives.read('broken'), await archives.read('refused')], [null, null])
  })

  test('that does not exist is an error', async () => {
    const svc = svcHere({ ...settings, DATABASE_URL: databaseUrl(database.connection), DATA_DIR: directory })
    const { code, stderr } = await svc('backup --to s3://missing')
    assert.equal(code, 1)
    assert.match(stderr, /bucket/i)
  })

  test('whose URL is wrong is not mistaken for a directory', async () => {
    const svc = svcHere({ ...settings, DATABASE_URL: databaseUrl(database.connection), DATA_DIR: directory })
    for (const url of ['s3://My_Bucket/nightly', 'https://backups.example'])
      assert.match((await svc(`backup --to ${url}`)).stderr, /is neither a directory nor s3:/)
  })
})
