/** The command line without DATABASE_URL: it starts the embedded database, shares it, and the last one stops it. */
// alone: it waits for databases that start and stop
import assert from 'node:assert/strict'
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startEmbedded } from '../../../src/platform/db/embedded/embedded.ts'
import { type Svc, svcProcess } from './svc.ts'

let dataDir: string
let svc: Svc
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-'))
  svc = svcProcess({ DATA_DIR: dataDir })
})
after(async () => {
  // When root runs the tests, the database is elsewhere and a link points to it.
  for (const home of await homes()) await rm(home, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
})

/** The actual location of PostgreSQL's files. */
async function homes(): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('postgres-'))
  return await Promise.all(names.map((name) => realpath(join(dataDir, name))))
}

test('concurrent first commands start from nothing, and leave nothing running', async () => {
  const results = await Promise.all(
    ['one', 'two', 'three'].map((slug) => svc(`agency create --name ${slug} --slug ${slug} --json`)),
  )
  for (const { code, stderr } of results) assert.deepEqual([code, stderr], [0, ''])
  for (const home of await homes()) assert.ok(!(await readdir(join(home, 'data'))).includes('postmaster.pid'))
  const listed = await svc('agency list --json')
  assert.deepEqual(
    (JSON.parse(listed.stdout) as { slug: string }[]).map(({ slug }) => slug),
    ['one', 'three', 'two'],
  )
})

test('a command leaves a database running that someone else uses', async () => {
  const server = await startEmbedded({ dataDir, log: () => {}, isServer: true })
  try {
    assert.equal((await svc('agency list --json')).code, 0)
    assert.ok((await readdir(join(server.home, 'data'))).includes('postmaster.pid'))
  } finally {
    await server.release()
  }
})

test('keys created in separate commands share the stored secret key', async () => {
  const create = 'key create --agency one --name Signed --scope properties:read --signature-required'
  assert.equal((await svc(create)).code, 0)
  assert.equal((await svc(create)).code, 0)
  const doctor = JSON.parse((await svc('doctor --json')).stdout)
  assert.equal(doctor.ok, true, JSON.stringify(doctor))
})
