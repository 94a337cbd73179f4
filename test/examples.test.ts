/** Runs the programs of examples/ against the service, in each language available on this machine. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort } from './support/network/free-port.ts'
import { photoUrls, publishable, type TestApp, testApp } from './support/app/app.ts'
import {
  examples,
  lacksExtension,
  type Language,
  languages,
  openProxy,
  run,
  serve,
  start,
} from './support/programs/example-programs.ts'
import { listingOf, type Shown } from './support/app/listings.ts'
import { quickDirectory } from './support/quick-directory.ts'

let app: TestApp
let directory: string
before(async () => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-examples-'))
  app = await testApp({ limits: { new_listings_per_day: 8 } })
})
after(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

describe('examples', { concurrency: true }, () => {
  for (const language of languages) {
    describe(language.name, { skip: language.lacks, concurrency: 1 }, () => {
      test('signs each attempt of a request separately, with one Idempotency-Key', () => requests(language))
      test('syncs nightly', () => nightlySync(language))
      test('writes a portal feed', () => portalFeed(language))
      test(
        'serves a website from a copy',
        { skip: language.lacks || lacksExtension(language, 'pdo_sqlite') },
        () => website(language),
      )
    })
  }
})

async function requests(language: Language): Promise<void> {
  await using proxy = await openProxy(app.baseUrl, { dropsFirst: true })
  const { agency } = await app.newAgency()
  const key = await app.newKey(agency.id, { scopes: ['properties:write'], signature_required: true })
  const settings = {
    SVC_BASE_URL: proxy.url,
    SVC_API_KEY: key.key,
    SVC_SIGNING_SECRET: key.signing_secret ?? '',
  }
  const target = `/api/v1/properties/external/SIGNED-1`
  const written = await run(language, 'api', ['PUT', target, '{"title": "Casa con jardín"}'], settings)
  assert.equal(written.code, 0, written.stderr)
  assert.equal(JSON.parse(written.stdout).data.title, 'Casa con jardín')

  // The response to the first attempt was dropped; the retry got the same one.
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
    const response = await app.ask('GET', '/properties?status=all', { key: writeKey })
    const { data } = response.body as unknown as { data: Shown[] }
    return {
      tag: response.headers.get('etag'),
      states: data.map(({ external_id: id, status }) => `${id} ${status}`).sort(),
    }
  }

  // A dry run changes nothing.
  const tried = await run(language, 'nightly-sync', [csv], { ...settings, SVC_DRY_RUN: '1' })
  assert.equal(tried.code, 0, tried.stdout + tried.stderr)
  assert.match(tried.stdout, /^7 created, 0 updated, /m)
  assert.deepEqual((await all()).states, [])

  // Resumes after being killed halfway.
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
  assert.equal(second.stdout, '0 created, 0 updated, 7 unchanged, 0 postponed, 0 failed, 0 gone\n')
  assert.equal((await all()).tag, complete.tag)

  // A file that lost its rows deletes nothing.
  const rows = readFileSync(csv, 'utf8')
  writeFileSync(csv, rows.slice(0, rows.indexOf('\n')))
  const emptied = await sync('--delete-gone')
  assert.deepEqual([emptied.code, (await all()).tag], [1, complete.tag], emptied.stdout)
  writeFileSync(csv, rows)

  // A new price, a new state, new photos, a removed row, an invalid row, two rows over today's limit, and one after them.
  edit(
    [';120000;', ';115000;'],
    ['4.jpg 5.jpg 6.jpg;si', '4.jpg 5.jpg 6.jpg;no'],
    [/^CRM-1003.*\n/m, ''],
    [';650000;', ';mucho;'],
    ['10.jpg 11.jpg 12.jpg', '12.jpg 10.jpg 13.jpg'],
    [/^CRM-1006/m, 'CRM-1008;Uno\nCRM-1009;Dos\nCRM-1010;Tres\nCRM-1006'],
    ['Cabaña con vista', 'Casa con vista'],
  )
  const [cover] = (await shown('CRM-1005')).photos
  const third = await sync()
  assert.equal(third.code, 1)
  assert.match(third.stdout, /^CRM-1003 gone *$/m)
  assert.match(third.stdout, /^CRM-1004 failed: precio: mucho is not a number$/m)
  assert.match(third.stdout, /^CRM-1009 postponed: 429 rate_limited/m)
  assert.match(third.stdout, /^1 created, 4 updated, 1 unchanged, 2 postponed, 1 failed, 1 gone$/m)
  assert.equal((await shown('CRM-1001')).price.amount, 115_000)
  assert.equal((await shown('CRM-1002')).status, 'disabled')
  assert.equal((await shown('CRM-1003')).status, 'published')
  const { photos } = await shown('CRM-1005')
  assert.deepEqual([photos.length, photos[1]], [3, cover])
  assert.equal((await shown('CRM-1006')).title, 'Casa con vista al lago')

  // Editing a value back is a change, even though the same request got a response earlier today. Removed rows are deleted on request.
  edit(
    [';115000;', ';120000;'],
    [';mucho;', ';650000;'],
    [/^CRM-1009.*\nCRM-1010.*\n/m, ''],
    ['6.jpg;no', '6.jpg;si'],
  )
  const fourth = await sync('--delete-gone')
  assert.equal(fourth.code, 0, fourth.stdout + fourth.stderr)
  assert.match(fourth.stdout, /^CRM-1003 deleted$/m)
  assert.equal((await shown('CRM-1001')).price.amount, 120_000)
  assert.deepEqual(
    (await all()).states,
    [1, 2, 4, 5, 6, 7, 8].map((n) => `CRM-100${n} ${n > 6 ? 'draft' : 'published'}`),
  )

  // A listing that a person sold stays sold when its row changes, and returns once the row has agreed in between.
  await app.ask('POST', `/properties/${house.id}/disable`, { key: writeKey, body: { reason: 'sold' } })
  edit([';120000;', ';110000;'])
  const fifth = await sync()
  assert.equal(fifth.code, 0, fifth.stdout + fifth.stderr)
  assert.match(fifth.stdout, /^CRM-1001 updated\n {2}was disabled elsewhere, and stays so$/m)
  assert.equal((await shown('CRM-1001')).status, 'disabled')
  edit(['3.jpg;si', '3.jpg;no'])
  await sync()
  edit(['3.jpg;no', '3.jpg;si'])
  assert.doesNotMatch((await sync()).stdout, /elsewhere/)
  assert.equal((await shown('CRM-1001')).status, 'published')
}

async function portalFeed(language: Language): Promise<void> {
  await using proxy = await openProxy(app.baseUrl)
  const agency = await someListings()
  const path = join(directory, `${language.name}.ndjson`)
  const settings = { SVC_BASE_URL: proxy.url, SVC_API_KEY: agency.readKey }
  type Line = { id: string; listing?: Shown; removed?: string }
  const linesOf = () =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line): Line => JSON.parse(line))
  /** Checks that the feed holds what the list shows. @returns why other listings are gone */
  const check = async () => {
    const ran = await run(language, 'portal-feed', [path], settings)
    assert.equal(ran.code, 0, ran.stderr)
    const lines = linesOf()
    const listed = await agency.published()
    assert.deepEqual(
      lines
        .flatMap(({ listing }) =>
          listing === undefined ? [] : [[listing.id, listing.title, listing.photos]],
        )
        .sort(),
      listed.map(({ id, title, photos }) => [id, title, photos]).sort(),
    )
    return Object.fromEntries(
      lines.flatMap(({ id, removed }) => (removed === undefined ? [] : [[id, removed]])),
    )
  }

  assert.deepEqual(await check(), {})
  await agency.change()
  const gone = { [agency.suspended]: 'unpublished', [agency.deleted]: 'deleted' }
  assert.deepEqual(await check(), gone)
  const before = readFileSync(path, 'utf8')
  assert.deepEqual(await check(), gone)
  assert.equal(readFileSync(path, 'utf8'), before, 'nothing was new')

  // An invalid cursor and a listing that no longer exists: the feed starts over.
  const [head = '', ...lines] = before.split('\n')
  const lost = JSON.stringify({ id: '22222222', listing: linesOf().find(({ listing }) => listing)?.listing })
  writeFileSync(path, [head.replace(/"cursor":\s*"[^"]+"/, '"cursor":"lost"'), lost, ...lines].join('\n'))
  assert.deepEqual(await check(), { 22222222: 'deleted', ...gone })
}

async function website(language: Language): Promise<void> {
  await using proxy = await openProxy(app.baseUrl)
  const agency = await someListings()
  const settings = {
    SVC_BASE_URL: proxy.url,
    SVC_API_KEY: agency.readKey,
    WEBSITE_COPY: join(directory, `${language.name}.copy`),
    WEBSITE_FRESH_SECONDS: '0',
    PORT: String(await freePort()),
  }
  const open = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${settings.PORT}${path}`)
    return { status: response.status, page: await response.text() }
  }
  const stop = await serve(language, 'website', settings)
  try {
    const shows = async () => {
      const { status, page } = await open('/')
      assert.equal(status, 200)
      const ids = [...page.matchAll(/\?id=(\w+)/g)].map(([, id = '']) => id)
      assert.deepEqual(ids.sort(), (await agency.published()).map(({ id }) => id).sort())
      return page
    }
    assert.match(await shows(), /Casa &(lt|#60);b&(gt|#62); &(amp|#38); jardín/)
    assert.match((await open(`/?id=${agency.edited}`)).page, /Con quincho &(lt|#60);i&(gt|#62);/)
    assert.equal((await open(`/?id=${agency.deleted}`)).status, 200)
    assert.equal((await open('/?id=22222222')).status, 404)

    await agency.change()
    assert.match(await shows(), /Casa reformada/)
    assert.equal((await open(`/?id=${agency.deleted}`)).status, 404)
    for (const _ of [1, 2]) assert.match((await open(`/?id=${agency.edited}`)).page, /Casa reformada/)
    const reads = proxy.seen(`/api/v1/properties/${agency.edited}`)
    assert.deepEqual(
      reads.map(({ status }) => status),
      [200, 200, 304],
    )

    // The copy is served while the service is down.
    proxy.breakDown()
    assert.match((await open('/')).page, /Casa reformada/)
    assert.match((await open(`/?id=${agency.edited}`)).page, /Con quincho/)
  } finally {
    await stop()
  }
}

/** An agency with published listings and a draft; `change` edits, suspends, deletes and publishes one each. */
async function someListings() {
  const { readKey, writeKey: key } = await app.newAgency()
  const photos = photoUrls(3, 'examples')
  const create = async (changes: Record<string, unknown>) => {
    const body = publishable({ photos, ...changes })
    const response = await app.ask('POST', '/properties', { key, body })
    assert.equal(response.status, 201, response.text)
    return listingOf(response).id
  }
  const edited = await create({ title: 'Casa <b> & jardín', description: 'Con quincho <i>' })
  const suspended = await create({})
  const deleted = await create({})
  const draft = await create({ status: 'draft' })
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await app.ask(method, `/properties/${path}`, { key, body })
    assert.equal(response.status, 200, response.text)
    return response
  }
  return {
    readKey,
    edited,
    suspended,
    deleted,
    async published(): Promise<Shown[]> {
      const { body } = await app.ask('GET', '/properties', { key: readKey })
      return (body as unknown as { data: Shown[] }).data
    },
    async change() {
      await ask('PATCH', edited, { title: 'Casa reformada' })
      await ask('POST', `${suspended}/disable`)
      await ask('DELETE', deleted)
      await ask('POST', `${draft}/enable`)
    },
  }
}
