/** The notification worker: it delivers new events by itself, stops without losing any in progress, and can run as a separate process. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../../../src/platform/db/database.ts'
import { startCourier } from '../../../../src/delivery/notifications/courier/courier.ts'
import { getDelivery, listDeliveries } from '../../../../src/delivery/notifications/deliveries.ts'
import { databaseUrl, namesStatements, testServer, wayTo } from '../../../support/database/database.ts'
import { accepted, published } from '../../../support/app/listings.ts'
import { surroundings } from '../../../support/app/server.ts'
import { act, deliverDue, type Notified, notified, secret } from '../notified.ts'
import type { ReceivedEvent } from '../sinks.ts'

let n: Notified
before(async () => {
  n = await notified()
})
after(() => n.close())

/** The next event about this listing, with a way to respond to it. */
function heard(id: string): Promise<{ event: ReceivedEvent; take: () => void }> {
  return new Promise((resolve) => {
    n.marketplace.respondWith((event, response) => {
      const take = (): void => void response.writeHead(204).end()
      if (event.data.listing.id === id) resolve({ event, take })
      else take()
    })
  })
}

const log = { warn: () => {} }

describe('a worker', () => {
  test('delivers new events, and finishes those in progress before it stops', async () => {
    const { id } = await published(n.t)
    accepted(await act.disable(n.t, id))
    const hearing = heard(id)
    const courier = startCourier({ ...n.deps(), log })
    const { event, take } = await hearing
    let isOver = false
    const stopping = courier.stop().then(() => {
      isOver = true
    })
    assert.equal((await getDelivery(n.t.deps.db, event.id, 'marketplace')).state, 'pending')
    assert.equal(isOver, false)
    take()
    await stopping
    assert.equal((await getDelivery(n.t.deps.db, event.id, 'marketplace')).state, 'delivered')
    // The next worker delivers the rest.
    assert.deepEqual(n.marketplace.of(id), ['published 1'])
    n.marketplace.respondWith((_event, response) => void response.writeHead(204).end())
    await n.deliver('marketplace')
    assert.deepEqual(n.marketplace.of(id), ['published 1', 'disabled 2'])
  })

  test('warns when the database is unreachable, and still stops at once', async () => {
    const gone = openDatabase({ connection: { host: '/nowhere', user: 'x', database: 'x' }, poolSize: 1 })
    const { promise: warning, resolve } = Promise.withResolvers<string>()
    const courier = startCourier({
      ...n.deps(gone),
      log: { warn: (_details, message) => resolve(message) },
    })
    assert.equal(await warning, 'due notifications could not be read; retrying')
    await courier.stop()
    await gone.destroy()
  })

  test('counts an event that cannot be serialized as a failure', async () => {
    const { id } = await published(n.t)
    await deliverDue({ ...n.deps(), viewOfEvent: () => assert.fail('not to be shown') }, 'marketplace')
    const [delivery] = await listDeliveries(n.t.deps.db, { isFailing: true, channel: 'marketplace' })
    assert.deepEqual([delivery?.listing, delivery?.detail], [id, 'not to be shown'])
    n.pass(7_000)
    await n.deliver('marketplace')
    assert.deepEqual(n.marketplace.of(id), ['published 1'])
  })

  test('runs as a process of its own beside a server without one, and exits cleanly', async () => {
    const { id } = await published(n.t)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(n.t.deps.db)
    const server = await testServer()
    const database = rows[0]?.name ?? ''
    const hearing = heard(id)
    const worker: ChildProcess = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../../../src/worker.ts', import.meta.url))],
      {
        env: {
          ...surroundings,
          DATABASE_URL: databaseUrl(wayTo(server, database)),
          PREPARED_STATEMENTS: namesStatements ? 'on' : 'off',
          DATA_DIR: n.t.deps.config.dataDir,
          SECRET_KEY: 'a secret of the tests, long enough',
          GEOCODER: 'none',
          MARKETPLACE_URL: n.marketplace.url,
          MARKETPLACE_SECRET: secret,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const ended = once(worker, 'exit')
    try {
      const { event, take } = await hearing
      worker.kill('SIGTERM')
      take()
      assert.deepEqual(await ended, [0, null])
      assert.equal((await getDelivery(n.t.deps.db, event.id, 'marketplace')).state, 'delivered')
    } finally {
      worker.kill('SIGKILL')
      await server.release()
    }
  })
})
