/**
 * Mails to the agency about its listings, through a real mail server: one for all concurrent changes, in the agency's language, if it wants
 * any.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createAgency } from '../../../src/agencies/agencies.ts'
import type { PendingEvent } from '../../../src/delivery/notifications/event.ts'
import { reasonText } from '../../../src/delivery/notifications/failure.ts'
import { changesMailer, changesMail } from '../../../src/delivery/mails/listing-changes.ts'
import { openMailer } from '../../../src/delivery/mails/mailer.ts'
import { getPreferences, setPreferences } from '../../../src/delivery/notifications/preferences.ts'
import { listDeliveries } from '../../../src/delivery/notifications/deliveries.ts'
import { retryAll } from '../../../src/delivery/notifications/retry-by-operator.ts'
import { publishable } from '../../support/app/app.ts'
import { accepted, type Shown } from '../../support/app/listings.ts'
import { deliverDue, type Notified, notified } from '../notifications/notified.ts'
import { headerOf, type MailCommand, partsOf } from '../notifications/sinks.ts'

let n: Notified
before(async () => {
  n = await notified()
})
after(() => n.close())

beforeEach(async () => {
  n.mail.refuse(false)
  n.pass(120_000)
  await n.deliver('mail')
  n.mail.received.length = 0
})

/** An agency with an email address, and its actions. */
async function newAgency(email: string | null = 'ventas@rio.example') {
  const slug = `rio-${randomUUID().slice(0, 8)}`
  const agency = await createAgency(n.t.deps.db, { name: 'Río & Cía', slug, email }, n.t.clock)
  const { key } = await n.t.newKey(agency.id, { name: 'CRM', scopes: ['properties:write'] })
  const publish = async (changes: Record<string, unknown> = {}): Promise<Shown> =>
    accepted(await n.t.ask('POST', '/properties', { key, body: publishable(changes) }), 201)
  const disable = async (id: string, body: object = {}) =>
    accepted(await n.t.ask('POST', `/properties/${id}/disable`, { key, body }))
  return { agency, publish, disable }
}

const statesOf = async (agencyId: string) =>
  (await listDeliveries(n.t.deps.db, { agencyId, channel: 'mail' })).map(({ state }) => state)

describe('a mail about changes', () => {
  test('describes one change, as text and HTML, in Spanish', async () => {
    const { agency, publish } = await newAgency()
    const { url } = await publish({ title: 'Casa <b>con</b> jardín', address: 'Calle Larga 123' })
    assert.equal(await n.deliver('mail'), 0, 'it waits for others')
    n.pass(6_000)
    await n.deliver('mail')
    const [mail, ...others] = n.mail.received
    assert.ok(mail !== undefined && others.length === 0)
    assert.deepEqual(mail.to, ['ventas@rio.example'])
    assert.equal(headerOf(mail, 'Subject'), 'Publicada: Casa <b>con</b> jardín')
    assert.equal(headerOf(mail, 'From'), 'Listings <notices@listings.test>')
    assert.equal(headerOf(mail, 'Auto-Submitted'), 'auto-generated')
    assert.equal(headerOf(mail, 'Content-Language'), 'es-AR')
    const { text, html } = partsOf(mail)
    assert.match(text, /Hola, Río & Cía:/)
    assert.match(text, /Publicada: Casa <b>con<\/b> jardín\n {2}Calle Larga 123, La Plata\n/)
    assert.match(text, /por CRM/)
    assert.ok(text.includes(String(url)))
    assert.match(text, /\n {2}Ver en el panel: https:\/\/listings\.test\/dashboard\/listings\/[0-9A-Z]{8}\n/)
    assert.match(html, /Publicada: Casa &#60;b&#62;con&#60;\/b&#62; jardín/)
    assert.match(html, /Río &#38; Cía/)
    assert.ok(html.includes(`href="${String(url)}"`))
    assert.match(html, /^<!doctype html>\s*<html lang="es-AR">/)
    // Opening it fetches nothing.
    assert.doesNotMatch(html, /src=|<link|@import|url\(/)
    assert.deepEqual(await statesOf(agency.id), ['delivered'])
    // How to unsubscribe: a link for people, and a header for mail programs.
    const [, stop = ''] =
      /^<(https:\/\/listings\.test\/unsubscribe\/[\w-]+)>$/.exec(headerOf(mail, 'List-Unsubscribe') ?? '') ??
      []
    assert.equal(headerOf(mail, 'List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click')
    assert.notEqual(stop, '')
    assert.ok(text.includes(`Dejar de recibirlos: ${stop}`))
    assert.ok(html.includes(`href="${stop}"`))
    assert.ok(text.includes('https://listings.test/dashboard/settings/mails'))
  })

  test('combines concurrent changes in order, and later ones wait a little', async () => {
    const { agency, publish, disable } = await newAgency()
    const first = await publish({ title: 'Primera' })
    await publish({ title: 'Segunda' })
    await disable(first.id, { reason: 'sold', close_price: 90_000, closed_at: '2026-01-15T12:00:00Z' })
    n.pass(6_000)
    await n.deliver('mail')
    assert.equal(n.mail.received.length, 1)
    const [mail] = n.mail.received
    assert.ok(mail !== undefined)
    assert.equal(headerOf(mail, 'Subject'), '3 cambios en tus propiedades')
    const { text } = partsOf(mail)
    const places = ['Publicada: Primera', 'Publicada: Segunda', 'Suspendida (vendida): Primera'].map((line) =>
      text.indexOf(line),
    )
    assert.ok(
      places.every((place, index) => place > (places[index - 1] ?? 0)),
      text,
    )
    assert.match(text, /Precio de cierre: USD\s90\.000\n {2}Fecha de cierre: 15 de enero de 2026\n/)

    await publish({ title: 'Tercera' })
    n.pass(6_000)
    assert.equal(await n.deliver('mail'), 0)
    n.pass(30_000)
    await n.deliver('mail')
    assert.equal(n.mail.received.length, 2)
    assert.deepEqual(await statesOf(agency.id), ['delivered', 'delivered', 'delivered', 'delivered'])
  })

  test('is in English if the agency prefers it', async () => {
    const { agency, publish, disable } = await newAgency()
    await setPreferences(n.t.deps.db, agency.id, { language: 'en' })
    const { id } = await publish({ title: 'House' })
    await disable(id)
    n.pass(6_000)
    await n.deliver('mail')
    const [mail] = n.mail.received
    assert.ok(mail !== undefined)
    assert.equal(headerOf(mail, 'Subject'), '2 changes to your listings')
    assert.match(partsOf(mail).text, /Hello Río & Cía,[^]*Published: House[^]*by CRM[^]*Suspended: House/)
  })

  test('is retried until the server accepts it, without delaying other agencies', async () => {
    const failing = await newAgency('nobody@rio.example')
    await failing.publish()
    n.mail.refuse(true, 450)
    n.pass(6_000)
    await n.deliver('mail')
    assert.equal(n.mail.received.length, 0)
    const [delivery] = await listDeliveries(n.t.deps.db, { agencyId: failing.agency.id, channel: 'mail' })
    assert.deepEqual([delivery?.state, delivery?.attempts], ['pending', 1])
    assert.match(delivery?.detail ?? '', /Mailbox unavailable/)
    assert.equal(delivery?.why?.kind, 'mail_refused')
    n.mail.refuse(false)
    const other = await newAgency('other@rio.example')
    await other.publish()
    n.pass(7_000)
    await n.deliver('mail')
    assert.deepEqual(n.mail.received.map(({ to }) => to[0]).sort(), [
      'nobody@rio.example',
      'other@rio.example',
    ])
  })

  test('names fields of the listing in the mail’s language, and a city once', () => {
    const textOf = (actor: PendingEvent['actor']) => {
      const event = {
        event_id: '01a1fd35-a5a5-75ad-aa4d-958d25428297',
        type: 'published',
        at: '2026-01-15T12:00:00.000Z',
        actor,
      } as PendingEvent
      const listing = { status: 'draft', address: 'Güemes 5, SALTA', location: { city: 'Salta' } }
      return changesMail(
        { config: { serviceName: 'Svc', publicBaseUrl: 'https://l.test' }, secretBox: n.t.deps.secretBox },
        { id: '', email: 'a@b.example', name: 'A', language: 'es-AR' },
        [{ event, view: { listing, closing: null, changes: {} } }],
      ).text
    }
    const byOperator = textOf({ kind: 'operator', name: 'command line' })
    assert.match(byOperator, /\n {2}Güemes 5, SALTA\n.*, por el operador del servicio\n/)
    assert.match(textOf({ kind: 'person', name: null }), /, por alguien cuya cuenta se eliminó\n/)
    assert.doesNotMatch(textOf(null), /, por/)
    // Keys and people may have any name.
    for (const kind of ['key', 'person'] as const)
      assert.match(textOf({ kind, name: 'command line' }), /, por command line\n/)
    assert.match(textOf({ kind: 'operator', name: 'constructor' }), /, por constructor\n/)
  })

  test('has the same id when sent again, and no part of a title in its headers', () => {
    const event = {
      event_id: '01a1fd35-a5a5-75ad-aa4d-958d25428297',
      type: 'published',
      at: '2026-01-15T12:00:00.000Z',
      actor: { kind: 'key', name: 'CRM\r\nBcc: x@y.example' },
    } as PendingEvent
    const listing = {
      status: 'published',
      title: 'Casa\r\nBcc: evil@x.example\u2028fin',
      address: null,
      url: 'https://l.test/x',
    }
    const config = { serviceName: 'Svc', publicBaseUrl: 'https://l.test:8443/x' }
    const mail = changesMail(
      { config, secretBox: n.t.deps.secretBox },
      { id: '', email: 'a@b.example', name: 'A', language: 'en' },
      [{ event, view: { listing, closing: null, changes: {} } }],
    )
    assert.equal(mail.subject, 'Published: Casa Bcc: evil@x.example fin')
    assert.equal(mail.messageId, '<01a1fd35-a5a5-75ad-aa4d-958d25428297@l.test>')
    assert.doesNotMatch(mail.text, /^Bcc/m)
  })
})

describe('a rejection by the mail server', () => {
  /** Lets the server reject the mail about a change of state. @returns the resulting delivery */
  async function tried(...refusal: [number, string, MailCommand]) {
    const { agency, publish } = await newAgency()
    await publish()
    n.mail.refuse(true, ...refusal)
    n.pass(6_000)
    // As operators configure it: with name and password.
    const signing = openMailer({
      smtpUrl: n.mail.url.replace('//', '//listings:secret@'),
      mailFrom: 'notices@listings.test',
    })
    assert.ok(signing !== null)
    const deps =
      refusal[2] === 'AUTH'
        ? { ...n.deps(), mailChanges: changesMailer({ ...n.t.deps, mailer: signing }) }
        : n.deps()
    await deliverDue(deps, 'mail')
    const [delivery] = await listDeliveries(n.t.deps.db, { agencyId: agency.id, channel: 'mail' })
    assert.ok(delivery !== undefined)
    assert.equal(delivery.attempts, 1)
    assert.match(delivery.detail ?? '', new RegExp(refusal[1]))
    return { agency, publish, delivery }
  }

  for (const refusal of [
    [550, '5.1.1 no such user', 'RCPT TO'],
    [550, 'no such user', 'RCPT TO'],
    [550, '5.1.1 unknown; the sender should check it', 'RCPT TO'],
    [552, '5.2.2 mailbox full', 'RCPT TO'],
    [554, 'no mailbox here', 'RCPT TO'],
    [554, '5.6.0 message not accepted', 'DATA'],
  ] as [number, string, MailCommand][]) {
    test(`of the mail itself (${refusal.join(' ')}) ends it: the operator sees why, and later mails are sent`, async () => {
      const { agency, publish, delivery } = await tried(...refusal)
      assert.deepEqual([delivery.state, delivery.why?.kind], ['set_aside', 'mail_refused'])
      n.pass(86_400_000)
      assert.equal(await n.deliver('mail'), 0)
      n.mail.refuse(false)
      await publish()
      n.pass(31_000)
      await n.deliver('mail')
      assert.deepEqual(await statesOf(agency.id), ['delivered', 'set_aside'])
      await retryAll({ db: n.t.deps.db, clock: n.t.clock })
      await n.deliver('mail')
      assert.deepEqual(await statesOf(agency.id), ['delivered', 'delivered'])
    })
  }

  for (const refusal of [
    [450, '4.2.0 greylisted', 'RCPT TO'],
    [451, '4.3.0 later', 'DATA'],
    [550, '5.7.1 relaying denied', 'RCPT TO'],
    [554, 'Relay access denied', 'RCPT TO'],
    [553, '5.1.8 bad address of the sender', 'RCPT TO'],
    [530, '5.7.0 authentication required', 'RCPT TO'],
    [554, '5.7.1 your address is on a list', 'DATA'],
    [503, '5.5.1 bad sequence of commands', 'RCPT TO'],
    [550, 'sender not known', 'MAIL FROM'],
    [530, '5.7.0 authentication required', 'MAIL FROM'],
    [535, '5.7.8 credentials invalid', 'AUTH'],
  ] as [number, string, MailCommand][]) {
    test(`that is temporary or aimed at the service (${refusal.join(' ')}) loses no mail`, async () => {
      const { agency, delivery } = await tried(...refusal)
      assert.equal(delivery.state, 'pending')
      n.mail.refuse(false)
      n.pass(10_000)
      await n.deliver('mail')
      assert.deepEqual(await statesOf(agency.id), ['delivered'])
    })
  }
})

describe('mail about changes', () => {
  test('is not sent to an agency that wants none or has no address, and the operator sees why', async () => {
    for (const [email, mail, why] of [
      ['a@rio.example', false, { kind: 'unwanted' }],
      [null, true, { kind: 'no_address' }],
    ] as const) {
      const { agency, publish } = await newAgency(email)
      await setPreferences(n.t.deps.db, agency.id, { mail })
      await publish()
      n.pass(6_000)
      await n.deliver('mail')
      const [delivery] = await listDeliveries(n.t.deps.db, { agencyId: agency.id, channel: 'mail' })
      assert.equal(delivery?.state, 'skipped')
      assert.deepEqual(delivery?.why, why)
      assert.equal(delivery?.detail, reasonText(why))
      assert.equal(n.mail.received.length, 0)
    }
  })
})

describe('a kind of change', () => {
  test('that the agency does not want is left out, and all others are sent', async () => {
    const { agency, publish, disable } = await newAgency()
    await setPreferences(n.t.deps.db, agency.id, { unwanted: ['published', 'reserved'] })
    const first = await publish({ title: 'Primera' })
    await publish({ title: 'Segunda' })
    await disable(first.id)
    n.pass(6_000)
    await n.deliver('mail')
    assert.equal(n.mail.received.length, 1)
    const [mail] = n.mail.received
    assert.ok(mail !== undefined)
    assert.equal(headerOf(mail, 'Subject'), 'Suspendida: Primera')
    assert.deepEqual(await statesOf(agency.id), ['delivered', 'skipped', 'skipped'])
    const skipped = await listDeliveries(n.t.deps.db, {
      agencyId: agency.id,
      states: ['skipped'],
      channel: 'mail',
    })
    assert.deepEqual(
      skipped.map(({ why, attempts }) => [why?.kind, attempts]),
      [
        ['unwanted', 0],
        ['unwanted', 0],
      ],
    )
    await publish({ title: 'Tercera' })
    n.pass(40_000)
    await n.deliver('mail')
    assert.equal(n.mail.received.length, 1)
  })
})

describe('preferences for mail', () => {
  test('default to mail in Spanish, and are independent of each other', async () => {
    const { db } = n.t.deps
    const { agency } = await newAgency()
    assert.deepEqual(await getPreferences(db, agency.id), {
      mail: true,
      language: 'es-AR',
      unwanted: [],
    })
    const set = (change: Parameters<typeof setPreferences>[2]) => setPreferences(db, agency.id, change)
    assert.deepEqual(await set({ mail: false }), { mail: false, language: 'es-AR', unwanted: [] })
    assert.deepEqual(await set({ language: 'en' }), { mail: false, language: 'en', unwanted: [] })
    const now = { mail: false, language: 'en', unwanted: ['reserved', 'released'] }
    assert.deepEqual(await set({ unwanted: ['reserved', 'released'] }), now)
    assert.deepEqual(await set({}), now)
    await assert.rejects(set({ language: 'fr' }), /no language "fr"/)
    assert.deepEqual(await getPreferences(db, agency.id), now)
  })
})
