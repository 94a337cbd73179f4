/** The pictures of a deactivated agency: visible to people who are signed in and see the agency in the dashboard, and to no one else. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { setAgencyActive } from '../../../../src/agencies/agencies.ts'
import { getAgencyDetails } from '../../../../src/agencies/details.ts'
import { photoUrls, type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted } from '../../../support/app/listings.ts'
import { newTestKey } from '../../../support/app/test-key.ts'
import { person, signedIn, visitor, type Visitor } from '../../dashboard/visitor.ts'
import { password } from '../../../support/app/people.ts'

let t: TestApp
let owner: Visitor
/** Pictures by name: a photo, one of the test environment, a preview, the logo. */
const pictures = new Map<string, string>()
before(async () => {
  t = await testApp({ env: { OPERATOR_SECOND_FACTOR: 'required' } })
  const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#753' } })
    .png()
    .toBuffer()
  owner = await signedIn(t, 'owner')
  const { key: testKey } = await newTestKey(t, t.agency)
  for (const [name, key] of [
    ['photo', t.writeKey],
    ['photo of the test environment', testKey],
  ] as const) {
    const body = { title: 'Casa', photos: photoUrls(1) }
    const { photos } = accepted(await t.ask('POST', '/properties', { key, body }), 201)
    pictures.set(name, (photos[0] ?? '').replace('https://listings.test', ''))
  }
  pictures.set('preview', pictures.get('photo')?.replace('large.webp', 'preview.jpg') ?? '')
  await owner.upload('/dashboard/settings/look/logo', [
    ['logo', new File([new Uint8Array(picture)], 'logo.png', { type: 'image/png' })],
  ])
  const { logo } = await getAgencyDetails(t.deps.db, t.agency.id)
  pictures.set('logo', `/logos/${t.agency.id}/${logo}/small.webp`)
  for (const path of pictures.values()) assert.equal((await visitor(t).get(path)).status, 200, path)
  await setAgencyActive(t.deps.db, t.agency.slug, false, t.clock)
})
after(() => t.close())

async function seenBy(who: Visitor, headers: Record<string, string> = {}): Promise<string[]> {
  const seen = []
  for (const [name, path] of pictures) {
    const response = await who.get(path, headers)
    const { status } = response
    assert.ok(status === 200 || status === 404, `${name}: ${status}`)
    if (status === 404) continue
    seen.push(name)
    assert.equal(response.headers.get('cache-control'), 'private, no-store')
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin')
  }
  return seen
}

describe('photos of a deactivated agency are served', () => {
  test('to the people of the agency', async () => {
    assert.deepEqual(await seenBy(owner), [...pictures.keys()])
    assert.deepEqual(await seenBy(await signedIn(t, 'member')), [...pictures.keys()])
  })
  test('to operators, once their second factor is on', async () => {
    const { id, email } = await person(t, 'operator')
    const operator = visitor(t)
    await operator.submit('/dashboard/sign-in', { email, password })
    assert.deepEqual(await seenBy(operator), [])
    await t.deps.db
      .updateTable('accounts')
      .set({ totp_secret: Buffer.alloc(1), totp_confirmed_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute()
    assert.deepEqual(await seenBy(operator), [...pictures.keys()])
  })
  test('to everyone once the agency is active again', async () => {
    await setAgencyActive(t.deps.db, t.agency.slug, true, t.clock)
    for (const path of pictures.values()) assert.equal((await visitor(t).get(path)).status, 200)
    await setAgencyActive(t.deps.db, t.agency.slug, false, t.clock)
  })
})

describe('photos of a deactivated agency are not found', () => {
  test('by a visitor, whatever the request’s headers', async () => {
    for (const site of ['same-origin', 'same-site', 'cross-site', 'none'])
      assert.deepEqual(await seenBy(visitor(t), { 'sec-fetch-site': site }), [])
    const forged = visitor(t)
    forged.cookies.set('__Host-dashboard-session', 'x'.repeat(43))
    assert.deepEqual(await seenBy(forged, { 'sec-fetch-site': 'same-origin', 'if-none-match': '*' }), [])
  })
  test('by the people of another agency', async () => {
    assert.deepEqual(await seenBy(await signedIn(t, 'owner', t.other.agency.id)), [])
  })
  test('after signing out', async () => {
    const who = await signedIn(t, 'owner')
    const kept = who.cookies.get('__Host-dashboard-session') ?? ''
    await who.submit('/dashboard/sign-out')
    who.cookies.set('__Host-dashboard-session', kept)
    assert.deepEqual(await seenBy(who), [])
  })
  test('between the password and the second factor', async () => {
    const who = await signedIn(t, 'owner')
    const { db } = t.deps
    await db
      .updateTable('account_sessions')
      .set({ stage: 'password' })
      .where('account_id', '=', who.account.id)
      .execute()
    assert.deepEqual(await seenBy(who), [])
  })
})
