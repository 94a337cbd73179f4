/**
 * Writers and readers of several agencies that continue through outages: every write has an Idempotency-Key and is repeated until it has
 * a response, so that in the end each must exist once, and nothing else.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { createAgency } from '../../src/agencies/agencies.ts'
import { databaseClock as clock } from '../../src/platform/time/clock.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { openSecretBox } from '../../src/access/secrets/secret-box.ts'
import { ask, type Write } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { judge, type KeyedWrite, keyedWrite } from '../support/keyed-writes.ts'
import type { Citus } from './cluster.ts'

export type Tenant = {
  id: string
  slug: string
  key: string
  /** Keys that no process has seen yet: each must be used once. */
  freshKeys: string[]
  /** The port of the node that had its rows at the start. */
  port: number
  writes: KeyedWrite[]
}

export type Seen = {
  tenant: Tenant
  what: 'read' | 'fresh key' | 'page' | 'write'
  at: number
  /** The milliseconds until its response arrived. */
  ms: number
  /** 0 if no response arrived. */
  status: number
  retryAfter: string | null
  text: string
}

/** Creates agencies with the service's own functions, `each` of them on every worker of the cluster. */
export async function newTenants(
  { db, placeOf, workers }: Citus,
  each: number,
  freshKeys = 0,
): Promise<Tenant[]> {
  const deps = { secretBox: openSecretBox('chaos'), clock, serviceName: 'Listings' }
  const tenants: Tenant[] = []
  const isFull = (of: number) => tenants.filter(({ port }) => port === of).length === each
  while (!workers.every(({ port }) => isFull(port))) {
    const slug = `chaos-${randomUUID().slice(0, 8)}`
    const { id } = await createAgency(db, { name: slug, slug, email: null }, clock)
    const { port } = await placeOf(id)
    if (isFull(port)) continue
    const newKey = async (scope: string) =>
      (await createKey(db, id, { name: 'chaos', scopes: [scope] }, deps)).key
    const tenant: Tenant = {
      id,
      slug,
      key: await newKey('properties:write'),
      freshKeys: [],
      port,
      writes: [],
    }
    for (let count = 0; count < freshKeys; count += 1) tenant.freshKeys.push(await newKey('properties:read'))
    tenants.push(tenant)
  }
  return tenants
}

export type Load = {
  seen: readonly Seen[]
  /** @throws the error of a writer or reader */
  check(): void
  /** Resolves once every started write has a response. @throws like `check` */
  stop(): Promise<void>
}

const pauseMs = 100

type LoadOptions = { writers: number; readers: number }

/** @param url of the service */
export function startLoad(url: string, tenants: readonly Tenant[], { writers, readers }: LoadOptions): Load {
  const seen: Seen[] = []
  const failures: unknown[] = []
  let isOver = false
  const tenantOf = (index: number) => tenants[index % tenants.length] as Tenant

  const note = async (tenant: Tenant, what: Seen['what'], send: () => Promise<Partial<Seen> | null>) => {
    const at = performance.now()
    const response = await send()
    const { status = 0, retryAfter = null, text = '' } = response ?? {}
    seen.push({ tenant, what, at, ms: performance.now() - at, status, retryAfter, text })
  }

  const write = async (tenant: Tenant, sent: KeyedWrite): Promise<KeyedWrite> => {
    tenant.writes.push(sent)
    for (;;) {
      let response: Awaited<ReturnType<typeof ask>> = null
      await note(tenant, 'write', async () => (response = await ask(url, tenant.key, sent)))
      if (judge(sent, response)) return sent
      await delay(pauseMs)
    }
  }

  const writer = async (index: number): Promise<void> => {
    const tenant = tenantOf(index)
    await delay(Math.random() * pauseMs)
    while (!isOver) {
      for await (const sent of ownListing((one) => write(tenant, one))) {
        void sent
        await delay(pauseMs)
        if (isOver) return
      }
    }
  }

  const reader = async (index: number): Promise<void> => {
    const tenant = tenantOf(index)
    await delay(Math.random() * pauseMs)
    const reads: Write[] = ['?status=all&per_page=5', '?q=casa', '?status=published'].map((query) => ({
      method: 'GET',
      path: `/properties${query}`,
    }))
    for (let turn = 0; !isOver; turn += 1) {
      const read = reads[turn % reads.length] as Write
      await note(tenant, 'read', () => ask(url, tenant.key, read))
      await note(tenant, 'page', () => page(`${url}/inmobiliarias/${tenant.slug}`))
      const fresh = (turn + index) % 15 === 0 ? tenant.freshKeys.pop() : undefined
      if (fresh !== undefined)
        await note(tenant, 'fresh key', () => ask(url, fresh, { method: 'GET', path: '/properties' }))
      await delay(pauseMs)
    }
  }

  const running = [
    ...Array.from({ length: writers }, (_, index) => writer(index)),
    ...Array.from({ length: readers }, (_, index) => reader(index)),
  ].map((one) => one.catch((error: unknown) => failures.push(error)))
  const check = (): void => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    seen,
    check,
    async stop() {
      isOver = true
      await Promise.all(running)
      check()
    },
  }
}

/** Requests a page as a browser does. */
async function page(url: string): Promise<Partial<Seen> | null> {
  try {
    const response = await fetch(url, { redirect: 'manual' })
    const text = await response.text()
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: text.slice(0, 200),
    }
  } catch {
    return null
  }
}

/** The life of one listing. */
async function* ownListing(send: (write: KeyedWrite) => Promise<KeyedWrite>): AsyncGenerator<KeyedWrite> {
  const titles = Array.from({ length: 3 }, () => `Casa ${randomUUID()}`)
  const [created = '', edited = '', replaced = ''] = titles
  const code = randomUUID()
  const first = await send(
    keyedWrite('POST', '/properties', { external_id: code, title: created }, 201, [
      { action: 'created', title: created },
    ]),
  )
  yield first
  const id = String(first.response?.body.data['id'])
  yield await send(
    keyedWrite('PATCH', `/properties/${id}`, { title: edited }, 200, [{ action: 'updated', title: edited }]),
  )
  yield await send(
    keyedWrite('PUT', `/properties/external/${code}`, { title: replaced }, 200, [
      { action: 'updated', title: replaced },
    ]),
  )
  yield await send(keyedWrite('DELETE', `/properties/${id}`, undefined, 200, [{ action: 'deleted', id }]))
}

/** Asserts that every write exists once, that nothing else does, and that some of the acknowledged ones are replayed unchanged. */
export async function checkWrites(
  { url: database }: Citus,
  service: { url: string; dataDir: string },
  tenants: readonly Tenant[],
): Promise<void> {
  const db = new Client(database)
  await db.connect()
  try {
    for (const { id, key, writes } of tenants) {
      const { rows } = await db.query<{ effect: string }>(
        `select action || ' ' || case action when 'created' then coalesce(
            (select e.changes -> 'title' ->> 'from' from listing_history e where e.agency_id = $1 and e.property_id = h.property_id
              and e.changes ? 'title' order by e.revision limit 1), p.title)
          when 'deleted' then p.public_id else h.changes -> 'title' ->> 'to' end as effect
        from listing_history h join properties p on p.agency_id = h.agency_id and p.id = h.property_id
        where h.agency_id = $1 and p.agency_id = $1`,
        [id],
      )
      const expected = writes.flatMap(({ effects }) =>
        effects.map((effect) => `${effect.action} ${'title' in effect ? effect.title : effect.id}`),
      )
      const found = rows.map(({ effect }) => effect)
      assert.deepEqual(
        { lost: without(expected, found), added: without(found, expected) },
        { lost: [], added: [] },
      )
      await checkConsistency(db, id, service.dataDir)
      for (const write of writes.filter((_, index) => index % 10 === 0)) {
        assert.ok(write.response !== null)
        assert.ok(judge(write, await ask(service.url, key, write)), 'a replay gets no response')
      }
    }
  } finally {
    await db.end()
  }
}

/** The elements of `all` that `others` lacks, including surplus duplicates. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = Map.groupBy(others, (one) => one)
  return all.filter((one) => left.get(one)?.pop() === undefined)
}

/** The time of the slowest request, in milliseconds. */
export function slowest(seen: readonly Seen[]): number {
  return Math.round(Math.max(0, ...seen.map(({ ms }) => ms)))
}

/** Requests that overlap the given period. */
export function during(seen: readonly Seen[], from: number, to: number): Seen[] {
  return seen.filter(({ at, ms }) => at < to && at + ms > from)
}

export function assertServed(seen: readonly Seen[]): void {
  const failed = seen.filter(({ status }) => status !== 200 && status !== 201)
  assert.deepEqual(
    failed.map(({ what, status, ms, text }) => `${what}: ${status} after ${Math.round(ms)} ms ${text}`),
    [],
  )
}

/** Asserts that failed requests had a Retry-After. */
export function assertRefusedWell(seen: readonly Seen[]): void {
  for (const { what, status, retryAfter, text } of seen) {
    if (status === 200 || status === 201) continue
    assert.equal(status, 503, `${what}: ${status} ${text}`)
    assert.match(retryAfter ?? '', /^[1-9]\d*$/)
  }
}
