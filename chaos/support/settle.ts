/** Ends a series of keyed writes after a failure: all are repeated until each has a response, and then each has happened once. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { until } from '../../test/support/until.ts'
import { ask } from './ask.ts'
import { checkConsistency, openClaims } from './consistency.ts'
import { effectsOf, judge, type KeyedWrite } from './keyed-writes.ts'
import type { Service } from './service.ts'
import { withClient } from './with-client.ts'

type Agency = { id: string; key: string }

/** Sends the unanswered writes once. @returns the statuses; null for a cut connection */
export function sendOpen(service: Service, agency: Agency, writes: readonly KeyedWrite[]) {
  const open = writes.filter(({ response }) => response === null)
  return Promise.all(
    open.map(async (write) => {
      const response = await ask(service.url, agency.key, write)
      judge(write, response)
      return response?.status ?? null
    }),
  )
}

const settlesWithinMs = 90_000
const pauseMs = 250

/**
 * Repeats the writes until each gets a response. Checks that each happened once and that rows and files agree, also after a restart of the
 * service.
 */
export async function settle(service: Service, agency: Agency, writes: readonly KeyedWrite[]): Promise<void> {
  const limit = performance.now() + settlesWithinMs
  for (;;) {
    await sendOpen(service, agency, writes)
    const open = writes.filter(({ response }) => response === null)
    if (open.length === 0) break
    const which = open.map(({ method, path }) => `${method} ${path}`).join(', ')
    assert.ok(performance.now() < limit, `no response: ${which}`)
    await delay(pauseMs)
  }
  await withClient(service.connection, (db) => checkOnce(db, service, agency, writes))
  assert.equal(await service.stop(), 0)
  await service.start()
  for (const write of writes) {
    const again = await ask(service.url, agency.key, write)
    assert.ok(judge(write, again) && again?.replayed, `${write.method} ${write.path} is not replayed`)
  }
  await withClient(service.connection, (db) => checkOnce(db, service, agency, writes))
}

/** Ends the time for which unreferenced photos are kept, and waits until their files are deleted. */
export async function untilNothingIsLeft(service: Service, agency: Agency): Promise<void> {
  await withClient(service.connection, async (db) => {
    await db.query(
      `update unreferenced_photos set delete_after = clock_timestamp()
      where agency_id = $1 and delete_after > clock_timestamp()`,
      [agency.id],
    )
    await until(async () => {
      const { rows } = await db.query('select from unreferenced_photos where agency_id = $1', [agency.id])
      return rows.length === 0
    })
    await checkConsistency(db, agency.id, service.dataDir)
  })
}

async function checkOnce(db: Client, service: Service, agency: Agency, writes: readonly KeyedWrite[]) {
  for (const write of writes)
    assert.deepEqual(
      [...new Set(await effectsOf(db, agency.id, write))],
      [1],
      `${write.method} ${write.path}`,
    )
  assert.deepEqual(await openClaims(db, agency.id), [])
  await checkConsistency(db, agency.id, service.dataDir)
}
