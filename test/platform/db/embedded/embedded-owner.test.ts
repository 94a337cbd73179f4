/** A data directory whose database is elsewhere: a copy of it has the same link, and must not open the original's database. */
// alone: waits for databases to start and stop
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, beforeEach, test } from 'node:test'
import { DatabaseStartError } from '../../../../src/platform/db/presence/database-start-error.ts'
import { svcHere } from '../../../operations/cli/svc.ts'
import { ask, base, start } from './embedded-support.ts'

/** The original, its copy, and the database that the links of both point to. */
const original = join(base, 'original')
const copy = join(base, 'copy')
const home = join(base, 'elsewhere', 'home')
const record = join(home, 'owner.json')

const ownerOf = () => (JSON.parse(readFileSync(record, 'utf8')) as { path: string }).path
const cp = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
const notesIn = async (dataDir: string) => {
  const { connection, release } = await start({ dataDir })
  const rows = await ask<{ text: string }>(connection, 'select text from notes')
  await release()
  return rows.map(({ text }) => text)
}
const refusal = (error: unknown): boolean => {
  assert.ok(error instanceof DatabaseStartError)
  assert.match(error.message, /^\S+ is a link to the database of \S+, and \S+ is a copy of that: [^\n]+$/)
  for (const path of [join(copy, 'postgres-18'), original, home, record])
    assert.ok(error.message.includes(path), `${path}: ${error.message}`)
  return true
}

before(async () => {
  mkdirSync(home, { recursive: true })
  mkdirSync(original)
  // Accessible to the user that runs PostgreSQL, whatever the umask.
  for (const directory of [join(home, '..'), original]) chmodSync(directory, 0o755)
  symlinkSync(home, join(original, 'postgres-18'))
  const { connection, release } = await start({ dataDir: original })
  await ask(connection, `create table notes (text text); insert into notes values ('original')`)
  await release()
})
beforeEach(() => {
  rmSync(copy, { recursive: true, force: true })
  assert.equal(ownerOf(), original)
})

test('a copied data directory is refused in one line, and the original keeps working', async () => {
  cp(original, copy)
  await assert.rejects(start({ dataDir: copy }), refusal)
  assert.deepEqual(await notesIn(original), ['original'])
  await assert.rejects(start({ dataDir: copy }), refusal)
})

test('a copied data directory is refused while the original runs', async () => {
  cp(original, copy)
  const running = await start({ dataDir: original })
  await assert.rejects(start({ dataDir: copy }), refusal)
  await running.release()
})

test('doctor reports a copied data directory', async () => {
  cp(original, copy)
  const { code, stdout } = await svcHere({ DATA_DIR: copy, GEOCODER: 'none' })('doctor --json')
  assert.notEqual(code, 0)
  const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] }
  const database = checks.find(({ name }) => name === 'database')
  assert.equal(database?.ok, false)
  assert.match(database?.detail ?? '', /is a link to the database of/)
})

test('a copied data directory that contains the link’s target is a separate database', async () => {
  const archive = join(base, 'backup.tar')
  execFileSync('tar', ['-C', original, '-chpf', archive, '.'])
  mkdirSync(copy)
  execFileSync('tar', ['-C', copy, '-xpf', archive])
  const { connection, release } = await start({ dataDir: copy })
  await ask(connection, `insert into notes values ('copy')`)
  await release()
  assert.deepEqual(await notesIn(copy), ['original', 'copy'])
  assert.deepEqual(await notesIn(original), ['original'])
})

test('the same data directory under another path is the owner', async () => {
  symlinkSync(original, copy)
  for (const dataDir of [copy, `${base}/./elsewhere/../original/`])
    assert.deepEqual(await notesIn(dataDir), ['original'])
  assert.equal(ownerOf(), original)
})

test('a data directory that was moved stays the owner, and its new path is recorded', async () => {
  renameSync(original, copy)
  assert.deepEqual(await notesIn(copy), ['original'])
  assert.equal(ownerOf(), copy)
  renameSync(copy, original)
  assert.deepEqual(await notesIn(original), ['original'])
})

test('a data directory that was copied to the original’s place is the owner', async () => {
  cp(original, copy)
  rmSync(original, { recursive: true })
  await assert.rejects(start({ dataDir: copy }), refusal)
  cp(copy, original)
  assert.deepEqual(await notesIn(original), ['original'])
})

test('a database whose owner’s record is missing or truncated is recorded at the next start', async () => {
  for (const leave of [() => rmSync(record), () => writeFileSync(record, '{"path":')]) {
    leave()
    assert.deepEqual(await notesIn(original), ['original'])
    assert.equal(ownerOf(), original)
  }
})

test('without the owner’s record, a copied data directory takes the database over', async () => {
  cp(original, copy)
  rmSync(record)
  assert.deepEqual(await notesIn(copy), ['original'])
  assert.equal(ownerOf(), copy)
  rmSync(record)
  assert.deepEqual(await notesIn(original), ['original'])
})
