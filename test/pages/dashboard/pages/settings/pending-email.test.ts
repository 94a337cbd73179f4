/** An agency's new email address is used once its reader has confirmed it, and not before. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { mailLinks } from '../../../../../src/delivery/mails/link-mails.ts'
import { openMailer } from '../../../../../src/delivery/mails/mailer.ts'
import { mailNotices } from '../../../../../src/delivery/mails/notice-mails.ts'
import { setPreferences } from '../../../../../src/delivery/notifications/preferences.ts'
import { type MailSink, mailSink, partsOf } from '../../../../delivery/notifications/sinks.ts'
import { testApp, type TestApp } from '../../../../support/app/app.ts'
import { createTwin, findTwin } from '../../../../../src/agencies/twins.ts'
import { inTransaction } from '../../../../../src/platform/db/statements/transaction.ts'
import { uuidv7 } from '../../../../../src/platform/names/ids.ts'
import { linkSeconds } from '../../../../../src/limits/sizes.ts'
import { signedIn, visitor } from '../../visitor.ts'

const settings = '/dashboard/settings'
const perRecipient = 3

let t: TestApp
let sink: MailSink
before(async () => {
  sink = await mailSink()
  t = await testApp({
    env: { GEOCODER: 'none' },
    mailer: openMailer({ smtpUrl: sink.url, mailFrom: 'no-reply@listings.test' })!,
    limits: { invitations_per_recipient_per_day: perRecipient },
  })
})
after(async () => {
  await t.close()
  await sink.close()
})
beforeEach(() => {
  sink.refuse(false)
  sink.received.length = 0
})

let count = 0
const fresh = (): string => `office-${(count += 1)}@acme.example`

/** An agency with an email and an owner. */
async function agencyWithOwner() {
  const { agency } = await t.newAgency()
  const old = fresh()
  await t.deps.db.updateTable('agencies').set({ email: old }).where('id', '=', agency.id).execute()
  return { ...agency, old, owner: await signedIn(t, 'owner', agency.id, 'en') }
}
const emailOf = async (id: string) =>
  (await t.deps.db.selectFrom('agencies').select('email').where('id', '=', id).executeTakeFirstOrThrow())
    .email
const mailed = () => sink.received.map((mail) => ({ to: mail.to, ...partsOf(mail) }))
const linkIn = (text = ''): string =>
  /https:\/\/listings\.test(\/dashboard\/confirm-email\/[\w-]{43})/.exec(text)?.[1] ?? ''
const lastLink = () => linkIn(mailed().at(-1)?.text)
const entriesOf = async (id: string) =>
  (
    await t.deps.db
      .selectFrom('audit_log')
      .select(['action', 'actor_name', 'subject', 'details'])
      .where('agency_id', '=', id)
      .where('action', 'like', 'agency_%')
      .orderBy('at')
      .execute()
  ).map(({ action, actor_name: by, subject, details }) => [action, by, subject, details])
/** Presses the button of the page behind the link, without a session. */
async function confirm(link: string) {
  const reader = visitor(t, 'en')
  await reader.get(link)
  return await reader.post('/dashboard/confirm-email')
}
const press = async (link: string) => (await confirm(link)).status
/** The recipients and texts of due notices. */
async function noticed() {
  sink.received.length = 0
  while ((await mailNotices(t.deps, 10)) > 0);
  return mailed()
}

describe('a new email of an agency', () => {
  test('is used once its reader has pressed the button, and the owners and the old address are notified', async () => {
    const { id, slug, old, owner } = await agencyWithOwner()
    const twin = await inTransaction(t.deps.db, (tx) => createTwin(tx, id, uuidv7(), t.clock))
    const email = fresh()
    const page = await owner.submit(settings, { email, phone: '+54 11 5555-0142' })
    assert.match(page.words, new RegExp(`To start using ${email}, open the link that we sent there`))
    assert.match(page.words, new RegExp(`sent a link to ${email}\\. Until someone confirms it there, ${old}`))
    // Everything else is saved.
    assert.match(page.text, /value="\+54 11 5555-0142"/)
    assert.equal(await emailOf(id), old)
    const [mail] = mailed()
    assert.deepEqual(mail?.to, [email])
    assert.match(mail?.text ?? '', /quiere usar este correo en Svc/)

    // A mail scanner opens the link.
    const link = lastLink()
    const reader = visitor(t, 'en')
    const opened = await reader.get(link)
    assert.deepEqual([opened.status, opened.to], [303, '/dashboard/confirm-email'])
    const asked = await reader.get('/dashboard/confirm-email')
    assert.match(asked.words, new RegExp(`wants to use ${email} on Svc`))
    assert.equal(await emailOf(id), old)
    assert.equal((await visitor(t).get(`/inmobiliarias/${slug}`)).text.includes(email), false)

    const done = await reader.post('/dashboard/confirm-email')
    assert.equal(done.status, 200)
    assert.match(done.words, new RegExp(`now uses ${email}`))
    assert.equal(await emailOf(id), email)
    assert.equal((await findTwin(t.deps.db, id))?.email, email)
    assert.equal(twin.email, old)
    assert.ok((await visitor(t).get(`/inmobiliarias/${slug}`)).text.includes(email))
    assert.doesNotMatch((await owner.get(settings)).words, /not confirmed/)
    // It works once.
    assert.equal(await press(link), 404)

    const notices = await noticed()
    assert.deepEqual(notices.flatMap(({ to }) => to).sort(), [old, owner.account.email].sort())
    for (const { text } of notices) assert.match(text, new RegExp(`${old}[^]*${email}`))
    assert.deepEqual(await entriesOf(id), [
      ['agency_changed', owner.account.name, slug, { phone: '+54 11 5555-0142' }],
      ['agency_email_asked', owner.account.name, email, {}],
      ['agency_changed', email, slug, { email, was: old }],
    ])
  })

  test('is removed at once when cleared, along with a pending one', async () => {
    const { id, old, owner } = await agencyWithOwner()
    await owner.submit(settings, { email: fresh() })
    const link = lastLink()
    await owner.submit(settings, { email: '' })
    assert.equal(await emailOf(id), null)
    assert.equal(await press(link), 404)
    assert.deepEqual((await noticed()).flatMap(({ to }) => to).sort(), [old, owner.account.email].sort())
  })

  test('must be confirmed when it is entered in the console too', async () => {
    const { id, slug, old } = await agencyWithOwner()
    const operator = await signedIn(t, 'operator', null, 'en')
    const email = fresh()
    await operator.submit(`/dashboard/operator/agencies/${slug}/settings`, { email })
    assert.equal(await emailOf(id), old)
    assert.equal(await press(lastLink()), 200)
    assert.equal(await emailOf(id), email)
  })

  test('is refused beside its field if invalid, and nothing is sent or changed', async () => {
    const { id, old, owner } = await agencyWithOwner()
    const refused = await owner.post(settings, { email: 'x', phone: '+54 11 5555-0142' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="f-email-error"/)
    assert.equal(await emailOf(id), old)
    assert.deepEqual(await entriesOf(id), [])
    assert.equal(mailed().length, 0)
  })

  test('is announced in the language of the agency’s mails, and may be confirmed by anyone who reads it', async () => {
    const { id, owner } = await agencyWithOwner()
    await inTransaction(t.deps.db, (tx) => setPreferences(tx, id, { language: 'en' }))
    await owner.submit(settings, { email: fresh() })
    assert.match(mailed()[0]?.text ?? '', /wants to use this email on Svc[^]*expires in 3 days/)
    const other = await signedIn(t, 'member', t.agency.id)
    await other.get(lastLink())
    assert.equal((await other.post('/dashboard/confirm-email')).status, 200)
  })
})

describe('the link that confirms an email', () => {
  test('is void once a newer one was sent, the change was cancelled, or it has expired', async () => {
    const { id, old, owner } = await agencyWithOwner()
    const [first, second] = [fresh(), fresh()]
    await owner.submit(settings, { email: first })
    const links = [lastLink()]
    await owner.submit(settings, { email: second })
    links.push(lastLink())
    await owner.submit(`${settings}/email/again`)
    links.push(lastLink())
    assert.equal(new Set(links).size, 3)
    assert.deepEqual(
      mailed().map(({ to }) => to[0]),
      [first, second, second],
    )
    for (const link of links.slice(0, 2)) assert.equal(await press(link), 404)
    const page = await owner.submit(`${settings}/email/cancel`)
    assert.match(page.words, /Change cancelled/)
    assert.doesNotMatch(page.words, /not confirmed/)
    assert.equal(await press(links[2] ?? ''), 404)
    await owner.submit(settings, { email: first })
    t.clock.offsetMs += (linkSeconds.agency_email + 1) * 1_000
    assert.equal(await press(lastLink()), 404)
    assert.equal(await emailOf(id), old)
    assert.deepEqual(
      (await entriesOf(id)).map(([action, , subject]) => [action, subject]),
      [
        ['agency_email_asked', first],
        ['agency_email_asked', second],
        ['agency_email_asked', second],
        ['agency_email_cancelled', second],
        ['agency_email_asked', first],
      ],
    )
  })

  test('is void once the person who requested it may no longer change the agency', async () => {
    const { id, old, owner } = await agencyWithOwner()
    await owner.submit(settings, { email: fresh() })
    for (const change of [{ role: 'member' }, { disabled_at: new Date().toISOString(), role: 'owner' }]) {
      await t.deps.db.updateTable('accounts').set(change).where('id', '=', owner.account.id).execute()
      assert.equal(await press(lastLink()), 404)
    }
    assert.equal(await emailOf(id), old)
  })

  test('does not set a password, and a link that sets one does not confirm an email', async () => {
    const { id, old, owner } = await agencyWithOwner()
    await owner.submit(settings, { email: fresh() })
    const token = lastLink().split('/').at(-1)
    const reader = visitor(t)
    await reader.get(`/dashboard/welcome/${token}`)
    assert.equal((await reader.get('/dashboard/password')).status, 404)
    assert.equal(
      (await reader.post('/dashboard/password', { password: 'otra clave bien larga' })).status,
      404,
    )
    // Neither invalidates the other.
    const { email } = owner.account
    const forgotten = new Promise<void>((resolve) => {
      const look = (): unknown =>
        mailed().some(({ to }) => to[0] === email) ? resolve() : setImmediate(look)
      look()
    })
    await visitor(t).post('/dashboard/forgot', { email })
    await forgotten
    const reset = /welcome\/([\w-]{43})/.exec(mailed().at(-1)?.text ?? '')?.[1] ?? ''
    assert.equal(await press(`/dashboard/confirm-email/${reset}`), 404)
    assert.equal(await emailOf(id), old)
    assert.equal(await press(`/dashboard/confirm-email/${token}`), 200)
  })

  test('counts once when it is pressed twice at once', async () => {
    const { owner } = await agencyWithOwner()
    await owner.submit(settings, { email: fresh() })
    const link = lastLink()
    assert.deepEqual((await Promise.all([press(link), press(link)])).sort(), [200, 404])
  })

  test('is mailed again by a worker while the mail server fails temporarily', async () => {
    const { owner } = await agencyWithOwner()
    sink.refuse(true, 451)
    const page = await owner.submit(settings, { email: fresh() })
    assert.match(page.words, /could not be sent yet\. We will keep trying/)
    sink.refuse(false)
    t.clock.offsetMs += 7_000
    assert.equal(await mailLinks(t.deps, 4), 1)
    assert.equal(await press(lastLink()), 200)
    sink.refuse(true, 550)
    assert.match((await owner.submit(settings, { email: fresh() })).words, /could not be sent\. Check/)
  })

  test('is sent to one recipient up to a limit, after which nothing is saved', async () => {
    const { id, owner } = await agencyWithOwner()
    const email = fresh()
    await owner.submit(settings, { email })
    for (let sent = 1; sent < perRecipient; sent += 1) await owner.submit(`${settings}/email/again`)
    assert.match((await owner.submit(`${settings}/email/again`)).words, /reached a limit/)
    await owner.submit(`${settings}/email/cancel`)
    const refused = await owner.post(settings, { email, phone: '+54 11 5555-0142' })
    assert.equal(refused.status, 429)
    assert.match(refused.words, /You can send another in/)
    assert.equal(mailed().length, perRecipient)
    const { phone } = await t.deps.db
      .selectFrom('agencies')
      .select('phone')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(phone, null)
  })
})

test('members can neither request an email nor send or cancel its link', async () => {
  const { id, owner } = await agencyWithOwner()
  await owner.submit(settings, { email: fresh() })
  const member = await signedIn(t, 'member', id)
  for (const path of [settings, `${settings}/email/again`, `${settings}/email/cancel`])
    assert.equal((await member.post(path, { email: fresh() })).status, 404)
  assert.equal(mailed().length, 1)
})

test('an inactive agency cannot confirm an email', async () => {
  const { id, old, owner } = await agencyWithOwner()
  await owner.submit(settings, { email: fresh() })
  await t.deps.db.updateTable('agencies').set({ active: false }).where('id', '=', id).execute()
  assert.equal(await press(lastLink()), 403)
  assert.equal(await emailOf(id), old)
})
