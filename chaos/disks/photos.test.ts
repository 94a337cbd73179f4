/**
 * The photo storage fails, is full or is read-only under a running service, while PostgreSQL's disk is healthy: writes without photos
 * continue, no listing gets a photo without its files, and no file stays forever.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { publishable } from '../../test/support/app/app.ts'
import { ask } from '../support/ask.ts'
import { type Failure, failCalls, skippedWithoutStrace } from './failing-calls.ts'
import { fiveDrafts, keyedWrites } from '../support/keyed-writes.ts'
import type { Pictures } from '../support/pictures.ts'
import type { Service } from '../support/service.ts'
import { serviceOnSmallDisk } from './service-on-small-disk.ts'
import { sendOpen, settle, untilNothingIsLeft } from '../support/settle.ts'
import { skippedWithoutMounts, type SmallDisk } from './small-disk.ts'

const inodes = 400

describe('the disk of the photos', { skip: skippedWithoutStrace || skippedWithoutMounts }, () => {
  let dataDir: string
  let disk: SmallDisk
  let pictures: Pictures
  let service: Service
  let agency: { id: string; key: string }
  let end: (() => Promise<void>) | undefined
  before(async () => {
    ;({ dataDir, disk, pictures, service, agency, end } = await serviceOnSmallDisk('photos', {
      megabytes: 4,
      inodes,
    }))
  })
  after(() => end?.())

  /** @returns a function that ends the failure */
  type Cause = () => Promise<() => Promise<unknown>>

  const ofDisk =
    (change: (disk: SmallDisk) => void): Cause =>
    async () => {
      change(disk)
      return async () => disk.heal()
    }
  /** PostgreSQL's processes are not affected. */
  const ofCalls =
    (failure: Failure): Cause =>
    async () =>
      (await failCalls([service.pid()], failure)).stop

  const causes: readonly { what: string; says: RegExp; cause: Cause }[] = [
    { what: 'full', says: /ENOSPC/, cause: ofDisk(({ fill }) => fill()) },
    { what: 'full of files', says: /ENOSPC/, cause: ofDisk(({ fillInodes }) => fillInodes()) },
    { what: 'read-only', says: /EROFS/, cause: ofDisk(({ makeReadOnly }) => makeReadOnly()) },
    { what: 'without syncs', says: /EIO/, cause: ofCalls({ calls: 'fsync', error: 'EIO' }) },
    {
      what: 'with a failing sync now and then',
      says: /EIO/,
      cause: ofCalls({ calls: 'fsync', error: 'EIO', when: '2+9' }),
    },
    { what: 'without renames', says: /EIO/, cause: ofCalls({ calls: 'rename', error: 'EIO' }) },
    {
      what: 'without syncs and deletions',
      says: /EIO/,
      cause: ofCalls({ calls: 'fsync,unlink,rmdir', error: 'EIO' }),
    },
  ]

  for (const { what, says, cause } of causes) {
    test(what, async (context) => {
      const writes = keyedWrites(pictures, await fiveDrafts(service.url, agency.key))
      service.forget()
      const end = await cause()
      const statuses = await sendOpen(service, agency, writes).finally(end)
      const refused = statuses.filter((status) => status === 503).length
      context.diagnostic(`${refused} of ${statuses.length} responses were 503`)
      assert.ok(!statuses.includes(null), 'a connection was cut')
      for (const [index, { body, path }] of writes.entries())
        if (!/photos|urls/.test(path + JSON.stringify(body))) assert.notEqual(statuses[index], 503, path)
      assert.match(service.logged(), /photos could not be stored/)
      assert.match(service.logged(), says)
      assert.ok((await fetch(`${service.url}/healthz/ready`)).ok)
      await settle(service, agency, writes)
    })
  }

  test('without reads: a photo is 503 until it can be read', async () => {
    const body = publishable({ photos: pictures.addresses(3, 'read') })
    const created = await ask(service.url, agency.key, {
      method: 'PUT',
      path: '/properties/external/read',
      body,
    })
    assert.equal(created?.status, 201, created?.text)
    const { id, photos } = created.body.data as { id: string; photos: string[] }
    const enabled = await ask(service.url, agency.key, { method: 'POST', path: `/properties/${id}/enable` })
    assert.equal(enabled?.status, 200, enabled?.text)
    const url = photos[0] ?? ''
    const [photo = '', file = ''] = url.split('/').slice(-2)
    const path = join(dataDir, 'photos', agency.id, photo, file)
    const failing = await failCalls([service.pid()], { calls: 'read,pread64', error: 'EIO', paths: [path] })
    const broken = await fetch(url).finally(failing.stop)
    assert.deepEqual([broken.status, broken.headers.get('retry-after')], [503, '5'])
    assert.ok(failing.count() > 0)
    const whole = await fetch(url)
    assert.equal(whole.status, 200)
    assert.ok((await whole.bytes()).length > 0)
  })

  test('leaves no file that no listing shows', () => untilNothingIsLeft(service, agency))
})
