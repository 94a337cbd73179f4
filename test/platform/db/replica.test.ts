/**
 * Reads from a replica: a request sees every write committed before it arrived, however far the replica lags. A replica that is down or
 * slow costs only the first attempt.
 */
// not on Citus: DATABASE_READ_URL is refused there.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import type { DB } from '../../../src/platform/db/types.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { openReplica, type Replica } from '../../../src/platform/db/replica.ts'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import { type TestDatabase, testDatabase } from '../../support/database/database.ts'
import { accepted, published } from '../../support/app/listings.ts'
import { type OutageProxy, outageProxy } from '../../support/network/outage-proxy.ts'

let t: TestApp
/** The replica: has the primary's rows as of the last `replicate`. */
let behind: TestDatabase
let proxy: OutageProxy
before(async () => {
  // No response cache: each read queries a database.
  t = await testApp({ env: { ANSWER_CACHE_MB: '0' } })
  behind = await testDatabase()
  proxy = await outageProxy(behind.direct)
})
after(async () => {
  await t.close()
  proxy.close()
  await behind.drop()
})

let replica: Replica
const reasons: string[] = []
const open = (times: Partial<Record<'limitMs' | 'pauseMs' | 'behindPauseMs', number>> = {}): Replica => {
  const presence = { silenceMs: 200, probeMs: 300, pauseMs: 20 }
  const db = openDatabase({ connection: proxy.connection, poolSize: 3, presence })
  return openReplica(db, (reason) => reasons.push(reason), {
    limitMs: 5_000,
    pauseMs: 60_000,
    behindPauseMs: 0,
    ...times,
  })
}
beforeEach(() => {
  replica = open()
  t.deps.replica = replica
  reasons.length = 0
})
afterEach(async () => {
  t.deps.replica = null
  await proxy.restore()
  await replica.close()
})

/** Copies the primary's rows to the replica in one transaction. */
async function replicate(): Promise<void> {
  const tables = ['properties', 'agency_revisions', 'agencies']
  const rows = new Map<string, unknown>()
  await t.deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      for (const table of tables) rows.set(table, await contents(tx, table))
    })
  await inTransaction(behind.db, async (tx) => {
    for (const table of tables) await sql`delete from ${sql.id(table)}`.execute(tx)
    for (const table of tables.toReversed()) {
      const columns = sql.raw((await storedColumns(tx, table)).join(', '))
      await sql`insert into ${sql.id(table)} (${columns})
        select ${columns} from json_populate_recordset(null::${sql.id(table)}, ${rows.get(table)}::json)`.execute(
        tx,
      )
    }
  })
}

async function contents(db: Kysely<DB>, table: string): Promise<string> {
  const { rows } = await sql<{
    all: string
  }>`select coalesce(json_agg(t), '[]')::text as all from ${sql.id(table)} t`.execute(db)
  return rows[0]?.all ?? ''
}

async function storedColumns(db: Kysely<DB>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db)
  return rows.map(({ name }) => name)
}

const seen = ({ status, headers, text }: ApiResponse) => ({ status, etag: headers.get('etag'), text })

/** Runs the work without the replica. */
async function withoutReplica<T>(work: () => Promise<T>): Promise<T> {
  t.deps.replica = null
  try {
    return await work()
  } finally {
    t.deps.replica = replica
  }
}

describe('a replica that has reached the agency’s revision', () => {
  test('responds to lists, single reads and pages, exactly as the primary does', async () => {
    const { id, external_id } = await published(t, { external_id: randomUUID() })
    await published(t)
    await replicate()
    const paths = [
      `/properties/${id}`,
      `/properties/external/${external_id}?fields=id,title`,
      '/properties?per_page=1',
      '/properties?status=all&sort=price_desc',
      '/properties?q=jardin&bedrooms=0&fields=id',
      `/properties?q=jardin&page=7&city=${randomUUID()}`,
      '/properties?page=200&bathrooms=0',
      '/changes',
      '/changes?limit=1&fields=id',
    ]
    for (const path of paths) {
      const before = replica.counts.answered
      const response = await t.ask('GET', path)
      assert.equal(replica.counts.answered, before + 1, path)
      assert.deepEqual(seen(response), seen(await withoutReplica(() => t.ask('GET', path))), path)
      assert.equal(response.status, 200, response.text)
    }
    for (const path of [`/inmobiliarias/${t.agency.slug}`, `/inmobiliarias/${t.agency.slug}/${id}`]) {
      const before = replica.counts.answered
      const page = await fetch(t.baseUrl + path)
      assert.equal(page.status, 200)
      assert.ok(replica.counts.answered > before, path)
      const same = await withoutReplica(() => fetch(t.baseUrl + path))
      assert.equal(await page.text(), await same.text())
    }
    assert.deepEqual([replica.counts.behind, replica.counts.failed], [0, 0])
  })

  test('responds with empty lists and 404s', async () => {
    const { agency, readKey } = await t.newAgency()
    await replicate()
    const list = await t.ask('GET', '/properties', { key: readKey })
    assert.deepEqual(list.body.data, [])
    assert.equal((await t.ask('GET', '/properties/ABCD2345', { key: readKey })).status, 404)
    assert.equal(replica.counts.answered, 2, agency.slug)
  })
})

describe('a replica that lags', () => {
  test('is not used: reads see all writes', async () => {
    const { id } = await published(t)
    await replicate()
    const total = async () => {
      const { body } = await t.ask('GET', '/properties?status=all')
      return (body as unknown as { meta: { total: number } }).meta.total
    }
    const before = await total()
    accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Casa cambiada' } }))
    assert.equal((await t.ask('GET', `/properties/${id}`)).body.data['title'], 'Casa cambiada')
    const added = await published(t)
    assert.equal(await total(), before + 1)
    assert.equal((await t.ask('GET', `/properties/${added.id}`)).status, 200)
    assert.equal((await t.ask('DELETE', `/properties/${added.id}`)).status, 200)
    assert.equal((await t.ask('GET', `/properties/${added.id}`)).status, 404)
    assert.equal(await total(), before)
    assert.equal(replica.counts.answered, 1)
    await replicate()
    assert.equal(await total(), before)
    assert.equal((await t.ask('GET', `/properties/${id}`)).body.data['title'], 'Casa cambiada')
    assert.equal(replica.counts.answered, 3)
  })

  test('loses no change: the cursor comes from the snapshot that was read', async () => {
    const changes = async (after: string) => {
      const { body } = await t.ask('GET', `/changes${after}`)
      const { data, next_cursor } = body as unknown as { data: { id: string }[]; next_cursor: string }
      return { ids: data.map(({ id }) => id), after: `?cursor=${next_cursor}` }
    }
    let { after: place } = await changes('')
    for (const isBehind of [false, true]) {
      await replicate()
      const { id } = await published(t)
      if (!isBehind) await replicate()
      const found = await changes(place)
      assert.deepEqual(found.ids, [id])
      place = found.after
    }
  })

  test('does not answer for an agency it does not have yet', async () => {
    await replicate()
    const { readKey } = await t.newAgency()
    assert.equal((await t.ask('GET', '/properties', { key: readKey })).status, 200)
    assert.deepEqual([replica.counts.answered, replica.counts.behind], [0, 1])
  })

  test('is skipped for a while, for that agency alone', async () => {
    await replica.close()
    replica = open({ behindPauseMs: 60_000 })
    t.deps.replica = replica
    await replicate()
    await published(t)
    for (let turn = 0; turn < 3; turn += 1) await t.ask('GET', '/properties')
    await t.ask('GET', '/properties', { key: t.other.readKey })
    assert.deepEqual(replica.counts, { answered: 1, behind: 1, failed: 0, rested: 2 })
  })

  test('by a varying amount never shows an older listing or list than was written', async () => {
    let isOver = false
    const replicating = (async () => {
      while (!isOver) await replicate()
    })()
    const { id } = await published(t)
    for (let turn = 0; turn < 40; turn += 1) {
      const title = `Casa ${turn}`
      accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title } }))
      const [one, list] = await Promise.all([
        t.ask('GET', `/properties/${id}`),
        t.ask('GET', '/properties?sort=updated&per_page=1'),
      ])
      assert.equal(one.body.data['title'], title)
      assert.equal((list.body.data as unknown as { title: string }[])[0]?.title, title)
    }
    isOver = true
    await replicating
    assert.equal(replica.counts.failed, 0)
  })
})

describe('a replica that fails', () => {
  test('by refusing connections costs one attempt; reads go to the primary', async () => {
    await published(t)
    await replicate()
    await proxy.stop()
    for (let turn = 0; turn < 3; turn += 1) assert.equal((await t.ask('GET', '/properties')).status, 200)
    assert.deepEqual(replica.counts, { answered: 0, behind: 0, failed: 1, rested: 2 })
    assert.equal(reasons.length, 1)
  })

  test('by not responding costs one timeout', async () => {
    await replica.close()
    replica = open({ limitMs: 100 })
    t.deps.replica = replica
    await published(t)
    await replicate()
    proxy.swallow()
    for (let turn = 0; turn < 3; turn += 1) assert.equal((await t.ask('GET', '/properties')).status, 200)
    assert.deepEqual(replica.counts, { answered: 0, behind: 0, failed: 1, rested: 2 })
    assert.match(reasons[0] ?? '', /100 ms/)
  })

  test('is retried after a pause', async () => {
    await replica.close()
    replica = open({ pauseMs: 1 })
    t.deps.replica = replica
    await published(t)
    await replicate()
    await proxy.stop()
    assert.equal((await t.ask('GET', '/properties')).status, 200)
    await proxy.restore()
    while (replica.counts.answered === 0) assert.equal((await t.ask('GET', '/properties')).status, 200)
  })

  test('on a single statement gets the next one', async () => {
    await published(t)
    await replicate()
    await sql`alter table properties rename column title to titel`.execute(behind.db)
    assert.equal((await t.ask('GET', '/properties')).status, 200)
    await sql`alter table properties rename column titel to title`.execute(behind.db)
    assert.equal((await t.ask('GET', '/properties')).status, 200)
    assert.deepEqual(replica.counts, { answered: 1, behind: 0, failed: 1, rested: 0 })
    assert.deepEqual(reasons, [])
  })
})
