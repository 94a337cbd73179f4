/** `svc audit export`: every entry once, oldest first, with its place in the chain; and `doctor`, which checks the chains. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { chainAudit } from '../../../../src/access/audit-log/chain.ts'
import { databaseUrl, type TestDatabase, testDatabase } from '../../../support/database/database.ts'
import { type Svc, svcHere } from '../svc.ts'

let database: TestDatabase
let svc: Svc
let dataDir: string
before(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
  svc = svcHere({ DATABASE_URL: databaseUrl(database.connection), DATA_DIR: dataDir, GEOCODER: 'none' })
  for (const slug of ['norte', 'sur'])
    assert.equal((await svc(`agency create --name X --slug ${slug}`)).code, 0)
})
after(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

type Line = {
  chain: string
  number: number | null
  hash: string | null
  at: string
  subject: string
  agency: string
}

async function exported(...words: string[]): Promise<Line[]> {
  const { code, stdout, stderr } = await svc('audit export', ...words)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]))
}

test('audit export prints entries that are not chained yet', async () => {
  const lines = await exported()
  assert.deepEqual(
    lines.map(({ chain, number, hash, subject, agency }) => [chain, number, hash, subject, agency]),
    [
      ['acts', null, null, 'norte', 'norte'],
      ['acts', null, null, 'sur', 'sur'],
    ],
  )
})

test('audit export prints both chains, oldest first, over several batches', async () => {
  const { db } = database
  await sql`insert into audit_log (id, at, actor_kind, actor_name, action, subject, expires_at)
    select gen_random_uuid(), now() - n / 3 * interval '1 second', 'person', 'Ana',
      case n % 2 when 0 then 'key_created' else 'signed_in' end, n::text, case n % 2 when 1 then now() + interval '1 year' end
    from generate_series(1, 2500) n`.execute(db)
  await chainAudit(db, 5_000)
  const lines = await exported()
  assert.equal(new Set(lines.map(({ subject }) => subject)).size, 2_502)
  const times = lines.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
  for (const chain of ['acts', 'sign-ins']) {
    const numbers = lines.filter((line) => line.chain === chain).map(({ number }) => number)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    )
  }
  const { rows } = await sql<{
    hash: string
  }>`select encode(hash, 'hex') as hash from audit_chains order by chain`.execute(db)
  const last = (chain: string) => lines.findLast((line) => line.chain === chain)?.hash
  assert.deepEqual(
    [last('acts'), last('sign-ins')],
    rows.map(({ hash }) => hash),
  )
})

test('audit export --json prints one array', async () => {
  const { stdout } = await svc('audit export --json')
  const lines = await exported()
  assert.deepEqual(JSON.parse(stdout), lines)
  assert.equal((await svc('audit export --since 2999-01-01 --json')).stdout, '[]\n')
  assert.deepEqual(await exported('--since', '2999-01-01'), [])
})

test('audit export --since and --agency select', async () => {
  const lines = await exported()
  const middle = lines[1_000]?.at ?? ''
  assert.deepEqual(
    await exported('--since', middle),
    lines.filter(({ at }) => at >= middle),
  )
  assert.deepEqual(
    (await exported('--agency', 'sur')).map(({ subject }) => subject),
    ['sur'],
  )
  for (const [words, message] of [
    [['--since', 'yesterday'], /^--since yesterday is not a date/],
    [['--agency', 'nobody'], /No agency has the slug "nobody"/],
  ] as const) {
    const { code, stdout, stderr } = await svc('audit export', ...words)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
  }
})

test('doctor checks the chains of the audit log', async () => {
  assert.match(
    (await svc('doctor')).stdout,
    /^ok +audit log +1252 actions match, up to 1252 [0-9a-f]{16}…; 1250 sign-ins match/m,
  )
  await sql`delete from audit_log where expires_at is null and chain_number = 7`.execute(database.db)
  const { code, stdout } = await svc('doctor')
  assert.equal(code, 1)
  assert.match(stdout, /^WRONG +audit log +it was changed outside the service: actions: missing 7$/m)
})
