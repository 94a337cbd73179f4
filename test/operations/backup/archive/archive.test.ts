/** An archive that cannot be written or read says why. */
import assert from 'node:assert/strict'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { format, type Head, writeArchive } from '../../../../src/operations/backup/archive/archive.ts'
import { openArchiveStore } from '../../../../src/operations/backup/archive/archive-store.ts'

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'listings-archive-'))
})
after(() => rmSync(directory, { recursive: true }))

const head: Head = {
  format,
  version: '1.0.0',
  at: '2026-11-28T12:00:00Z',
  migrations: [],
  tables: [],
  bucket: null,
}

describe('an archive', () => {
  test('whose destination cannot be opened fails with its error, at once or at a later part', async () => {
    const taken = join(directory, 'taken.tar')
    mkdirSync(taken)
    const inSteps = async (pauses: number): Promise<void> => {
      const archive = writeArchive(createWriteStream(taken), head)
      for (let count = 0; count < pauses; count += 1) await new Promise((resolve) => setImmediate(resolve))
      for (let part = 0; part < 100; part += 1) await archive.add(`rows/${part}`, Buffer.alloc(10_000))
    }
    for (const pauses of [0, 1, 2, 20]) await assert.rejects(inSteps(pauses), { code: 'EISDIR' })
  })

  test('that was aborted fails with the reason', async () => {
    const archive = writeArchive(createWriteStream(join(directory, 'aborted.tar')), head)
    archive.abort(new Error('the source broke'))
    await assert.rejects(archive.add('rows/1', Buffer.alloc(1)), /the source broke/)
  })

  test('that cannot be opened is not taken for a missing one', async () => {
    symlinkSync('loop.tar', join(directory, 'loop.tar'))
    const archives = await openArchiveStore(directory, { s3Access: null, dataDir: directory })
    await assert.rejects(archives.read('loop.tar'), { code: 'ELOOP' })
    assert.equal(await archives.read('missing.tar'), null)
  })
})
