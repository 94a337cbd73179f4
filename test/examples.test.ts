/**
 * The programs of examples/ do what they say, in each language that this machine has, against the service as it is.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { type TestApp, testApp } from './support/app.ts'
import { listingOf, type Shown } from './support/listings.ts'
import { quickDirectory } from './support/quick-directory.ts'
import { surroundings } from './support/server.ts'

let app: TestApp
let proxy: Awaited<ReturnType<typeof droppingProxy>>
let directory: string
before(async () => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-examples-'))
  app = await testApp({ limits: { new_listings_per_day: 8 } })
  proxy = await droppingProxy(app.baseUrl)
})
after(async () => {
  proxy.close()
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

const examples = join(import.meta.dirname, '../examples')
const languages = [
  { name: 'TypeScript', command: process.execPath, file: (name: string) => `typescript/${name}.ts` },
  { name: 'PHP', command: 'php', file: (name: string) => `php/${name}.php` },
  { name: 'Python', command: 'python3', file: (name: string) => `python/${name.replaceAll('-', '_')}.py` },
] as const
type Language = (typeof languages)[number]

describe('examples', { concurrency: true }, () => {
  for (const language of languages) {
    const isThere = spawnSync(language.command, ['--version']).status === 0
    const skip = isThere ? false : `${language.command} is not installed`
    describe(language.name, { skip }, () => {
      it('a request: signed anew for every attempt, with one Idempotency-Key', () => requests(language))
      it('nightly sync', () => nightlySync(language))
    })
  }
})

async function requests(language: Language): Promise<void> {
  const { agency } = await app.newAgency()
  const key = await app.newKey(agency.id, { scopes: ['properties:write'], signature_required: true })
  const settings = {
    SVC_BASE_URL: proxy.url,
    SVC_API_KEY: key.key,
    SVC_SIGNING_SECRET: key.signing_secret ?? '',
  }
  const target = `/api/v1/properties/external/SIGNED-${language.name}`
  const written = await run(language, 'api', ['PUT', target, '{"title": "Casa con jardín"}'], settings)
  assert.equal(written.code, 0, written.stderr)
  assert.equal(JSON.parse(written.stdout).data.title, 'Casa con jardín')

  // The answer to the first attempt was dropped; the second got the same one.
  const attempts = proxy.seen(target)
  assert.deepEqual(
    attempts.map(({ status }) => status),
    [201, 201],
  )
  assert.equal(new Set(attempts.map(({ headers }) => headers['x-svc-signature'])).size, 2)
  assert.equal(new Set(attempts.map(({ headers }) => headers['idempotency-key'])).size, 1)

  const refused = await run(language, 'api', ['GET', '/api/v1/properties/NOTTHERE'], settings)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /404 not_found: /)
}

async function nightlySync(language: Language): Promise<void> {
  const { writeKey } = await app.newAgency()
  const csv = join(directory, `${language.name}.csv`)
  copyFileSync(join(examples, 'listings.csv'), csv)
  const edit = (...changes: [string | RegExp, string][]) =>
    writeFileSync(
      csv,
      changes.reduce((rows, [from, to]) => rows.replace(from, to), readFileSync(csv, 'utf8')),
    )
  const settings = {
    SVC_BASE_URL: app.baseUrl,
    SVC_API_KEY: writeKey,
    SVC_PATIENCE: '0',
    PHOTOS_URL: 'https://photos.example/',
  }
  const sync = (...words: string[]) => run(language, 'nightly-sync', [csv, ...words], settings)
  const shown = async (id: string): Promise<Shown> =>
    listingOf(await app.ask('GET', `/properties/external/${id}`, { key: writeKey }))
  const all = async () => {
    const answer = await app.ask('GET', '/properties?status=all', { key: writeKey })
    const { data } = answer.body as unknown as { data: Shown[] }
    return {
      tag: answer.headers.get('etag'),
      states: data.map(({ external_id: id, status }) => `${id} ${status}`).sort(),
    }
  }

  // Killed in the middle, it goes on.
  const killed = start(language, 'nightly-sync', [csv], settings)
  for await (const piece of killed.stdout ?? [])
    if (String(piece).includes('CRM-1003')) killed.kill('SIGKILL')
  const first = await sync()
  assert.equal(first.code, 0, first.stdout + first.stderr)
  const complete = await all()
  assert.deepEqual(
    complete.states,
    [1, 2, 3, 4, 5, 6, 7].map((n) => `CRM-100${n} ${n === 7 ? 'draft' : 'published'}`),
  )
  const house = await shown('CRM-1001')
  assert.equal(
    house.description,
    'Living comedor, cocina independiente y parrilla.\nJardín al fondo, "muy soleado".',
  )
  assert.deepEqual(house.price, { amount: 120_000, currency: 'USD', on_request: false })
  assert.equal((await shown('CRM-1006')).price.period, 'night')

  // Nothing has changed.
  const second = await sync()
  assert.equal(second.stdout, '0 created, 0 updated, 7 unchanged, 0 failed, 0 gone\n')
  assert.equal((await all()).tag, complete.tag)

  // A price, a state, photos, a row that is gone, one that is wrong, one too many for today, and one behind it.
  edit(
    [';120000;', ';115000;'],
    ['4.jpg 5.jpg 6.jpg;si', '4.jpg 5.jpg 6.jpg;no'],
    [/^CRM-1003.*\n/m, ''],
    [';650000;', ';mucho;'],
    ['10.jpg 11.jpg 12.jpg', '12.jpg 10.jpg 13.jpg'],
    [/^CRM-1006/m, 'CRM-1008;Uno\nCRM-1009;Dos\nCRM-1006'],
    ['Cabaña con vista', 'Casa con vista'],
  )
  const [cover] = (await shown('CRM-1005')).photos
  const third = await sync()
  assert.equal(third.code, 1)
  assert.match(third.stdout, /^CRM-1003 gone *$/m)
  assert.match(third.stdout, /^CRM-1004 failed: precio: mucho is not a number$/m)
  assert.match(third.stdout, /^CRM-1009 failed: 429 rate_limited/m)
  assert.match(third.stdout, /^1 created, 4 updated, 1 unchanged, 2 failed, 1 gone$/m)
  assert.equal((await shown('CRM-1001')).price.amount, 115_000)
  assert.equal((await shown('CRM-1002')).status, 'disabled')
  assert.equal((await shown('CRM-1003')).status, 'published')
  const { photos } = await shown('CRM-1005')
  assert.deepEqual([photos.length, photos[1]], [3, cover])
  assert.equal((await shown('CRM-1006')).title, 'Casa con vista al lago')

  // What went up and comes back down is a change, though the same request was answered today. What is gone is deleted when asked.
  edit([';115000;', ';120000;'], [';mucho;', ';650000;'], [/^CRM-1009.*\n/m, ''], ['6.jpg;no', '6.jpg;si'])
  const fourth = await sync('--delete-gone')
  assert.equal(fourth.code, 0, fourth.stdout + fourth.stderr)
  assert.match(fourth.stdout, /^CRM-1003 deleted$/m)
  assert.equal((await shown('CRM-1001')).price.amount, 120_000)
  assert.deepEqual(
    (await all()).states,
    [1, 2, 4, 5, 6, 7, 8].map((n) => `CRM-100${n} ${n > 6 ? 'draft' : 'published'}`),
  )
}

function start(
  { command, file }: Language,
  program: string,
  words: readonly string[],
  settings: Record<string, string>,
): ChildProcess {
  return spawn(command, [join(examples, file(program)), ...words], {
    env: { ...surroundings, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs it to its end. */
async function run(...program: Parameters<typeof start>) {
  const child = start(...program)
  assert.ok(child.stdout !== null && child.stderr !== null)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/** A proxy that drops the answer to the first attempt of every write. */
async function droppingProxy(to: string) {
  const requests: { target: string; headers: IncomingHttpHeaders; status: number }[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const body = await text(request)
    const passed = Object.entries(headers).filter(
      ([name]) => !['host', 'connection', 'content-length'].includes(name),
    )
    const answer = await fetch(to + target, {
      method,
      headers: passed as [string, string][],
      ...(body === '' ? {} : { body }),
    })
    const isFirst = method !== 'GET' && !requests.some((earlier) => earlier.target === target)
    requests.push({ target, headers, status: answer.status })
    if (isFirst) return void response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (target: string) => requests.filter((request) => request.target === target),
    close: () => void server.close().closeAllConnections(),
  }
}
