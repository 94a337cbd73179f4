/** PostgreSQL's programs are found for this platform, and copied where the user that runs them can read them. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getBinaries, reachableBinaries } from '../../../../src/platform/db/embedded/embedded-binaries.ts'

const base = mkdtempSync(join(tmpdir(), 'binaries-'))
chmodSync(base, 0o755)
after(() => rmSync(base, { recursive: true, force: true }))
const otherUser = { uid: 65_533, gid: 65_533 }

test('PostgreSQL’s programs for this platform are found, with their version', () => {
  const { directory, major, version } = getBinaries()
  assert.ok(statSync(join(directory, 'bin', 'initdb')).isFile())
  assert.equal(version.split('.')[0], String(major))
})

test('programs in a private directory are copied once, to a place where the other user can run them', () => {
  const closed = join(base, 'closed')
  const native = join(closed, 'native')
  mkdirSync(join(native, 'bin'), { recursive: true })
  mkdirSync(join(native, 'lib'))
  writeFileSync(join(native, 'bin', 'postgres'), 'program', { mode: 0o700 })
  writeFileSync(join(native, 'lib', 'library.so.1'), 'library', { mode: 0o600 })
  symlinkSync('library.so.1', join(native, 'lib', 'library.so'))
  chmodSync(closed, 0o700)

  const lines: string[] = []
  const system = join(base, 'system')
  const binaries = { directory: native, major: 18, version: '18.0' }
  const copy = () => reachableBinaries(binaries, otherUser, system, (line) => lines.push(line))
  const { directory } = copy()
  assert.equal(directory, join(system, 'postgresql-18.0'))
  assert.equal(statSync(join(directory, 'bin', 'postgres')).mode & 0o777, 0o755)
  assert.equal(statSync(join(directory, 'lib', 'library.so.1')).mode & 0o777, 0o644)
  assert.equal(readFileSync(join(directory, 'lib', 'library.so'), 'utf8'), 'library')
  assert.equal(copy().directory, directory)
  assert.equal(lines.length, 1)

  chmodSync(join(native, 'bin', 'postgres'), 0o755)
  chmodSync(closed, 0o755)
  assert.equal(copy().directory, native)
})
