/**
 * A rolling upgrade from the previous release and a rolling downgrade, under load: both versions run side by side, no request fails, and
 * every response is replayed as it was, by either version.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { type ApiResponse, ask, type Write } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { startPair } from './pair.ts'
import { ownPostgres } from '../support/postgres.ts'
import { unpackPreviousRelease, withoutPreviousRelease } from './previous-release.ts'
import { roundRobin } from '../support/round-robin.ts'
import { newDataDir } from '../support/service.ts'
import { type Kept, writeSome } from './some-writes.ts'
import { Client } from 'pg'

const clients = 4
/** How many of the first and of the last responses are compared with their replays at each step. */
const replays = 50

test('a rolling upgrade and a downgrade', { skip: withoutPreviousRelease }, async (context) => {
  const postgres = await ownPostgres()
  const dataDir = newDataDir()
  const previous = { root: unpackPreviousRelease() }
  const pair = await startPair({ DATA_DIR: dataDir, DATABASE_URL: postgres.url }, {}, previous)
  const balancer = await roundRobin(pair.urls, { retries: true })
  const db = new Client(postgres.connection)
  await db.connect()
  try {
    const agency = await pair.first().newAgency('rolling', 'properties:write')
    let requests = 0
    const failed: string[] = []
    const send = async (write: Write): Promise<ApiResponse> => {
      const response = await ask(balancer.url, agency.key, write)
      assert.ok(response !== null, 'the balancer cut a connection')
      requests += 1
      if (response.status >= 300)
        failed.push(`${write.method} ${write.path}: ${response.status} ${response.text}`)
      return response
    }
    const kept: Kept[] = []
    const replayAll = async (): Promise<void> => {
      for (const { write, text } of [...kept.slice(0, replays), ...kept.slice(-replays)]) {
        const again = await send(write)
        assert.deepEqual([again.replayed, again.text], [true, text])
      }
    }
    let isOver = false
    const load = Array.from({ length: clients }, async () => {
      while (!isOver) kept.push(...(await writeSome(send)))
    })
    for (const version of [{}, previous, {}])
      for (const index of [0, 1] as const) {
        await pair.restartOne(index, version)
        await replayAll()
      }
    isOver = true
    await Promise.all(load)
    await replayAll()

    assert.deepEqual([failed, balancer.lost], [[], []])
    await checkConsistency(db, agency.id, dataDir)
    context.diagnostic(
      `${requests} requests, ${kept.length} keyed responses, ${balancer.retried()} sent again`,
    )
  } finally {
    await db.end()
    await balancer.close()
    await pair.end()
    await postgres.end()
    for (const directory of [dataDir, previous.root]) rmSync(directory, { recursive: true, force: true })
  }
})
