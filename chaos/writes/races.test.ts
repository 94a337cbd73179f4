/**
 * Crowds, through one server process and through two on one database: fifty identical requests a hundred times over
 * (api.md 7.2), and two hundred against a window of sixty (api.md 6.1). The suite has the same in fewer rounds.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { type ApiResponse, ask, type Write } from '../support/ask.ts'
import { checkConsistency, openClaims } from '../support/consistency.ts'
import { fiveDrafts } from '../support/keyed-writes.ts'
import { ownPostgres, type OwnPostgres } from '../support/postgres.ts'
import { newDataDir, newService, type Service } from '../support/service.ts'

const rounds = 100
const crowd = 50
const perMinute = 60

let postgres: OwnPostgres
let dataDir: string
let settings: Record<string, string>
before(async () => {
  dataDir = newDataDir()
  postgres = await ownPostgres()
  settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
  }
})
after(async () => {
  await postgres?.end()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Runs with the given number of servers. */
async function withServers(
  count: number,
  more: Record<string, string>,
  work: (servers: readonly Service[], agency: { id: string; key: string }) => Promise<void>,
): Promise<void> {
  const servers: Service[] = []
  try {
    for (let index = 0; index < count; index += 1) {
      const server = await newService({ ...settings, ...more })
      servers.push(server)
      await server.start()
    }
    const [first] = servers
    assert.ok(first)
    await work(servers, await first.newAgency(`crowd-${randomUUID().slice(0, 8)}`))
  } finally {
    for (const server of servers) await server.end()
  }
}

/** The crowd, distributed over the servers in turn. */
async function crowdOf(servers: readonly Service[], key: string, count: number, write: () => Write) {
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      ask(servers[index % servers.length]?.url ?? '', key, write()),
    ),
  )
  return responses.map((response): ApiResponse => response ?? assert.fail('a connection was cut'))
}

for (const [count, name] of [
  [1, 'one server'],
  [2, 'two servers'],
] as const) {
  describe(name, () => {
    test(`${crowd} identical requests, ${rounds} times: one effect each, the rest replays or 409`, async (context) => {
      await withServers(count, {}, async (servers, agency) => {
        const db = new Client(postgres.connection)
        await db.connect()
        const revision = async () =>
          Number(
            (await db.query(`select revision from agency_revisions where agency_id = $1`, [agency.id]))
              .rows[0].revision,
          )
        const seen: Record<string, number> = {}
        for (let round = 0; round < rounds; round += 1) {
          const [one] = await fiveDrafts(servers[0]?.url ?? '', agency.key)
          const path = `/properties/${one?.id}`
          const items = [1, 2].map(() => ({ external_id: randomUUID() }))
          const choices = [
            {
              write: { method: 'POST', path: '/properties', body: { title: 'Una' } },
              status: 201,
              effects: 1,
            },
            { write: { method: 'PATCH', path, body: { title: randomUUID() } }, status: 200, effects: 1 },
            {
              write: { method: 'POST', path: '/properties/batch', body: { items } },
              status: 200,
              effects: 2,
            },
            { write: { method: 'DELETE', path }, status: 200, effects: 1 },
          ]
          const { write, status, effects } = choices[round % choices.length] ?? assert.fail()
          const idempotencyKey = randomUUID()
          const before = await revision()
          const responses = await crowdOf(servers, agency.key, crowd, () => ({ ...write, idempotencyKey }))
          const first = responses.find((response) => response.status === status && !response.replayed)
          assert.ok(first)
          for (const response of responses) {
            const what = response === first ? 'first' : response.replayed ? 'replay' : String(response.status)
            seen[what] = (seen[what] ?? 0) + 1
            if (what === 'replay') assert.equal(response.text, first.text)
            else if (response !== first)
              assert.equal(response.body.error.code, 'idempotent_request_in_progress', response.text)
          }
          assert.equal(await revision(), before + effects)
        }
        assert.deepEqual(await openClaims(db, agency.id), [])
        await checkConsistency(db, agency.id, dataDir)
        await db.end()
        context.diagnostic(JSON.stringify(seen))
      })
    })

    test(`exactly ${perMinute} of 200 concurrent requests are accepted`, async () => {
      const limits = {
        LIMITS: JSON.stringify({
          reads_per_minute: perMinute,
          writes_per_minute: perMinute,
          new_listings_per_hour: 1e6,
        }),
      }
      await withServers(count, limits, async (servers, agency) => {
        for (const write of [
          () => ({ method: 'GET', path: '/properties' }),
          () => ({ method: 'PUT', path: '/properties/external/CROWD', body: {} }),
        ]) {
          // Both the requests and the window must be within one minute.
          const left = 60_000 - (Date.now() % 60_000)
          if (left < 15_000) await new Promise((resolve) => setTimeout(resolve, left))
          const responses = await crowdOf(servers, agency.key, 200, write)
          const passed = responses.filter(({ status }) => status < 300).length
          assert.equal(passed, perMinute)
          assert.equal(responses.filter(({ status }) => status === 429).length, 200 - perMinute)
        }
      })
    })
  })
}
