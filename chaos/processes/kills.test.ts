/** Kills in the middle of writes: everything acknowledged is still there afterwards, and nothing is half done. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ask } from '../support/ask.ts'
import { newService, type Service } from '../support/service.ts'

const kills = 10
const writers = 8
/** Acknowledged writes before each kill. */
const writesBeforeKill = 60

let service: Service
let key: string
/** External id → the title after the last acknowledged write. */
const acknowledged = new Map<string, string>()
/** External id → titles that were sent but never acknowledged, and may or may not have been written. */
const uncertain = new Map<string, Set<string>>()

before(async () => {
  service = await newService()
  await service.start()
  key = (await service.newAgency('chaos')).key
})
after(() => service.end())

const put = (externalId: string, title: string) =>
  ask(service.url, key, {
    method: 'PUT',
    path: `/properties/external/${externalId}`,
    body: { title, description: title, features: { rooms: 3 }, amenities: [title] },
  })

async function read(externalId: string): Promise<Record<string, unknown>> {
  const response = await ask(service.url, key, { method: 'GET', path: `/properties/external/${externalId}` })
  assert.ok(response?.status === 200, `${externalId} was acknowledged and is gone`)
  return response.body.data
}

/** Writes until stopped; each writer has its own listings. */
async function write(writer: number, count: { acknowledged: number }, isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn += 1) {
    const externalId = `w${writer}-${turn % 5}-${Math.floor(turn / 25)}`
    const title = randomUUID()
    const response = await put(externalId, title)
    if (response?.status === 200 || response?.status === 201) {
      acknowledged.set(externalId, title)
      uncertain.delete(externalId)
      count.acknowledged += 1
      continue
    }
    uncertain.set(externalId, (uncertain.get(externalId) ?? new Set()).add(title))
    if (isOver()) return
  }
}

async function check(): Promise<void> {
  for (const [externalId, title] of acknowledged) {
    const data = await read(externalId)
    const found = String(data['title'])
    assert.ok(
      found === title || uncertain.get(externalId)?.has(found),
      `${externalId} lost an acknowledged write`,
    )
    assert.equal(data['description'], found, 'a write is there in part')
    assert.deepEqual(data['amenities'], [found], 'a write is there in part')
    acknowledged.set(externalId, found)
  }
  uncertain.clear()
}

/** Asserts that the last entry of each history matches the listing. */
async function checkHistories(): Promise<void> {
  for (const [externalId, title] of [...acknowledged].slice(0, 5)) {
    const data = await read(externalId)
    const history = (await service.svc(
      'listing',
      'history',
      '--agency',
      'chaos',
      '--id',
      String(data['id']),
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
