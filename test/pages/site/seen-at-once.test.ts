/** Every change through the API is visible on the public pages at the next request, and removed listings are gone from all of them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { restoreRemoved } from '../../../src/listings/writing/states/restore.ts'
import { publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, draft } from '../../support/app/listings.ts'
import { secondApp, type SecondApp } from '../../support/app/second-app.ts'
import { visit } from './visit.ts'

let t: TestApp
let second: SecondApp
before(async () => {
  t = await testApp()
  second = await secondApp(t)
})
after(async () => {
  await second.close()
  await t.close()
})

/** The places that show a listing, on both instances: its page, its agency's page, the sitemap. */
async function seen(id: string): Promise<string[]> {
  const agency = `/inmobiliarias/${t.agency.slug}`
  const places: string[] = []
  for (const [name, { baseUrl }] of Object.entries({ first: t, second })) {
    const at = async (path: string) => visit({ ...t, baseUrl }, path)
    if ((await at(`${agency}/${id}`)).status === 200) places.push(`${name}: page`)
    if ((await at(agency)).text.includes(`/${id}"`)) places.push(`${name}: agency`)
    if ((await at(`/sitemap-${t.agency.slug}-1.xml`)).text.includes(`/${id}<`))
      places.push(`${name}: sitemap`)
  }
  return places
}
const everywhere = ['first', 'second'].flatMap((name) =>
  ['page', 'agency', 'sitemap'].map((place) => `${name}: ${place}`),
)

test('public pages show at once how a listing is published, edited, suspended, removed and restored', async () => {
  const { id } = await draft(t, publishable({ status: 'draft', title: 'Casa de prueba' }))
  assert.deepEqual(await seen(id), [])
  accepted(await t.ask('POST', `/properties/${id}/enable`, { body: {} }))
  assert.deepEqual(await seen(id), everywhere)
  accepted(await t.ask('PATCH', `/properties/${id}`, { body: { title: 'Otro título' } }))
  const agency = `/inmobiliarias/${t.agency.slug}`
  for (const page of [agency, `${agency}/${id}`]) assert.match((await visit(t, page)).text, /Otro título/)
  accepted(await t.ask('POST', `/properties/${id}/disable`, { body: { reason: 'suspended' } }))
  assert.deepEqual(await seen(id), [])
  accepted(await t.ask('POST', `/properties/${id}/enable`, { body: {} }))
  assert.deepEqual(await seen(id), everywhere)
  accepted(await t.ask('DELETE', `/properties/${id}`))
  assert.deepEqual(await seen(id), [])
  const actor = { kind: 'operator', id: null, name: 'test', requestId: null } as const
  await restoreRemoved(t.deps, t.agency.id, id, undefined, actor)
  assert.deepEqual(await seen(id), [])
  accepted(await t.ask('POST', `/properties/${id}/enable`, { body: {} }))
  assert.deepEqual(await seen(id), everywhere)
})

test('public pages show at once a listing that is published on creation', async () => {
  const made = await t.ask('POST', '/properties', { body: publishable() })
  assert.deepEqual(await seen(accepted(made, 201).id), everywhere)
})
