/**
 * The history of a listing in the dashboard: one person's consecutive saves are shown as one entry, a sitting, and each change can still be
 * seen.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testApp, type TestApp } from '../../../../../support/app/app.ts'
import { accepted, draft, historyOf, published, rowOf } from '../../../../../support/app/listings.ts'
import { fieldsOf } from '../../../form-fields.ts'
import { type VisitedPage, signedIn, type Visitor } from '../../../visitor.ts'

type Person = Visitor & { account: { id: string; name: string } }

let t: TestApp
let ana: Person
let beto: Person
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' } })
  ana = await signedIn(t, 'member', t.agency.id, 'en')
  beto = await signedIn(t, 'owner', t.agency.id, 'en')
})
after(() => t.close())

const minute = 60_000
const pathOf = (id: string) => `/dashboard/listings/${id}`

/** Saves fields as the form's autosave does. */
async function save(
  who: Visitor,
  id: string,
  fields: Record<string, string>,
  path = `${pathOf(id)}/edit`,
): Promise<void> {
  const version = String((await rowOf(t, id)).version)
  const response = await who.post(path, { version, ...fields }, { accept: 'application/json' })
  assert.equal(response.status, 200, response.text)
}

/** The entries of a page, one line each. */
function entriesOf({ text }: VisitedPage): string[] {
  const [list = ''] = text.slice(text.indexOf('class="timeline"')).split('</ol>', 1)
  return list
    .split('<li>')
    .slice(1)
    .map((entry) =>
      entry
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll('&#39;', "'")
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
}

const linkIn = ({ text }: VisitedPage, label: string): string => {
  const [, href = ''] = new RegExp(`href="([^"]+)#history"[^>]*>\\s*${label}\\s*<`).exec(text) ?? []
  assert.notEqual(href, '', label)
  return href.replaceAll('&#61;', '=').replaceAll('&#38;', '&')
}

describe('a sitting', () => {
  test('is one entry: from before its first change to after its last, without values that were changed back', async () => {
    const id = await written()
    const page = await ana.get(pathOf(id))
    const [entry = '', ...more] = entriesOf(page)
    assert.deepEqual(more, [])
    assert.match(entry, new RegExp(`^Created · ${ana.account.name} \\w+ \\d+, \\d{4}, \\d\\d:\\d\\d ?–`))
    assert.match(entry, /6 fields changed Field Before After Status – Draft Title – Casa con patio Operation/)
    assert.match(entry, /Price – USD 90,000/)
    assert.doesNotMatch(entry, /Description/)
    // It names no request, because one would be mistaken for all of them.
    const [first] = await historyOf(t, id)
    assert.ok(!page.text.includes(first?.request_id ?? ''))
  })
  test('can be opened to show each of its changes', async () => {
    const id = await written()
    await save(beto, id, { title: 'De Beto' })
    const page = await ana.get(pathOf(id))
    assert.match(entriesOf(page)[0] ?? '', new RegExp(`^Edited · ${beto.account.name} .* 1 field changed`))
    const each = await ana.get(linkIn(page, 'View the 6 changes one by one'))
    const entries = entriesOf(each)
    assert.deepEqual(
      entries.map((entry) => / (\w+) ·|^(\w+)/.exec(entry)?.[2]),
      ['Edited', 'Edited', 'Edited', 'Edited', 'Edited', 'Created'],
    )
    assert.match(entries[0] ?? '', /Price .*USD 80,000 .*USD 90,000/)
    for (const { request_id: request } of (await historyOf(t, id)).slice(0, 6))
      assert.ok(each.text.includes(request ?? ''))
    // Above them are later changes, also one by one, and the way back.
    assert.equal(entriesOf(await ana.get(linkIn(each, 'Newer'))).length, 7)
    assert.equal(entriesOf(await ana.get(linkIn(each, 'View grouped'))).length, 2)
  })
  test('ends with a long pause, or when someone else changes the listing', async () => {
    const { id } = await draft(t, { title: 'Before' })
    const before = t.clock.offsetMs
    await save(ana, id, { title: 'One' })
    t.clock.offsetMs += 29 * minute
    await save(ana, id, { title: 'Two' })
    t.clock.offsetMs += 31 * minute
    await save(ana, id, { title: 'Three' })
    await save(beto, id, { title: 'Four' })
    await save(ana, id, { title: 'Five' })
    t.clock.offsetMs = before
    const titles = entriesOf(await ana.get(pathOf(id))).map(titleIn)
    assert.deepEqual(titles, ['Four Five', 'Three Four', 'Two Three', 'Before Two', '– Before'])
  })
  test('may change nothing in total', async () => {
    const { id } = await draft(t, { title: 'Before' })
    await save(ana, id, { title: 'After' })
    await save(ana, id, { title: 'Before' })
    const [entry = ''] = entriesOf(await ana.get(pathOf(id)))
    assert.match(entry, /In the end, everything was as before\. View the 2 changes one by one$/)
  })
  test('contains no changes of state, and none by keys', async () => {
    const { id } = await published(t)
    const edit = async (title: string) =>
      ana.submit(`${pathOf(id)}/edit`, {
        ...fieldsOf((await ana.get(`${pathOf(id)}/edit`)).text, `${id}/edit`),
        title,
      })
    for (const title of ['One', 'Two'])
      accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title } }))
    await edit('Three')
    await edit('Four')
    await ana.submit(`${pathOf(id)}/reserve`)
    await edit('Five')
    const actions = entriesOf(await ana.get(pathOf(id))).map((entry) => entry.split(' ·', 1)[0])
    assert.deepEqual(actions, ['Edited', 'Reserved', 'Edited', 'Edited', 'Edited', 'Created'])
  })
})

describe('pages of sittings', () => {
  test('show each change once, in both directions, however many there are', async () => {
    const { id } = await draft(t, { title: 'Number 0' })
    // 25 sittings of two people, one of them longer than a page reads.
    for (let sitting = 1; sitting <= 25; sitting += 1) {
      const saves = sitting === 10 ? 230 : 2
      for (let count = 1; count <= saves; count += 1)
        await save(sitting % 2 === 0 ? ana : beto, id, { title: `Number ${sitting}.${count}` })
    }
    const down = await walk(id, await ana.get(pathOf(id)), 'Older')
    const up = await walk(id, down.at(-1) as VisitedPage, 'Newer')
    assert.deepEqual(entriesOf(up.at(-1) as VisitedPage), entriesOf(down[0] as VisitedPage))
    assert.ok(down.length >= 2)
    // The latest page is as long as possible, and so may repeat entries of the one before.
    for (const pages of [down, up.slice(0, -1).toReversed()]) {
      const titles = pages.flatMap(entriesOf).map((entry) => titleIn(entry) ?? '')
      if (pages === down) assert.equal(titles[0], 'Number 24.2 Number 25.2')
      assert.equal(titles.at(-1), '– Number 0')
      // Each starts where the previous one ended.
      const ends = titles.map((title) => / ?(\S+) (Number \S+)$/.exec(title)?.slice(1) ?? [])
      for (const [index, [from = '']] of ends.slice(0, -1).entries())
        assert.equal(`Number ${from}`, ends[index + 1]?.[1], titles[index])
    }
  })
  test('are the same for operators, and in an agency’s test environment', async () => {
    const id = await written()
    const operator = await signedIn(t, 'operator', null, 'en')
    const path = `/dashboard/operator/agencies/${t.agency.slug}/listings/${id}`
    const page = await operator.get(path)
    assert.deepEqual(entriesOf(page), entriesOf(await ana.get(pathOf(id))))
    assert.equal(entriesOf(await operator.get(linkIn(page, 'View the 6 changes one by one'))).length, 6)
  })
  test('treat invalid revisions as missing', async () => {
    const id = await written()
    const first = entriesOf(await ana.get(pathOf(id)))
    for (const query of ['before=x', 'after=x', 'page=2', 'after=999999999999999', 'before=-1&after='])
      assert.deepEqual(entriesOf(await ana.get(`${pathOf(id)}?${query}`)), first, query)
    assert.deepEqual(entriesOf(await ana.get(`${pathOf(id)}?before=0`)), [])
  })
})

const titleIn = (entry: string): string | undefined => / Title (.*?)(?: View|$)/.exec(entry)?.[1]

/** The pages from this one on. */
async function walk(id: string, first: VisitedPage, label: string): Promise<VisitedPage[]> {
  const pages = [first]
  const rel = label === 'Older' ? 'next' : 'prev'
  for (let page = first; page.text.includes(`rel="${rel}"`); pages.push(page))
    page = await ana.get(linkIn(page, label))
  assert.ok(pages.length < 10, id)
  return pages
}

/** A listing written by Ana in six saves. */
async function written(): Promise<string> {
  const form = fieldsOf((await ana.get('/dashboard/listings/new')).text, '/listings/new')
  const json = { accept: 'application/json' }
  const response = await ana.post('/dashboard/listings/new', { ...form, title: 'Casa' }, json)
  const { action } = JSON.parse(response.text) as { action: string }
  const id = /listings\/([2-9A-Z]{8})/.exec(action)?.[1] ?? ''
  const before = t.clock.offsetMs
  t.clock.offsetMs += minute
  await save(ana, id, { title: 'Casa con patio' })
  await save(ana, id, { operation: 'sale', type: 'Casa', 'price.amount': '80000', 'price.currency': 'USD' })
  await save(ana, id, { description: 'Se vende.' })
  await save(ana, id, { description: '', 'features.rooms': '3' })
  await save(ana, id, { 'price.amount': '90000', 'price.currency': 'USD' })
  t.clock.offsetMs = before
  return id
}
