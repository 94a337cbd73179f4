/** Data directories that are hard to use: a long path, damaged data, another version's, or below a directory that only root can enter. */
// alone: waits for databases to start and stop
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseStartError } from '../../../../src/platform/db/presence/database-start-error.ts'
import { ask, base, isRoot, start } from './embedded-support.ts'

test('a long path of the data directory works', async () => {
  const directory = join(base, 'l'.repeat(120), 'o'.repeat(120))
  const embedded = await start({ dataDir: directory })
  assert.deepEqual(await ask(embedded.connection, 'select 1 as one'), [{ one: 1 }])
  await embedded.release()
})

test('a failed start of PostgreSQL is reported in one line, with the end of the log', async () => {
  const directory = join(base, 'broken')
  await (await start({ dataDir: directory })).release()
  rmSync(join(directory, 'postgres-18', 'data', 'global', 'pg_control'))
  await assert.rejects(start({ dataDir: directory }), (error) => {
    assert.ok(error instanceof DatabaseStartError)
    const [line, ...log] = error.message.split('\n')
    assert.match(String(line), /^The embedded database did not start\. The end of .*postgres\.log:$/)
    assert.match(log.join('\n'), /pg_control/)
    return true
  })
})

test('a database of another PostgreSQL version is refused rather than ignored', async () => {
  const directory = join(base, 'older')
  mkdirSync(join(directory, 'postgres-17'), { recursive: true })
  await assert.rejects(start({ dataDir: directory }), /postgres-17 is of another PostgreSQL version/)
})

test(
  'below a private directory, root keeps the database elsewhere, always in the same place',
  { skip: !isRoot && 'not root' },
  async () => {
    const closed = join(base, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const directory = join(closed, 'data')
    const lines: string[] = []
    const options = { dataDir: directory, log: (line: string) => lines.push(line) }

    const first = await start(options)
    assert.ok(first.home.startsWith(join(base, 'system')))
    assert.equal(realpathSync(join(directory, 'postgres-18')), first.home)
    assert.match(lines.join('\n'), new RegExp(`is in ${first.home}, because`))
    await ask(first.connection, 'create table notes (text text)')
    await first.release()

    // It stays there even after the original place has become reachable.
    chmodSync(closed, 0o755)
    const second = await start(options)
    assert.equal(second.home, first.home)
    assert.deepEqual(await ask(second.connection, 'select text from notes'), [])
    await second.release()

    rmSync(second.home, { recursive: true })
    await assert.rejects(start(options), /is a link to a database that is gone/)
  },
)
