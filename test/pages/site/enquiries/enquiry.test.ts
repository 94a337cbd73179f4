/** The enquiry form: a visitor's message is mailed to the agency and not stored, and bots, floods and tricks fail. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { mailEnquiries } from '../../../../src/delivery/mails/enquiry-mails.ts'
import type { Mail } from '../../../../src/delivery/mails/mailer.ts'
import { setAgencyDetails } from '../../../../src/agencies/details.ts'
import { forward } from '../../../support/moments.ts'
import { testApp, type TestApp } from '../../../support/app/app.ts'
import { published } from '../../../support/app/listings.ts'

const mails: Mail[] = []
let t: TestApp
let path: string
let slug: string

before(async () => {
  t = await testApp({ env: { GEOCODER: 'none' }, mailer: mails })
  slug = t.agency.slug
  await t.deps.db
    .updateTable('agencies')
    .set({ email: 'hola@rio.example' })
    .where('id', '=', t.agency.id)
    .execute()
  const listing = await published(t, { title: 'Casa & <jardín>' })
  path = `/inmobiliarias/${slug}/${listing.id}/consulta`
})
after(() => t.close())
beforeEach(() => {
  mails.length = 0
})

const ask = (url: string, init: RequestInit = {}) =>
  fetch(`${t.baseUrl}${url}`, { ...init, redirect: 'manual' })

/** Opens the form, waits as a person does, and sends it. */
async function send(
  fields: Record<string, string>,
  options: { at?: string; token?: string; wait?: number } = {},
): Promise<{ status: number; text: string; to: string | null; token: string; headers: Headers }> {
  const { at = path, wait = 5 } = options
  const page = await (await ask(at)).text()
  const token = options.token ?? /name="token"\s+value="([^"]+)"/.exec(page)?.[1] ?? ''
  forward(t, wait)
  const body = new URLSearchParams({
    name: 'Ana Pérez',
    email: 'ana@mail.example',
    phone: '',
    message: '¿Está disponible?',
    token,
    ...fields,
  })
  const response = await ask(at, { method: 'POST', body })
  return {
    status: response.status,
    text: await response.text(),
    to: response.headers.get('location'),
    token,
    headers: response.headers,
  }
}

const deliver = () => mailEnquiries(t.deps, 50)
const kept = () => t.deps.db.selectFrom('enquiries').selectAll().where('sealed', 'is not', null).execute()

test('an enquiry is mailed to the agency, confirmed to the visitor, and not stored', async () => {
  const sent = await send({ message: 'Línea uno\n\nLínea dos <b>' })
  assert.equal(sent.status, 303)
  assert.match(await (await ask(sent.to ?? '')).text(), /Consulta enviada/)
  const [waiting] = await kept()
  assert.ok(waiting !== undefined)
  assert.doesNotMatch(waiting.sealed?.toString('latin1') ?? '', /Ana|Línea/)
  assert.equal(await deliver(), 1)
  const [mail] = mails
  assert.equal(mail?.to, 'hola@rio.example')
  assert.deepEqual(mail?.replyTo, { name: 'Ana Pérez', address: 'ana@mail.example' })
  assert.match(mail?.subject ?? '', /Consulta de Ana Pérez: Casa & <jardín>/)
  assert.match(mail?.text ?? '', /Línea dos <b>/)
  assert.match(mail?.html ?? '', /Línea dos &#60;b&#62;/)
  assert.doesNotMatch(mail?.html ?? '', /<b>|<jardín>/)
  assert.match(mail?.text ?? '', /\/dashboard\/settings\/mails/)
  assert.deepEqual(await kept(), [])
  assert.equal(await deliver(), 0)
})

test('a page links to the enquiry form only if the agency accepts enquiries', async () => {
  const listingPath = path.replace('/consulta', '')
  const pageOf = async (url: string) => await (await ask(url)).text()
  assert.match(await pageOf(listingPath), /\/consulta"/)
  await setAgencyDetails(t.deps.db, t.agency.id, { takes_enquiries: false }, t.clock)
  assert.doesNotMatch(await pageOf(listingPath), /\/consulta"/)
  assert.equal((await ask(path)).status, 404)
  assert.equal((await ask(path, { method: 'POST', body: new URLSearchParams() })).status, 404)
  await setAgencyDetails(t.deps.db, t.agency.id, { takes_enquiries: true }, t.clock)
  assert.equal((await ask(path)).status, 200)
  assert.equal((await ask(`/en${path}`)).status, 200)
  assert.match(await pageOf(`/inmobiliarias/${slug}`), new RegExp(`href="/inmobiliarias/${slug}/consulta"`))
  const whole = await ask(`/inmobiliarias/${slug}/consulta`)
  assert.equal(whole.status, 200)
  assert.equal(whole.headers.get('cache-control'), 'no-store')
  assert.match(whole.headers.get('x-robots-tag') ?? '', /noindex/)
  for (const none of [`/inmobiliarias/${slug}/ABCD2345/consulta`, '/inmobiliarias/nadie/consulta'])
    assert.equal((await ask(none)).status, 404)
})

test('an enquiry about a listing that was sold in the meantime goes to the agency in general, keeping its text', async () => {
  const { id } = await published(t, { title: 'Vendida' })
  const at = `/inmobiliarias/${slug}/${id}/consulta`
  const open = /name="token"\s+value="([^"]+)"/.exec(await (await ask(at)).text())?.[1] ?? ''
  assert.equal((await t.ask('POST', `/properties/${id}/disable`, { body: { reason: 'sold' } })).status, 200)
  const page = await ask(at)
  assert.equal(page.status, 410)
  assert.match(await page.text(), /ya no está publicada/)
  const late = await send({ message: '¿Sigue <en> venta?' }, { at, token: open })
  assert.equal(late.status, 410)
  assert.match(late.text, /¿Sigue &#60;en&#62; venta\?/)
  assert.match(late.text, new RegExp(`action="/inmobiliarias/${slug}/consulta"`))
  assert.doesNotMatch(late.text, /Vendida/)
  assert.deepEqual(await kept(), [])
  const token = /name="token"\s+value="([^"]+)"/.exec(late.text)?.[1] ?? ''
  const again = await send(
    { message: `¿Sigue? Código ${id}` },
    { at: `/inmobiliarias/${slug}/consulta`, token },
  )
  assert.equal(again.status, 303)
  assert.equal(await deliver(), 1)
  // A visitor whose form has just been sent sees the confirmation.
  assert.equal((await ask(`${at}?sent`)).status, 200)
})

test('errors of an enquiry are shown beside their fields, keeping the text typed', async () => {
  const refused = await send({ name: ' ', email: 'x', phone: 'y', message: 'Hola "<b>"' })
  assert.equal(refused.status, 400)
  for (const name of ['name', 'email', 'phone'])
    assert.match(refused.text, new RegExp(`id="f-${name}-error"`))
  assert.match(refused.text, /Hola &#34;&#60;b&#62;&#34;/)
  const neither = await send({ email: '' })
  assert.match(neither.text, /Dejá un correo o un teléfono/)
  assert.equal((await send({ email: '', phone: '+54 11 5555-0142' })).status, 303)
  assert.equal((await send({ message: 'x'.repeat(2_001) })).status, 400)
  await deliver()
})

describe('abuse of the enquiry form', () => {
  test('no header can be added to the mail', async () => {
    const tricks: Record<string, string>[] = [
      { name: 'Ana\r\nBcc: all@x.example' },
      { email: 'ana@mail.example\r\nBcc: all@x.example' },
      { email: 'ana@mail.example, all@x.example' },
      { name: 'Ana\u202e' },
      { phone: '1\n2' },
      { email: '', phone: '((((((' },
    ]
    for (const fields of tricks) assert.equal((await send(fields)).status, 400, JSON.stringify(fields))
    assert.deepEqual(await kept(), [])
  })

  test('a form sent twice is mailed once; one of another page, too fast, too old or forged is refused', async () => {
    const { token } = await send({})
    assert.equal((await send({}, { token })).status, 303)
    assert.equal((await kept()).length, 1)
    await deliver()
    assert.equal((await send({}, { token })).status, 303)
    assert.deepEqual(await kept(), [])
    // Once corrected, it is a different enquiry.
    assert.equal((await send({ message: '¿Y el jueves?' }, { token })).status, 303)
    assert.equal((await kept()).length, 1)
    await deliver()
    assert.equal((await send({}, { wait: 0 })).status, 400)
    assert.equal((await send({}, { wait: 90_000 })).status, 400)
    assert.equal((await send({}, { at: `/inmobiliarias/${slug}/consulta`, token })).status, 400)
    for (const odd of ['', 'x', 'A'.repeat(2_000)]) assert.equal((await send({ token: odd })).status, 400)
    assert.deepEqual(await kept(), [])
  })

  test('a visitor who fills in hidden fields is thanked, and nothing is sent', async () => {
    assert.equal((await send({ website: 'https://spam.example' })).status, 303)
    assert.deepEqual(await kept(), [])
  })

  test('other methods, types and sizes are refused', async () => {
    const { status } = await ask(path, { method: 'PUT' })
    assert.equal(status, 405)
    assert.equal(
      (await ask(path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))
        .status,
      415,
    )
    assert.equal((await send({ message: 'x'.repeat(70_000) })).status, 413)
  })
})

test('a flood of enquiries is limited by sender, with the time to wait', async () => {
  forward(t, 90_000)
  const responses = []
  for (let count = 0; count < 11; count += 1) responses.push(await send({ email: 'flood@mail.example' }))
  const last = responses.at(-1)
  assert.equal(last?.status, 429)
  assert.ok(Number(last?.headers.get('retry-after')) > 0)
  assert.match(last?.text ?? '', /demasiadas consultas/)
  assert.equal(responses.filter(({ status }) => status === 303).length, 10)
})

test('an enquiry whose mail is permanently rejected is dropped, and a deferred one waits', async () => {
  while ((await deliver()) > 0);
  forward(t, 90_000)
  await send({ email: 'later@mail.example' })
  const failing = {
    ...t.deps,
    mailer: { send: async () => Promise.reject(new Error('away')), check: async () => {} },
  }
  await mailEnquiries(failing, 5)
  const [waiting] = await kept()
  assert.equal(waiting?.failures, 1)
  assert.equal(await deliver(), 0)
  forward(t, 3_600)
  assert.equal(await deliver(), 1)
  assert.deepEqual(await kept(), [])
})
