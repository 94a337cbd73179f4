/**
 * The dashboard while a worker node of Citus is killed and frozen: people of its agencies get 503 with Retry-After. However often they
 * retry, operators and people of other agencies are served. All are served within seconds of the node's return.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { startSession } from '../../src/access/accounts/sign-in/sessions.ts'
import { databaseClock as clock } from '../../src/platform/time/clock.ts'
import { newTenants } from './agency-load.ts'
import { type Citus, type CitusNode, skipped, startCitus } from './cluster.ts'
import { newService, type Service } from '../support/service.ts'

/** Users who open the dashboard before and throughout the outage: enough to occupy every connection to the coordinator. */
const crowd = 6
/** Each process notices a silent node within 3 s of querying it, and nothing waits for it more than 3 s longer. */
const noticedWithinMs = 7_000
const pauseMs = 50
/** A tolerance for busy machines. */
const atOnceMs = 2_500
const backWithinMs = 5_000

describe('people at the dashboard', { skip: skipped }, () => {
  let citus: Citus
  let service: Service
  let worker: CitusNode
  /** Cookies of an owner of an agency on that worker, of one on another worker, and of an operator. */
  let own: string
  let other: string
  let operator: string

  const signIn = async (agencyId: string | null) => {
    const { db } = citus
    const role = agencyId === null ? 'operator' : 'owner'
    const { id } = await createAccount(
      db,
      { email: `${randomUUID()}@chaos.example`, role, agencyId, language: 'en' },
      clock,
    )
    await db.updateTable('accounts').set({ password_hash: 'none' }).where('id', '=', id).execute()
    const device = { userAgent: 'chaos', ip: '127.0.0.1' }
    const session = await startSession(db, { accountId: id, passwordHash: 'none' }, device, clock)
    return `dashboard-session=${session?.token ?? ''}`
  }

  before(async () => {
    citus = await startCitus()
    worker = citus.workers[0] as CitusNode
    service = await newService({ DATABASE_URL: citus.url })
    await service.start()
    const tenants = await newTenants(citus, 1)
    const agencyOf = (isOwn: boolean) =>
      tenants.find(({ port }) => (port === worker.port) === isOwn)?.id ?? null
    own = await signIn(agencyOf(true))
    other = await signIn(agencyOf(false))
    operator = await signIn(null)
  })
  after(async () => {
    await service?.end()
    await citus?.end()
  })

  const open = async (cookie: string, path = '/dashboard') => {
    const began = performance.now()
    const response = await fetch(service.url + path, { redirect: 'manual', headers: { cookie } })
    const text = await response.text()
    const ms = Math.round(performance.now() - began)
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text, ms }
  }

  const assertServed = async () => {
    const [others, home, health] = [
      await open(other),
      await open(operator),
      await open(operator, '/dashboard/operator/health'),
    ]
    assert.deepEqual([others.status, home.status, health.status], [200, 200, 200])
    assert.ok(others.ms < atOnceMs, `another agency waited for ${others.ms} ms`)
    assert.ok(
      Math.max(home.ms, health.ms) < noticedWithinMs,
      `an operator waited for ${home.ms} and ${health.ms} ms`,
    )
    return { home, health }
  }

  for (const [what, begin, end] of [
    ['killed', () => worker.kill(), () => worker.start()],
    ['frozen', async () => worker.freeze(), async () => worker.thaw()],
  ] as const)
    test(what, { timeout: 90_000 }, async (context) => {
      await assertServed()
      const seen: (Awaited<ReturnType<typeof open>> & { at: number })[] = []
      let isOver = false
      const insist = async () => {
        while (!isOver) {
          const at = performance.now()
          seen.push({ ...(await open(own)), at })
          await delay(pauseMs)
        }
      }
      const crowded = Promise.all(Array.from({ length: crowd }, insist))
      await delay(1_000)
      await begin()
      const from = performance.now()
      await delay(noticedWithinMs)
      const { home, health } = await assertServed()
      assert.match(home.text, /part of the database is not responding/)
      assert.match(health.text, /badge-bad/)
      assert.equal((await open(operator, '/dashboard/operator/agencies')).status, 503)
      for (let turn = 0; turn < 5; turn += 1) await assertServed()
      const to = performance.now()
      await end()
      const back = performance.now()
      while ((await open(own)).status !== 200 || /not responding/.test((await open(operator)).text))
        assert.ok(performance.now() - back < backWithinMs, 'its agencies are not served again')
      const backMs = Math.round(performance.now() - back)
      isOver = true
      await crowded
      await assertServed()
      const refused = seen.filter(({ at, ms }) => at > from && at + ms < to)
      assert.ok(refused.length > crowd)
      for (const { status, retryAfter } of refused) {
        assert.equal(status, 503)
        assert.match(retryAfter ?? '', /^[1-9]/)
      }
      const slowest = Math.max(...seen.map(({ ms }) => ms))
      assert.ok(slowest < noticedWithinMs + atOnceMs, `a refusal took ${slowest} ms`)
      context.diagnostic(
        `${refused.length} refused, the slowest after ${slowest} ms; served again after ${backMs} ms`,
      )
    })
})
