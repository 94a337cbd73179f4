/**
 * A list is one snapshot (api.md 14.4): rows, total and ETag belong together, even during writes. So an ETag identifies one body, and a 304
 * is always correct.
 */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { openReplica } from '../../../src/platform/db/replica.ts'
import { saveAgencyProfile } from '../../support/app/agency-profile.ts'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import { type SecondApp, secondApp } from '../../support/app/second-app.ts'

type Shown = { title: string; agency: { name: string } }
type Listed = { data: Shown[]; meta: { total: number } }

/** Caches no responses. */
let t: TestApp
/** Caches responses, and reads from a replica that is never behind. */
let other: SecondApp
let replica: SecondApp
/** The number of listings, which is also the newest one's title. */
let written = 0
/** The number in the agency's name. */
let renamed = 0
before(async () => {
  t = await testApp({ env: { ANSWER_CACHE_MB: '0' } })
  replica = await secondApp(t)
  t.deps.replica = openReplica(replica.db)
  other = await secondApp(t, undefined, { settings: { responseCacheMegabytes: 8 } })
  t.deps.replica = null
  for (let count = 0; count < 3; count += 1) await add(t.ask)
  await rename()
})
after(async () => {
  await other.close()
  await replica.close()
  await t.close()
})

/** In one transaction, adds a listing and updates the first one to the same number. */
async function add(ask: TestApp['ask']): Promise<void> {
  const number = written + 1
  const items = [
    { external_id: 'first', title: `Number ${number}` },
    { external_id: number === 1 ? 'first' : `N-${number}`, title: `Number ${number}` },
  ]
  const { status, text } = await ask('POST', '/properties/batch', { body: { items } })
  assert.equal(status, 200, text)
  written = number
}

async function rename(): Promise<void> {
  const number = renamed + 1
  await saveAgencyProfile(t.deps, t.agency.id, {
    name: `Agency ${number}`,
    slug: t.agency.slug,
    email: null,
  })
  renamed = number
}

const numberIn = (text: string | undefined): number => Number(/\d+$/.exec(text ?? '')?.[0] ?? 0)
const listed = (response: ApiResponse): Listed => response.body as unknown as Listed

/** Asserts that rows and total of a list, newest first, are one snapshot. @returns the number of writes and of renames before it */
function momentOf(response: ApiResponse): { written: number; renamed: number } {
  assert.equal(response.status, 200, response.text)
  const { data, meta } = listed(response)
  assert.equal(meta.total, numberIn(data[0]?.title), response.text)
  return { written: meta.total, renamed: Math.min(...data.map(({ agency }) => numberIn(agency.name))) }
}

const lists = ['/properties?status=all&per_page=2', '/properties?status=draft&fields=title,agency&per_page=5']
const etagOf = (response: ApiResponse) => response.headers.get('etag') ?? assert.fail('no ETag')

describe('between admission and the list', () => {
  let admit: TestApp['deps']['admit']
  let meanwhile: (() => Promise<void>) | null = null
  before(() => {
    admit = t.deps.admit
    t.deps.admit = async (...call) => {
      const response = await admit(...call)
      const work = meanwhile
      meanwhile = null
      await work?.()
      return response
    }
  })
  after(() => {
    t.deps.admit = admit
  })
  afterEach(() => {
    meanwhile = null
  })

  for (const path of lists)
    test(`a write changes the ETag: ${path}`, async () => {
      const first = await t.ask('GET', path)
      const before = momentOf(first)
      meanwhile = () => add(other.ask)
      const late = await t.ask('GET', path)
      if (momentOf(late).written === before.written) assert.equal(etagOf(late), etagOf(first))
      else assert.notEqual(etagOf(late), etagOf(first))
      const next = await t.ask('GET', path, { headers: { 'if-none-match': etagOf(late) } })
      assert.equal(momentOf(next.status === 304 ? late : next).written, written)
      assert.equal(momentOf(await t.ask('GET', path)).written, written)
    })

  test('a client with the old ETag gets the agency’s new name', async () => {
    const path = '/properties?status=all&per_page=3'
    meanwhile = rename
    const late = await t.ask('GET', path)
    momentOf(late)
    const next = await t.ask('GET', path, { headers: { 'if-none-match': etagOf(late) } })
    const { renamed: seen } = momentOf(next.status === 304 ? late : next)
    assert.equal(seen, renamed)
  })
})

describe('concurrent readers and writers', () => {
  test('an ETag identifies one body, and a 304 hides nothing newer', async () => {
    const bodies = new Map<string, string>()
    let isWriting = true
    const write = async () => {
      try {
        for (let turn = 0; turn < 60; turn += 1)
          await (turn % 5 === 4 ? rename() : add(turn % 2 === 0 ? t.ask : other.ask))
      } finally {
        isWriting = false
      }
    }
    const read = async (place: number) => {
      const last = new Map<string, ApiResponse>()
      for (let turn = place; isWriting; turn += 1) {
        const ask = turn % 2 === 0 ? t.ask : other.ask
        const path = lists[place % 2] as string
        const known = last.get(path)
        const least = { written, renamed }
        const headers: Record<string, string> = known === undefined ? {} : { 'if-none-match': etagOf(known) }
        const response = await ask('GET', path, { headers })
        const current = response.status === 304 ? (known as ApiResponse) : response
        assert.equal(etagOf(response), etagOf(current))
        const { body } = current
        const tag = `${path} ${etagOf(current)}`
        assert.equal(bodies.get(tag) ?? JSON.stringify(body), JSON.stringify(body), tag)
        bodies.set(tag, JSON.stringify(body))
        const moment = momentOf(current)
        assert.ok(moment.written >= least.written, `${moment.written} after ${least.written}`)
        assert.ok(moment.renamed >= least.renamed, `renamed ${moment.renamed} after ${least.renamed}`)
        last.set(path, current)
      }
    }
    await Promise.all([write(), ...[0, 1, 2, 3, 4, 5].map(read)])
    assert.ok(bodies.size > 20, String(bodies.size))
  })
})
