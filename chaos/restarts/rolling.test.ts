/**
 * Twenty rolling upgrades from the previous release and twenty downgrades, behind the nginx file of deploy/ and under load: no request
 * fails. One of the upgrades changes a table with a million rows first.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { type ApiResponse, ask, type Write } from '../support/ask.ts'
import { checkConsistency } from '../support/consistency.ts'
import { startNginx, withoutNginx } from './nginx.ts'
import { startPair } from './pair.ts'
import { ownPostgres } from '../support/postgres.ts'
import { unpackPreviousRelease, withoutPreviousRelease } from './previous-release.ts'
import { newDataDir, newService } from '../support/service.ts'
import { type Kept, writeSome } from './some-writes.ts'

const clients = 4
const rounds = 20
/** The upgrade that has more migrations than this version. */
const roundWithMigration = 10
const replays = 50
const rows = 1_000_000
const ownRoot = join(import.meta.dirname, '..', '..')

/** This version and its packages, with three more migrations. They change the request log, to which every request adds a row. */
function nextRelease(): string {
  const directory = mkdtempSync(join(tmpdir(), 'listings-next-'))
  for (const part of ['src', 'migrations', 'package.json'])
    cpSync(join(ownRoot, part), join(directory, part), { recursive: true })
  symlinkSync(join(ownRoot, 'node_modules'), join(directory, 'node_modules'))
  for (const [name, text] of [
    ['9001_column', 'alter table request_log add column client text;\n'],
    ['9002_values', `update request_log set client = detail->>'client';\n`],
    [
      '9003_index',
      '-- Outside a transaction\ncreate index concurrently request_log_client_idx on request_log (agency_id, client);\n',
    ],
  ] as const)
    writeFileSync(join(directory, 'migrations', `${name}.sql`), text)
  return directory
}

/** Entries of another agency. */
const fill = `
  insert into request_log (agency_id, request_id, key_id, at, method, path, status, ms, detail)
  select '00000000-0000-7000-8000-000000000000', gen_random_uuid(), '00000000-0000-7000-8000-000000000000', now(), 'GET',
    '/api/v1/properties', 200, 1, jsonb_build_object('client', 'client ' || n % 1000)
  from generate_series(1, ${rows}) n`

test(
  'rolling upgrades and downgrades behind nginx',
  { skip: withoutNginx === false ? withoutPreviousRelease : withoutNginx },
  async (context) => {
    const postgres = await ownPostgres()
    const dataDir = newDataDir()
    const previous = { root: unpackPreviousRelease() }
    const next = { root: nextRelease() }
    const shared = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      TRUST_PROXY: 'loopback',
      WORKERS: '2',
      NODE_COMPILE_CACHE: join(dataDir, 'compiled'),
    }
    const pair = await startPair(shared, {}, previous)
    const nginx = await startNginx(pair.urls)
    const db = new Client(postgres.connection)
    await db.connect()
    try {
      const agency = await pair.first().newAgency('rolling', 'properties:write')
      const failed: string[] = []
      const once = { sent: 0, unanswered: 0 }
      let requests = 0
      const send = async (write: Write): Promise<ApiResponse> => {
        for (;;) {
          const response = await ask(nginx.url, agency.key, write)
          requests += 1
          if (response === null || response.status >= 300)
            failed.push(
              `${write.method} ${write.path}: ${response === null ? 'no response' : `${response.status} ${response.text}`}`,
            )
          if (response !== null) return response
        }
      }
      /** A POST without an Idempotency-Key, which nginx must not repeat: its 502 is not JSON. */
      const sendOnce = async (): Promise<void> => {
        const response = await ask(nginx.url, agency.key, {
          method: 'POST',
          path: '/properties?dry_run=true',
          body: { title: 'Casa' },
        })
        once.sent += 1
        if (response === null) once.unanswered += 1
        else if (response.status >= 300) failed.push(`dry run: ${response.status} ${response.text}`)
      }
      const kept: Kept[] = []
      let isOver = false
      const load = Array.from({ length: clients }, async () => {
        while (!isOver) {
          kept.push(...(await writeSome(send)))
          await sendOnce()
        }
      })
      const roll = async (version: object): Promise<void> => {
        for (const index of [0, 1] as const) await pair.restartOne(index, version)
      }
      for (let round = 1; round <= rounds; round += 1) {
        if (round === roundWithMigration) {
          await db.query(fill)
          const began = performance.now()
          const migrating = await newService(shared, next)
          await migrating.svc('migrate')
          context.diagnostic(`migrated ${rows} rows in ${Math.round(performance.now() - began)} ms`)
          await roll(next)
        } else await roll({})
        await roll(previous)
      }
      isOver = true
      await Promise.all(load)
      for (const { write, text } of [...kept.slice(0, replays), ...kept.slice(-replays)]) {
        const again = await send(write)
        assert.deepEqual([again.replayed, again.text], [true, text])
      }

      const count = (what: RegExp) => nginx.log().match(what)?.length ?? 0
      const refused = count(/connect\(\) failed/g)
      const broken = count(/(?:recv|send)\(\) failed|prematurely closed/g)
      context.diagnostic(
        `${requests} requests; connections refused: ${refused}, broken: ${broken}; ${once.unanswered} of ${once.sent} others unanswered`,
      )
      assert.deepEqual(failed, [])
      await checkConsistency(db, agency.id, dataDir)
    } finally {
      await db.end()
      await nginx.end()
      await pair.end()
      await postgres.end()
      for (const directory of [dataDir, previous.root, next.root])
        rmSync(directory, { recursive: true, force: true })
    }
  },
)
