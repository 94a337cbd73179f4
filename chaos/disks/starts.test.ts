/** Starts and stops on full and read-only disks: a start that fails says why in one line, and one on a healthy disk succeeds. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { ask } from '../support/ask.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'
import { skippedWithoutMounts, type SmallDisk, smallDisk } from './small-disk.ts'

describe('a server on a bad disk', { skip: skippedWithoutMounts }, () => {
  let dataDir: string
  let disk: SmallDisk
  let service: Service
  let key = ''
  before(async () => {
    dataDir = newDataDir()
    disk = smallDisk(dataDir, { megabytes: 192 })
    service = await newService({ DATA_DIR: dataDir })
  })
  after(async () => {
    disk?.heal()
    await service?.end()
    disk?.end()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const put = (title: string) =>
    ask(service.url, key, { method: 'PUT', path: '/properties/external/one', body: { title } })

  async function checkStarts(title: string): Promise<void> {
    await service.start()
    const found = await ask(service.url, key, { method: 'GET', path: '/properties/external/one' })
    assert.equal(found?.body.data['title'], title)
  }

  /** @param reason what the one line says */
  async function checkRefuses(reason: RegExp): Promise<void> {
    await assert.rejects(service.start(), (error: Error) => {
      const [, lines = ''] = /^the server ended with 1: [\d.:T-]+Z ([^]*)$/.exec(error.message) ?? []
      assert.match(lines.trimEnd(), /^[^\n]+$/)
      assert.match(lines, reason)
      return true
    })
  }

  test('does not create a database while it is full', async () => {
    disk.fill()
    await checkRefuses(/^The server cannot start: .* the disk of .* is full\.$/m)
    disk.heal()
  })

  test('does not create a database while it is read-only', async () => {
    disk.makeReadOnly()
    await checkRefuses(/^DATA_DIR is ".*": use a writable directory \(EROFS/)
    disk.heal()
  })

  test('starts once it is healthy', async () => {
    await service.start()
    key = (await service.newAgency('starts')).key
    assert.equal((await put('first'))?.status, 201)
  })

  test('stops while it is full', async () => {
    disk.fill()
    assert.equal(await service.stop(), 0)
    assert.equal(service.isDatabaseRunning(), false)
    disk.heal()
    await checkStarts('first')
  })

  test('after a crash while it is full, starts or says why', async () => {
    assert.equal((await put('second'))?.status, 200)
    await service.killDatabase()
    disk.fill()
    await service.start().catch((error: Error) => {
      assert.match(
        error.message.trimEnd(),
        /^the server ended with 1: [\d.:T-]+Z The server cannot start: [^\n]*$/,
      )
      assert.match(error.message, /No space left on device|is full/)
    })
    disk.heal()
    await service.stop()
    await checkStarts('second')
  })

  test('does not start while it is read-only', async () => {
    await service.stop()
    disk.makeReadOnly()
    await checkRefuses(/^DATA_DIR is ".*": use a writable directory \(EROFS/)
    disk.heal()
    await checkStarts('second')
  })
})
