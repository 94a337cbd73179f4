/** Kills in the middle of writes: everything acknowledged is still there afterwards, and nothing is half done. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { newService, type Service } from './support/service.ts'

const kills = 10
const writers = 8
/** Acknowledged writes before each kill. */
const writesBeforeKill = 60

type Acknowledged = { title: string; version: string }

let service: Service
let key: string
/** External id → the content after the last acknowledged write. */
const acknowledged = new Map<string, Acknowledged>()
/** External id → titles that were sent but never acknowledged, and may or may not have been written. */
const uncertain = new Map<string, Set<string>>()

before(async () => {
  service = await newService()
  await service.start()
  key = (await service.newAgency('chaos')).key
})
after(() => service.end())

async function put(externalId: string, title: string): Promise<Response> {
  return fetch(`${service.url}/api/v1/properties/external/${externalId}`, {
    method: 'PUT',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'user-agent': 'Chaos/1.0 (chaos@example.com)',
    },
    body: JSON.stringify({ title, description: title, features: { rooms: 3 }, amenities: [title] }),
  })
}

/** Writes until stopped; each writer has its own listings. */
async function write(writer: number, count: { acknowledged: number }, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const externalId = `w${writer}-${turn % 5}-${Math.floor(turn / 25)}`
    const title = randomUUID()
    try {
      const response = await put(externalId, title)
      if (response.status === 200 || response.status === 201) {
        await response.json()
        acknowledged.set(externalId, { title, version: response.headers.get('etag') ?? '' })
        uncertain.delete(externalId)
        count.acknowledged += 1
        continue
      }
    } catch {
      // The connection broke, so the outcome of the write is unknown.
    }
    uncertain.set(externalId, (uncertain.get(externalId) ?? new Set()).add(title))
    if (isOver()) return
  }
}

async function check(): Promise<void> {
  for (const [externalId, { title }] of acknowledged) {
    const response = await fetch(`${service.url}/api/v1/properties/external/${externalId}`, {
      headers: { 'x-api-key': key },
    })
    assert.equal(response.status, 200, `${externalId} was acknowledged and is gone`)
    const { data } = (await response.json()) as { data: Record<string, unknown> }
    const found = String(data['title'])
    assert.ok(
      found === title || uncertain.get(externalId)?.has(found),
      `${externalId} lost an acknowledged write`,
    )
    assert.equal(data['description'], found, 'a write is there in part')
    assert.deepEqual(data['amenities'], [found], 'a write is there in part')
    acknowledged.set(externalId, { title: found, version: response.headers.get('etag') ?? '' })
  }
  uncertain.clear()
}

/** Asserts that the last entry of each history matches the listing. */
async function checkHistories(): Promise<void> {
  for (const [externalId, { title }] of [...acknowledged].slice(0, 5)) {
    const response = await fetch(`${service.url}/api/v1/properties/external/${externalId}`, {
      headers: { 'x-api-key': key },
    })
    const { data } = (await response.json()) as { data: { id: string } }
    const history = (await service.svc(
      'listing',
      'history',
      '--agency',
      'chaos',
      '--id',
      data.id,
    )) as unknown as {
      changes: { title?: { to: string } }
    }[]
    const last = history.filter(({ changes }) => changes.title !== undefined).at(-1)
    assert.equal(last?.changes.title?.to, title, `${externalId}: history and listing differ`)
  }
}

for (let kill = 1; kill <= kills; kill += 1) {
  const victim = kill % 2 === 0 ? 'database' : 'server'
  test(`kill ${kill} of ${kills}: the ${victim}`, async () => {
    const count = { acknowledged: 0 }
    let over = false
    const running = Array.from({ length: writers }, (_, writer) => write(writer, count, () => over))
    while (count.acknowledged < writesBeforeKill) await new Promise((resolve) => setImmediate(resolve))
    await (victim === 'server' ? service.killServer() : service.killDatabase())
    over = true
    await Promise.all(running)
    await service.start()
    await check()
    await checkHistories()
  })
}
