/** The dashboard warns an agency that its mail server rejects mail, until a mail is delivered. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { findUnmailed } from '../../../src/delivery/notifications/deliveries.ts'
import { dayMs } from '../../../src/platform/time/days.ts'
import { accepted, published } from '../../support/app/listings.ts'
import { act, type Notified, notified } from './notified.ts'

let n: Notified
before(async () => {
  n = await notified()
})
after(() => n.close())

const find = (agencyId = n.t.agency.id) => findUnmailed(n.t.deps.db, agencyId, n.t.clock)

test('an agency’s own rejected mails are shown until one is delivered or a week has passed', async () => {
  const { t, mail } = n
  await sql`update agencies set email = 'agencia@acme.example'`.execute(t.deps.db)
  const { id } = await published(t)
  n.pass(60_000)
  await n.deliver('mail')
  assert.equal(await find(), null)

  mail.refuse(true, 550, '5.1.1 No such user here')
  accepted(await act.disable(t, id))
  n.pass(60_000)
  await n.deliver('mail')
  const refused = await find()
  assert.equal(refused?.count, 1)
  assert.match(JSON.stringify(refused?.why), /No such user here/)
  assert.equal(await find(t.other.agency.id), null)

  // Counts each notification once, whatever its number of attempts.
  accepted(await act.enable(t, id))
  n.pass(60_000)
  await n.deliver('mail')
  assert.equal((await find())?.count, 2)

  mail.refuse(false)
  accepted(await act.disable(t, id))
  n.pass(60_000)
  await n.deliver('mail')
  assert.equal(await find(), null)

  mail.refuse(true, 550, 'again')
  accepted(await act.enable(t, id))
  n.pass(60_000)
  await n.deliver('mail')
  assert.equal((await find())?.count, 3)
  n.pass(8 * dayMs)
  assert.equal(await find(), null)
})
