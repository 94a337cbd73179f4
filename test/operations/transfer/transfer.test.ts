/** An agency moves to another installation with everything that its listings are, or not at all. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import { publishable, testApp, type TestApp } from '../../support/app/app.ts'
import { databaseUrl, testDatabase } from '../../support/database/database.ts'
import { quickDirectory } from '../../support/quick-directory.ts'
import { accepted } from '../../support/app/listings.ts'
import { testSecretKey } from '../../support/app/server.ts'
import { type Svc, svcHere } from '../cli/svc.ts'

let t: TestApp
let target: Awaited<ReturnType<typeof testDatabase>>
let directory: string
let from: Svc
let to: Svc
let targetDataDir: string
before(async () => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-transfer-'))
  t = await testApp()
  target = await testDatabase()
  targetDataDir = join(directory, 'target')
  const { dataDir, secretKey } = t.deps.config
  from = svcHere({ DATABASE_URL: databaseUrl(t.connection), DATA_DIR: dataDir, SECRET_KEY: secretKey ?? '' })
  to = svcHere({
    DATABASE_URL: databaseUrl(target.connection),
    DATA_DIR: targetDataDir,
    SECRET_KEY: testSecretKey,
  })
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const response = await t.ask('POST', '/properties', { body: publishable() })
    assert.equal(response.status, 201, response.text)
    made.push(String(response.body.data['id']))
  }
  accepted(
    await t.ask('PATCH', `/properties/${made[0]}`, {
      body: { title: 'Otro título', description: 'Una línea\u2028y otra' },
    }),
  )
  accepted(await t.ask('DELETE', `/properties/${made[1]}`))
})
after(async () => {
  await t.close()
  await target.drop()
  rmSync(directory, { recursive: true, force: true })
})

async function exported(name: string): Promise<string> {
  const path = join(directory, name)
  const { code, stdout, stderr } = await from(`agency export ${t.agency.slug} --json --to`, path)
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), { agency: t.agency.slug, listings: 3, photos: 9 })
  return path
}

/** The agency's rows without ids, in an order that does not depend on them. */
async function rowsOf(connection: ClientConfig, slug: string): Promise<unknown[]> {
  const client = new Client(connection)
  await client.connect()
  const { rows } = await client.query<{ row: string }>(
    `select (to_jsonb(p) - '{agency_id,id,public_id}'::text[])::text as row from properties p join agencies a on a.id = agency_id where a.slug = $1
    union all select (to_jsonb(h) - '{agency_id,property_id,actor_id}'::text[])::text from listing_history h join agencies a on a.id = agency_id where a.slug = $1
    union all select (to_jsonb(s) - '{agency_id,property_id}'::text[])::text from photo_sources s join agencies a on a.id = agency_id where a.slug = $1
    union all select (to_jsonb(a) - '{id,slug,created_at,updated_at}'::text[])::text from agencies a where slug = $1
    union all select revision::text from agency_revisions r join agencies a on a.id = agency_id where a.slug = $1
    order by 1`,
    [slug],
  )
  await client.end()
  return rows.map(({ row }) => row)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
}

describe('an agency', () => {
  test('is imported field for field, with its history and its photos, under new ids', async () => {
    const path = await exported('whole')
    const { code, stdout, stderr } = await to('agency import --json', path)
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), { agency: t.agency.slug, listings: 3, photos: 9 })
    assert.deepEqual(
      await rowsOf(target.connection, t.agency.slug),
      await rowsOf(t.connection, t.agency.slug),
    )
    const [stored = ''] = readdirSync(join(targetDataDir, 'photos'))
    assert.notEqual(stored, t.agency.id)
    const [was, is] = [
      join(t.deps.config.dataDir, 'photos', t.agency.id),
      join(targetDataDir, 'photos', stored),
    ]
    assert.deepEqual(filesBelow(is), filesBelow(was))
    for (const name of filesBelow(was))
      assert.deepEqual(readFileSync(join(is, name)), readFileSync(join(was, name)))
    const client = new Client(target.connection)
    await client.connect()
    const { rows } = await client.query(
      `select (select count(*)::int from unreferenced_photos) as photos, (select count(*)::int from notification_events) as events,
        (select string_agg(action || ' ' || subject, ',') from audit_log) as log`,
    )
    await client.end()
    assert.deepEqual(rows, [{ photos: 0, events: 0, log: `agency_imported ${t.agency.slug}` }])
  })

  test('is copied on the same installation under another slug', async () => {
    const path = await exported('copied')
    assert.match((await from('agency import', path)).stderr, /slug/)
    assert.equal((await from('agency import --slug copy', path)).code, 0)
    assert.deepEqual(await rowsOf(t.connection, 'copy'), await rowsOf(t.connection, t.agency.slug))
  })

  test('that does not exist is not exported, and leaves no directory', async () => {
    const path = join(directory, 'unknown')
    assert.equal((await from('agency export nobody --to', path)).code, 1)
    assert.ok(!readdirSync(directory).includes('unknown'))
    writeFileSync(path, '')
    rmSync(path)
    const whole = join(directory, 'whole')
    assert.match((await from(`agency export ${t.agency.slug} --to`, whole)).stderr, /is not empty/)
    assert.ok(readdirSync(whole).includes('manifest.json'))
  })
})

describe('an export that was changed is refused, and leaves no agency', () => {
  const changes: Record<string, [(path: string) => void, RegExp]> = {
    'a line more': [
      (path) => appendFileSync(join(path, 'history.jsonl'), readFileSync(join(path, 'history.jsonl'))),
      /duplicate key|history\.jsonl was changed/,
    ],
    'a picture': [
      (path) => {
        const [name = ''] = filesBelow(join(path, 'photos'))
        appendFileSync(join(path, 'photos', name), 'x')
      },
      /was changed/,
    ],
    'no manifest': [(path) => rmSync(join(path, 'manifest.json')), /no export, or an unfinished one/],
    'a manifest that cannot be read': [
      (path) => {
        rmSync(join(path, 'manifest.json'))
        symlinkSync('manifest.json', join(path, 'manifest.json'))
      },
      /^ELOOP/,
    ],
    'another version': [
      (path) => {
        const file = join(path, 'manifest.json')
        const manifest = JSON.parse(readFileSync(file, 'utf8'))
        manifest.columns.properties.push('another')
        writeFileSync(file, JSON.stringify(manifest))
      },
      /whose tables differ/,
    ],
    'a path out of the directory': [
      (path) => {
        const line = `${JSON.stringify({ photo: '../..', file: 'manifest.json', bytes: 1, sha256: '' })}\n`
        writeFileSync(join(path, 'photos.jsonl'), line)
        const file = join(path, 'manifest.json')
        const manifest = JSON.parse(readFileSync(file, 'utf8'))
        manifest.sha256['photos.jsonl'] = createHash('sha256').update(line).digest('hex')
        writeFileSync(file, JSON.stringify(manifest))
      },
      /unknown picture/,
    ],
  }
  for (const [what, [change, line]] of Object.entries(changes))
    test(what, async () => {
      const path = await exported(`changed ${what}`)
      change(path)
      const { code, stderr } = await to('agency import --slug changed', path)
      assert.equal(code, 1)
      assert.match(stderr, line)
      assert.deepEqual(await rowsOf(target.connection, 'changed'), [])
    })
})
