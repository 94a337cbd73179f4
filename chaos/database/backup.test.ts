/**
 * The cold copy of docs/operations/backup.md: the data directory of a stopped service, copied and started elsewhere, is complete and
 * independent of its original location.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { ask } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { servePictures } from '../support/pictures.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'

const left: string[] = []
const services: Service[] = []
after(async () => {
  for (const service of services) await service.end()
  for (const dataDir of left) rmSync(dataDir, { recursive: true, force: true })
})

async function serviceOn(dataDir: string, settings: Record<string, string>): Promise<Service> {
  left.push(dataDir)
  const service = await newService({ DATA_DIR: dataDir, ...settings })
  services.push(service)
  await service.start()
  return service
}

/** Everything that an agency sees of itself, without the URLs' port. */
async function seen(service: Service, key: string): Promise<unknown> {
  const list = await ask(service.url, key, { method: 'GET', path: '/properties?status=all&per_page=50' })
  assert.equal(list?.status, 200)
  return JSON.parse(list.text.replaceAll(service.url, 'http://service')) as unknown
}

/** Only the effects of requests, without later background work. */
async function historyOf(service: Service, id: string): Promise<object[]> {
  const entries: unknown = await service.svc('listing', 'history', '--agency', 'copied', '--id', id)
  return (entries as object[]).map((entry) => ({ ...entry, notification: null }))
}

async function firstPhoto(service: Service, key: string, id: string): Promise<Buffer> {
  const one = await ask(service.url, key, { method: 'GET', path: `/properties/${id}` })
  const [address = ''] = (one?.body.data['photos'] ?? []) as string[]
  const response = await fetch(address.replace(/^http:\/\/[^/]+/, service.url))
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer())
}

test('a cold copy of the data directory has listings, history, photos, keys and secrets', async () => {
  const pictures = await servePictures()
  after(() => pictures.close())
  const original = await serviceOn(newDataDir(), pictures.settings)
  const { id: agencyId, key } = await original.newAgency('copied', 'properties:write')
  const signed = 'key create --agency copied --name signed --scope properties:read --signature-required'
  await original.svc(...signed.split(' '))
  const write = {
    method: 'POST',
    path: '/properties',
    idempotencyKey: 'before-the-copy',
    body: {
      external_id: 'COPIED-1',
      title: 'Casa en venta',
      operation: 'sale',
      type: 'Casa',
      price: { amount: 100_000, currency: 'USD' },
      address: 'Calle 48 Nº 1234',
      location: { city: 'La Plata', lat: -34.9, lng: -57.9 },
      photos: pictures.addresses(3, 'copied'),
      status: 'published',
    },
  }
  const created = await ask(original.url, key, write)
  assert.equal(created?.status, 201, created?.text)
  const code = String(created.body.data['id'])
  const before = await seen(original, key)
  const photo = await firstPhoto(original, key, code)
  const history = await historyOf(original, code)
  assert.equal(await original.stop(), 0)

  const copyDir = newDataDir()
  const archive = `${copyDir}.tar`
  left.push(archive)
  execFileSync('tar', ['-C', original.dataDir, '-chpf', archive, '.'])
  rmSync(original.dataDir, { recursive: true })
  execFileSync('tar', ['-C', copyDir, '-xpf', archive])
  const copy = await serviceOn(copyDir, pictures.settings)

  assert.deepEqual(await seen(copy, key), before)
  assert.deepEqual(await firstPhoto(copy, key, code), photo)
  assert.deepEqual(await historyOf(copy, code), history)
  const { checks } = (await copy.svc('doctor')) as unknown as { checks: { name: string; ok: boolean }[] }
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  )
  assert.ok(checks.some(({ name }) => name === 'secrets'))
  // A request that got its response before the copy is not repeated after it.
  const again = await ask(copy.url, key, write)
  assert.deepEqual([again?.status, again?.replayed], [201, true])
  assert.equal((await ask(copy.url, key, { ...write, idempotencyKey: 'after-the-copy' }))?.status, 409)

  const database = new Client(copy.connection())
  await database.connect()
  await checkConsistency(database, agencyId, copyDir)
  await database.end()
  assert.equal(existsSync(original.dataDir), false)
})
