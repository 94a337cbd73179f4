/**
 * A service whose DNS lookups hang, as with a silent resolver: new connections to the database fail, and existing ones continue to work.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type OutageProxy, outageProxy } from '../../test/support/network/outage-proxy.ts'
import { ask } from '../support/ask.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'

/** Longer than the wait for a connection, a silence, and the probe of the database together. */
const heldMs = 15_000

let postgres: OwnPostgres
let proxy: OutageProxy
let dataDir: string
let pipe: string
let service: Service
before(async () => {
  postgres = await ownPostgres()
  dataDir = newDataDir()
  pipe = join(dataDir, 'held')
  execFileSync('mkfifo', ['-m', '666', pipe])
  // The database itself listens on no network.
  proxy = await outageProxy(postgres.connection)
  service = await newService({
    DATA_DIR: dataDir,
    DATABASE_URL: `postgres://postgres@localhost:${proxy.connection.port}/postgres`,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'hold-threads.ts')}`,
    HELD_BY: pipe,
  })
  await service.start()
})
after(async () => {
  await service.end()
  proxy.close()
  await postgres.end()
  rmSync(dataDir, { recursive: true, force: true })
})

test(`lookups that hang for ${heldMs / 1000} s do not affect existing connections`, async (context) => {
  const { key } = await service.newAgency('lookups')
  const read = () => ask(service.url, key, { method: 'GET', path: `/properties?q=${randomUUID()}` })
  assert.equal((await read())?.status, 200)
  process.kill(service.pid(), 'SIGUSR2')
  const until = performance.now() + heldMs
  try {
    // More than there are connections, so some wait for one that cannot be opened.
    const crowd = Array.from({ length: 30 }, read)
    let successes = 0
    while (performance.now() < until) {
      const response = await read()
      if (response?.status === 200) successes += 1
      // This read had to wait for a new connection alongside the crowd.
      else assert.ok(successes < 5, `${response?.status} after ${successes} responses`)
    }
    const statuses = (await Promise.all(crowd)).map((response) => response?.status)
    assert.ok(
      statuses.every((status) => status === 200 || status === 503),
      String(statuses),
    )
    context.diagnostic(
      `${successes} responses; of the crowd ${statuses.filter((one) => one === 200).length} of 30`,
    )
    assert.ok(successes > 50, String(successes))
  } finally {
    closeSync(openSync(pipe, constants.O_RDWR))
  }
  assert.equal((await read())?.status, 200)
})
