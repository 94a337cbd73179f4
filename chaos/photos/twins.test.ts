/**
 * Two agencies fetch photos from slow sources with both their live and their test key. A third agency's photos are as fast as on an idle
 * service, because an agency and its test environment share one quota of downloads.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../support/ask.ts'
import { compareWithQuiet } from '../support/bystander.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { newService, type Service } from '../support/service.ts'

/** More than an agency's share of downloads, for each key alone. */
const writesOfKey = 3
const photosOfWrite = 10
/** Two agencies' share of a process's downloads. */
const maxHeld = 10

let service: Service
let pictures: Pictures
const held = new Set<ServerResponse>()
let heldAtEnd = 0
const attackers: string[] = []
let bystander: string
before(async () => {
  pictures = await servePictures((path, response) => {
    if (!path.startsWith('/held')) return false
    held.add(response)
    response.on('close', () => held.delete(response))
    return true
  })
  service = await newService(pictures.settings)
  await service.start()
  for (const slug of ['one', 'two']) {
    const { key } = await service.newAgency(slug)
    const options = ['--name', 'test', '--scope', 'properties:write', '--test']
    const { key: testKey = '' } = await service.svc('key', 'create', '--agency', slug, ...options)
    attackers.push(key, testKey)
  }
  bystander = (await service.newAgency('bystander')).key
})
after(async () => {
  await service.end()
  await pictures.close()
})

async function create(key: string, name: string, count: number): Promise<string | null> {
  const photos = pictures.addresses(count, `${name}-${randomUUID()}`)
  const body = { title: 'Casa', external_id: randomUUID(), photos }
  const created = await ask(service.url, key, {
    method: 'POST',
    path: '/properties',
    body,
    idempotencyKey: randomUUID(),
  })
  if (created?.status === 201 && (created.body['warnings'] as unknown[]).length === 0) return null
  return created?.text ?? 'no response'
}

async function attack(): Promise<() => Promise<void>> {
  let isOver = false
  const writing = attackers.flatMap((key) =>
    Array.from({ length: writesOfKey }, async () => {
      while (!isOver) await create(key, 'held', photosOfWrite)
    }),
  )
  while (held.size < maxHeld) await delay(20)
  return async () => {
    heldAtEnd = held.size
    isOver = true
    const ending = setInterval(() => {
      for (const response of held) response.destroy()
    }, 20)
    await Promise.all(writing)
    clearInterval(ending)
  }
}

test('photos of another agency take no longer while two use their test keys too', async (context) => {
  const withPhoto = () => create(bystander, 'quick', 1)
  const without = () => create(bystander, 'none', 0)
  await compareWithQuiet(context, [withPhoto, without], attack)
  assert.ok(heldAtEnd <= maxHeld, `${heldAtEnd} downloads of two agencies`)
})
