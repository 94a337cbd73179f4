/** Requests for developers: search by id and by filters, full details, counts by kind, CSV export, and the first call of a key. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { uuidv7 } from '../../../../../src/platform/names/ids.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { signedIn, type Visitor } from '../../visitor.ts'

let t: TestApp
let owner: Visitor
let refused: string
let batch: string

before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  owner = await signedIn(t, 'owner')
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
  await t.ask('GET', '/properties')
  refused = idOf(
    await t.ask('POST', '/properties', {
      body: { '<b>x</b>': 1, title: 7 },
      headers: { 'user-agent': '=cmd|<script>1</script>' },
    }),
  )
  const items = [
    { external_id: 'A-1', title: 'Casa' },
    { external_id: 'A-2', type: 'Castillo' },
  ]
  batch = idOf(await t.ask('POST', '/properties/batch', { body: { items } }))
  await t.ask('GET', '/properties/-1+1', { key: t.writeKey })
  await t.deps.requestLog.flush()
})
after(() => t.close())

test('a request id leads to its request, from the list’s box too', async () => {
  assert.equal(
    (await owner.get(`/dashboard/requests?request_id=%20${refused.toUpperCase()}`)).to,
    `/dashboard/requests/${refused}`,
  )
  const none = await owner.get(`/dashboard/requests?request_id=${uuidv7()}`)
  assert.match(none.words, /se guardan 7 días/)
})

test('a refused request shows every parameter with its message, and a link to the reference', async () => {
  const { text, words } = await owner.get(`/dashboard/requests/${refused}`)
  assert.match(words, /400/)
  assert.match(words, /title must be a string/i)
  assert.match(text, /href="\/docs\/errors#invalid_parameter"/)
  assert.match(text, /&#60;b&#62;x&#60;\/b&#62;/)
  assert.match(text, /&#61;cmd\|&#60;script&#62;1/)
  assert.doesNotMatch(text, /<b>x|<script>1/)
})

test('a batch shows the outcome of each item', async () => {
  const { words } = await owner.get(`/dashboard/requests/${batch}`, { 'accept-language': 'es' })
  assert.match(words, /Falló 1 de 2 operaciones/)
  assert.match(words, /1 upsert A-2 400 invalid_parameter items\[1\]\.type/)
})

test('filters narrow the list of requests, and an invalid value filters nothing', async () => {
  const rows = async (query: string) =>
    [...(await owner.get(`/dashboard/requests?${query}`)).text.matchAll(/class="row-link mono"/g)].length
  assert.equal(await rows(''), 4)
  assert.equal(await rows('status=4'), 2)
  assert.equal(await rows('method=POST&status=400'), 1)
  assert.equal(await rows('path=*batch'), 1)
  assert.equal(await rows('parameter=title'), 0)
  assert.equal(await rows('from=2020-01-01&to=2020-01-02'), 0)
  assert.equal(await rows('from=nope&method=BREW&status=9&key=x&after=y'), 4)
})

test('tables without numbered pages ignore a page number', async () => {
  for (const path of ['requests', 'visits'])
    assert.doesNotMatch((await owner.get(`/dashboard/${path}?page=2`)).text, /class="pager"/)
})

test('errors by kind link to the latest one and to all of them', async () => {
  const { text, words } = await owner.get('/dashboard/requests/kinds')
  assert.match(words, /invalid_parameter POST \/properties/)
  assert.ok(text.includes(`/dashboard/requests/${refused}`))
})

test('the CSV of requests contains the filtered ones, and nothing that a spreadsheet would run', async () => {
  const { headers, text } = await owner.get('/dashboard/requests.csv?status=4', { 'accept-language': 'en' })
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="requests-[\w-]+\.csv"$/)
  const lines = text.trim().split('\r\n')
  assert.equal(lines.length, 3)
  assert.match(lines[1] ?? '', /^[\dTZ:.-]+[;,]GET[;,]\/api\/v1\/properties\/-1\+1[;,]40\d/)
})

test('the first call of a key is shown once it arrives', async () => {
  const { key, id } = await t.newKey(t.agency.id)
  const ask = async () => JSON.parse((await owner.get(`/dashboard/keys/${id}/first-call`)).text)
  assert.deepEqual(await ask(), { arrived: false })
  await t.ask('GET', '/properties/ABCD2345', { key })
  await t.deps.requestLog.flush()
  const first = await ask()
  assert.equal(first.succeeded, false)
  assert.match(first.text, /GET \/api\/v1\/properties\/ABCD2345 → 404 not_found$/)
  assert.equal((await owner.get(first.url)).status, 200)
})
