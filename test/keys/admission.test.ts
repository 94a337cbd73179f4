/**
 * Requests that arrive together share a statement (docs/architecture.md, 'Admission'): whoever asks beside it, each gets what it would
 * get alone.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Admitted, Asking } from '../../src/keys/admission.ts'
import { revokeKey } from '../../src/keys/keys.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-http.ts'

const site = 'https://www.acme.example'

let t: TestApp
let keys: string[] = []
before(async () => {
  t = await testApp()
  const { id } = t.agency
  const revoked = await t.newKey(id)
  await revokeKey(t.deps.db, id, revoked.id, t.clock)
  const listed = await t.newKey(id, { allowed_origins: [site] })
  const signing = await t.newKey(id, { allowed_origins: [site], signature_required: true })
  keys = [t.readKey, t.writeKey, t.other.readKey, listed.key, signing.key, revoked.key, 'nonsense']
})
after(() => t.close())

const fields = {
  key: fc.nat({ max: 6 }).map((index) => keys[index] ?? ''),
  kind: fc.constantFrom('reads' as const, 'writes' as const),
  cost: fc.nat({ max: 3 }),
  scope: fc.constantFrom('properties:read', 'any', 'properties:write', 'leads:read', ''),
  origin: fc.oneof(
    fc.constantFrom(null, ''),
    fc.constantFrom(site, ` ${site}`, `${site} `, 'null', 'undefined', 'true', 'false', '""'),
    fc.string().map((text) => text.replaceAll('\0', '')),
  ),
  signed: fc.boolean(),
}
/** Requests that differ from each other in a field or two: what is mixed up is what is nearly the same. */
const nearlyTheSame: fc.Arbitrary<Asking[]> = fc
  .tuple(
    fc.record(fields),
    fc.array(fc.record(fields, { requiredKeys: [] }).chain(aField), { minLength: 1, maxLength: 20 }),
  )
  .map(([asking, changes]) => [asking, ...changes.map((change) => ({ ...asking, ...change }))])

function aField(change: Partial<Asking>): fc.Arbitrary<Partial<Asking>> {
  return fc
    .subarray(Object.entries(change), { maxLength: Math.min(2, Object.keys(change).length) })
    .map((entries) => Object.fromEntries(entries))
}

/** What does not depend on what else was asked: who it is, and what was granted. */
const told = (admitted: Admitted | null) => ({
  key: admitted?.record.key,
  revoked: admitted?.record.revoked,
  granted: admitted?.passage?.granted,
})

describe('requests admitted together', () => {
  it('each get what they would get alone, whatever they ask for', async () => {
    await fc.assert(
      fc.asyncProperty(nearlyTheSame, async (askings) => {
        const together = await Promise.all(askings.map((each) => t.deps.admit(each)))
        for (const [index, each] of askings.entries())
          assert.deepEqual(
            told(together[index] ?? null),
            told(await t.deps.admit(each)),
            JSON.stringify(each),
          )
      }),
      { numRuns: 200 },
    )
  })

  it('an empty Origin is refused as any other, and nobody beside it', async () => {
    const ask = (headers: Record<string, string>) =>
      rawRequest(t.baseUrl, {
        method: 'GET',
        path: '/api/v1/me',
        headers: { 'x-api-key': t.readKey, ...headers },
      })
    const empty = { origin: '' }
    // What came first spoke for the others.
    const sent = [empty, {}, {}, empty, {}, {}, {}, empty]
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(sent.map(ask))
      assert.deepEqual(
        answers.map(({ status, text }) => (status === 200 ? 200 : /"code":"(\w+)"/.exec(text)?.[1])),
        sent.map((headers) => (headers === empty ? 'origin_not_allowed' : 200)),
      )
    }
  })
})
