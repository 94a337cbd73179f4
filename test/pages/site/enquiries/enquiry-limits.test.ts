/** Limits on enquiries: one agency's enquiries use up no other agency's, and those on test pages are not counted. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Mail } from '../../../../src/delivery/mails/mailer.ts'
import { forward } from '../../../support/moments.ts'
import { testApp, type TestApp } from '../../../support/app/app.ts'
import { published } from '../../../support/app/listings.ts'
import { newTestKey } from '../../../support/app/test-key.ts'

let t: TestApp
const mails: Mail[] = []
before(async () => {
  t = await testApp({ env: { GEOCODER: 'none', TRUST_PROXY: 'true' }, mailer: mails })
})
after(() => t.close())

type Form = Readonly<{ path: string; token: string }>

/** The form of an agency or of one of its listings, after the time a person takes to fill it in. */
async function openForm(slug: string, code?: string): Promise<Form> {
  await t.deps.db
    .updateTable('agencies')
    .set({ email: 'hola@rio.example' })
    .where('slug', '=', slug)
    .execute()
  const path = `/inmobiliarias/${slug}${code === undefined ? '' : `/${code}`}/consulta`
  const page = await (await fetch(`${t.baseUrl}${path}`)).text()
  forward(t, 5)
  return { path, token: /name="token"\s+value="([^"]+)"/.exec(page)?.[1] ?? '' }
}

const newForm = async () => openForm((await t.newAgency()).agency.slug)

let count = 0
/** Sends another enquiry. @returns its status */
async function ask({ path, token }: Form, from: { email?: string; ip?: string } = {}): Promise<number> {
  count += 1
  const { email = `ana-${count}@mail.example`, ip = `10.0.${count >> 8}.${count & 255}` } = from
  const response = await fetch(`${t.baseUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ana', email, phone: '', message: `¿Está? ${count}`, token }),
    headers: { 'x-forwarded-for': ip },
    redirect: 'manual',
  })
  await response.body?.cancel()
  return response.status
}

const numbered = (length: number) => Array.from({ length }, (_, index) => index)

test('a flood of enquiries to one agency, from any number of networks, does not affect others', async () => {
  const forms: Form[] = []
  for (const index of numbered(5)) {
    const { id } = await published(t, { title: `Casa ${index}` })
    forms.push(await openForm(t.agency.slug, id))
  }
  const other = await newForm()
  const flood = forms.flatMap((form) => numbered(25).map(() => ask(form)))
  const responses = await Promise.all(flood)
  assert.equal(await ask(other), 303)
  assert.equal(responses.filter((status) => status === 303).length, 20)
  assert.equal(responses.filter((status) => status === 429).length, responses.length - 20)
  forward(t, 61)
  for (const form of forms) assert.equal(await ask(form), 303)
})

test('a sender who has exhausted the limit of enquiries to one agency can still write to others', async () => {
  const [first, other] = [await newForm(), await newForm()]
  const email = 'luis@mail.example'
  const responses = await Promise.all(numbered(60).map(() => ask(first, { email })))
  assert.equal(responses.filter((status) => status === 303).length, 10)
  assert.equal(await ask(first, { email: 'Luis@mail.example' }), 429)
  assert.equal(await ask(other, { email }), 303)
})

test('an enquiry on a test page counts toward no limit', async () => {
  const { agency } = await t.newAgency()
  const { twin } = await newTestKey(t, agency)
  const form = await openForm(twin.slug)
  const counters = () =>
    t.deps.db.selectFrom('subject_usage').selectAll().orderBy('subject').orderBy('name').execute()
  const before = await counters()
  const from = { email: 'eva@mail.example', ip: '192.0.2.9' }
  for (const _ of numbered(40)) assert.equal(await ask(form, from), 303)
  assert.deepEqual(await counters(), before)
  const sent = await t.deps.db.selectFrom('enquiries').where('agency_id', '=', twin.id).selectAll().execute()
  assert.deepEqual(sent, [])
})
