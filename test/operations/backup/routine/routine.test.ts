/** The routine backup: verified, the newest are kept, one at a time, and made by the worker when it is due. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { readFreshness } from '../../../../src/operations/backup/routine/freshness.ts'
import { openArchiveStore } from '../../../../src/operations/backup/archive/archive-store.ts'
import { makeRoutineBackup } from '../../../../src/operations/backup/routine/routine.ts'
import { readRoutine } from '../../../../src/operations/backup/routine/records.ts'
import { isDue } from '../../../../src/operations/backup/routine/schedule.ts'
import { exceptOnCitus } from '../../../support/database/citus.ts'
import { databaseUrl, testDatabase } from '../../../support/database/database.ts'
import { quickDirectory } from '../../../support/quick-directory.ts'
import { startServer, testSecretKey } from '../../../support/app/server.ts'
import { until } from '../../../support/until.ts'
import { svcHere, svcProcess } from '../../cli/svc.ts'

const refused = '`svc backup` refuses a distributed database'

const clock = { offsetMs: 0 }
let database: Awaited<ReturnType<typeof testDatabase>>
let directory: string
before(async () => {
  database = await testDatabase()
  directory = mkdtempSync(join(quickDirectory(), 'listings-routine-'))
})
after(async () => {
  await database.drop()
  rmSync(directory, { recursive: true, force: true })
})

const settingsFor = (to: string) => ({
  DATABASE_URL: databaseUrl(database.connection),
  DATA_DIR: join(directory, 'data'),
  SECRET_KEY: testSecretKey,
  BACKUP_TO: to,
  BACKUP_KEEP: '2',
})

type Record = { archive: string | null; is_verified: boolean; gone_at: string | null; error: string | null }
const records = async (): Promise<Record[]> =>
  (await sql<Record>`select * from backups where is_routine order by made_at`.execute(database.db)).rows

describe('a routine backup', exceptOnCitus(refused), () => {
  test('is verified and recorded, and the oldest beyond BACKUP_KEEP are deleted', async () => {
    const to = join(directory, 'kept')
    const svc = svcProcess(settingsFor(to))
    const made: { archive: string }[] = []
    for (let count = 0; count < 3; count += 1) {
      const { code, stdout, stderr } = await svc('backup --json')
      assert.equal(code, 0, stderr)
      made.push(JSON.parse(stdout))
      // By hand: never deleted, and no routine backup.
      if (count === 0) assert.equal((await svc(`backup --to ${to}`)).code, 0)
    }
    assert.deepEqual(
      made.map(({ archive }) => existsSync(archive)),
      [false, true, true],
    )
    assert.equal(readdirSync(to).length, 3)
    const rows = await records()
    assert.deepEqual(
      rows.map(({ archive, is_verified, gone_at, error }) => [archive, is_verified, gone_at === null, error]),
      made.map(({ archive }, index) => [archive, true, index > 0, null]),
    )
    const config = { backupTo: to, backupSchedule: null }
    assert.deepEqual(await readFreshness(database.db, clock, config), {
      state: 'fresh',
      ageHours: 0,
      error: null,
    })
  })

  test('that fails is recorded with the reason, until one succeeds', async () => {
    const to = join(directory, 'full')
    const svc = svcProcess(settingsFor(to))
    writeFileSync(join(directory, 'a file'), '')
    const failed = await svcHere(settingsFor(join(directory, 'a file', 'below')))('backup')
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /ENOTDIR/)
    const config = { backupTo: to, backupSchedule: '0 0 * * *' }
    const { state, error } = await readFreshness(database.db, clock, config)
    assert.equal(state, 'failed')
    assert.match(error ?? '', /ENOTDIR/)
    assert.equal((await svc('backup')).code, 0)
    assert.equal((await readFreshness(database.db, clock, config)).state, 'fresh')
  })

  test('waits for one that runs, and returns its archive', async () => {
    const svc = svcProcess(settingsFor(join(directory, 'twice')))
    const both = await Promise.all([svc('backup --json'), svc('backup --json')])
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    )
    assert.equal(both[0].stdout, both[1].stdout)
    assert.equal(readdirSync(join(directory, 'twice')).length, 1)
  })

  test('deletes the files of a killed one after a day', async () => {
    const to = join(directory, 'left')
    mkdirSync(to)
    for (const name of ['listings-old.tar.partial', 'listings-new.tar.partial', 'other.partial'])
      writeFileSync(join(to, name), '')
    for (const name of ['listings-old.tar.partial', 'other.partial']) utimesSync(join(to, name), 0, 0)
    assert.equal((await svcHere(settingsFor(to))(`backup --to ${to}`)).code, 0)
    assert.deepEqual(
      readdirSync(to).filter((name) => name.endsWith('.partial')),
      ['listings-new.tar.partial', 'other.partial'],
    )
  })

  test('that is interrupted leaves nothing', async () => {
    const archives = await openArchiveStore(join(directory, 'interrupted'), {
      s3Access: null,
      dataDir: directory,
    })
    const interruption = new AbortController()
    const source = { connection: database.connection, storage: null, bucket: null, secretKey: null }
    const making = makeRoutineBackup(source, archives, 2, {
      signal: interruption.signal,
      note: () => interruption.abort(),
    })
    await assert.rejects(making)
    assert.deepEqual(readdirSync(join(directory, 'interrupted')), [])
    assert.equal((await readRoutine(database.db, clock)).failed_at, null)
  })

  test('needs BACKUP_TO, and never contains the secret key', async () => {
    const { BACKUP_TO: _, ...settings } = settingsFor('')
    assert.match((await svcHere(settings)('backup')).stderr, /^--to is missing, and BACKUP_TO is not set/)
    const withKey = await svcHere(settingsFor(directory))('backup --with-secret-key')
    assert.match(withKey.stderr, /^--with-secret-key needs --to/)
  })
})

describe('the schedule of backups', () => {
  const schedule = '30 3 * * *'
  const cases = [
    ['is due at once without any backup', '2026-11-28T12:00:00.000Z', null, null, true],
    ['is not due before its time', '2026-11-28T03:29:00.000Z', '2026-11-27T03:30:10.000Z', null, false],
    ['is due from its time on', '2026-11-28T03:30:00.000Z', '2026-11-27T03:30:10.000Z', null, true],
    ['makes up for a time that passed', '2026-12-05T12:00:00.000Z', '2026-11-27T03:30:10.000Z', null, true],
    ['waits an hour after a failure', '2026-11-28T04:30:00.000Z', null, '2026-11-28T03:31:00.000Z', false],
    ['tries again then', '2026-11-28T04:31:00.000Z', null, '2026-11-28T03:31:00.000Z', true],
  ] as const
  for (const [name, now, madeAt, failedAt, expected] of cases)
    test(name, () => {
      // The tests' time zone is UTC.
      assert.equal(isDue(schedule, { now, made_at: madeAt, failed_at: failedAt, error: null }), expected)
    })

  test('is kept by the worker', exceptOnCitus(refused), async () => {
    const to = join(directory, 'scheduled')
    const { now } = await readRoutine(database.db, clock)
    await sql`delete from backups`.execute(database.db)
    const worker = await startServer(
      database.connection,
      { BACKUP_TO: to, BACKUP_SCHEDULE: schedule, BACKUP_KEEP: '2' },
      'worker',
    )
    try {
      await until(async () => (await readRoutine(database.db, clock)).made_at !== null)
      assert.ok(Date.parse((await readRoutine(database.db, clock)).made_at ?? '') >= Date.parse(now))
      assert.equal(readdirSync(to).length, 1)
    } finally {
      await worker.end()
    }
  })
})
