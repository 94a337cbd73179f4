/** The address book of a batch always finds what the database would find if all writes had been sent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { uuidv7 } from '../../src/ids.ts'
import { openAddressBook } from '../../src/properties/address-book.ts'
import { findAtAddress, readAddress } from '../../src/properties/duplicates.ts'
import { type Listing, noContent } from '../../src/properties/listing.ts'
import { collectChange, collectListing, writeContext } from '../../src/properties/store.ts'
import { underLock } from '../../src/writing/under-lock.ts'
import { type TestApp, testApp } from '../support/app.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const place = fc.record({
  address: fc.constantFrom('Calle Mitre 100', 'Av. Mitre 200', 'Mitre s/n', null),
  city: fc.constantFrom('La Plata', 'Rosario', null),
  province: fc.constant(null),
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), place }),
  fc.record({ kind: fc.constant('move' as const), index: fc.nat({ max: 9 }), place }),
  fc.record({ kind: fc.constant('remove' as const), index: fc.nat({ max: 9 }) }),
)
const plain = {
  ...noContent,
  status: 'draft' as const,
  photos: [],
  reserved: false,
  close_reason: null,
  closed_at: null,
  close_amount: null,
  close_currency: null,
}

test('it finds what the database finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.array(place, { minLength: 1, maxLength: 4 }),
      fc.nat({ max: 12 }),
      fc.boolean(),
      async (steps, asked, openedAt, knowsStreets) => {
        const { agency } = await t.newAgency()
        await underLock(t.deps.db, agency.id, t.clock, async (locked) => {
          const author = { kind: 'system' as const, id: null, name: 'test', requestId: null }
          const context = writeContext(locked, { clock: t.clock, limits: t.deps.config.limits, author })
          const keys = asked.map((one) => readAddress(one)?.key ?? null)
          const streets = knowsStreets ? keys.flatMap((key) => key?.streetKey ?? []) : []
          const listings: Listing[] = []
          const take = async (one: (typeof steps)[number]): Promise<[Listing | null, Listing] | null> => {
            if (one.kind === 'create') {
              const made = await collectListing(context, {
                ...plain,
                ...one.place,
                agency_id: agency.id,
                id: uuidv7(),
              })
              listings.push(made)
              return [null, made]
            }
            const was = listings[one.index]
            if (was === undefined || was.deleted_at !== null) return null
            const now = await (one.kind === 'move'
              ? collectChange(context, was, 'updated', one.place)
              : collectChange(context, was, 'deleted', (at) => ({ deleted_at: at })))
            listings[one.index] = now
            return [was, now]
          }
          for (const one of steps.slice(0, openedAt)) await take(one)
          await context.writes.send()
          const book = await openAddressBook(context, agency.id, streets)
          const found: (string | null)[] = []
          for (const [index, one] of [...steps.slice(openedAt), null].entries()) {
            const written = one === null ? null : await take(one)
            if (written !== null && written[0] !== written[1]) book.note(...written)
            const except = listings[index] === undefined ? [] : [listings[index].id]
            for (const key of keys) found.push(await book.find(key, except))
            await context.writes.send()
            for (const key of keys.toReversed())
              assert.equal(found.pop(), await findAtAddress(locked.tx, agency.id, key, except))
          }
        })
      },
    ),
    { numRuns: 60 },
  )
})
