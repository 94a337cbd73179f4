/**
 * Reads serialize listings directly from the columns' text (api.md 9.1). Whatever the columns hold, the result equals JSON.stringify of
 * `toProperty` byte for byte.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { newPublicId, uuidv7 } from '../../../../src/platform/names/ids.ts'
import { findChanges } from '../../../../src/listings/reading/changes.ts'
import { findListing, getShownRow } from '../../../../src/listings/reading/find.ts'
import { findPage } from '../../../../src/listings/reading/list/list-sql.ts'
import { listingColumns } from '../../../../src/listings/listing.ts'
import { noContent } from '../../../../src/listings/fields/content.ts'
import { toProperty } from '../../../../src/listings/reading/shown/serialize.ts'
import { rowWriter, shownColumns } from '../../../../src/listings/reading/shown/shown-text.ts'
import {
  currencies,
  dispositions,
  locationStatuses,
  operations,
  orientations,
  periods,
  statuses,
  types,
} from '../../../../src/listings/fields/vocabulary.ts'
import { naughtyStrings } from '../../../corpora/corpora.ts'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { fieldNames } from '../../../support/app/fields.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const control = String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1))
const storable = naughtyStrings().filter((text) => !text.includes('\0') && text.isWellFormed())
const text = fc.oneof(
  fc.constantFrom(...storable, control, '', 'null', 'NULL', '{}', '","', '\\', '\u2028\u007F', 'jardín 🏡'),
  fc.string({ unit: 'binary' }).filter((some) => !some.includes('\0') && some.isWellFormed()),
)
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 4 })
const moment = fc
  .date({ min: new Date('1990-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const cents = fc.oneof(
  fc.integer({ min: 0, max: 1e14 }).map((amount) => amount / 100),
  fc.constantFrom(0, 0.1, 100, 120_000, 85.5, 1e12, 10.01),
)
const degrees = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(0, -0, 1e-5, 1e-7, -0.0001, 5e-324, 45),
)
const money = orNull(fc.tuple(cents, fc.constantFrom(...currencies)))
const area = fc.oneof(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.nat(500), fc.constantFrom(1e-7, 74.5))
const few = fc.array(text, { maxLength: 4 })

const columns = fc.record({
  external_id: orNull(fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/)),
  status: fc.constantFrom(...statuses),
  title: orNull(text),
  description: orNull(text),
  operation: orNull(fc.constantFrom(...operations)),
  type: orNull(fc.constantFrom(...types)),
  price: money,
  price_period: orNull(fc.constantFrom(...periods)),
  price_on_request: fc.boolean(),
  expenses: money,
  address: orNull(text),
  city: orNull(text),
  province: orNull(text),
  pin: orNull(fc.tuple(degrees, degrees)),
  location_status: orNull(fc.constantFrom(...locationStatuses)),
  features: fc.record(
    {
      bedrooms: fc.nat(50),
      total_m2: area,
      covered_m2: area,
      age_years: fc.nat(300),
      disposition: fc.constantFrom(...dispositions),
      orientation: fc.constantFrom(...orientations),
      pet_friendly: fc.boolean(),
      credit_eligible: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  amenities: few,
  photos: fc.array(
    fc.nat().map(() => `${randomBytes(32).toString('base64url')}.AbCd1234`),
    { minLength: 3, maxLength: 6 },
  ),
  hasPhotos: fc.boolean(),
  video_url: orNull(text.map((end) => `https://v.example/${end}`)),
  video_urls: few,
  virtual_tour_url: orNull(text.map((end) => `https://t.example/${end}`)),
  rental: orNull(
    fc.record({
      min_stay: orNull(fc.nat(10_000)),
      min_lease_months: orNull(fc.nat(1200)),
      services_included: few,
    }),
  ),
  reserved: fc.boolean(),
  published_at: moment,
  created_at: moment,
  updated_at: moment,
})

/** Stores listings with any column values that the table accepts. @returns their public codes */
async function store(count: number): Promise<string[]> {
  const rows = fc
    .sample(columns, count)
    .map(({ price, expenses, pin, hasPhotos, photos, ...row }, index) => ({
      ...noContent,
      ...row,
      agency_id: t.agency.id,
      id: uuidv7(),
      public_id: newPublicId(),
      external_id: row.external_id === null ? null : `${index}.${row.external_id}`.slice(0, 64),
      version: index + 1,
      price_amount: price?.[0] ?? null,
      price_currency: price?.[1] ?? null,
      price_on_request: price === null && row.price_on_request,
      expenses_amount: expenses?.[0] ?? null,
      expenses_currency: expenses?.[1] ?? null,
      lat: pin?.[0] ?? null,
      lng: pin?.[1] ?? null,
      photos: hasPhotos || row.status === 'published' ? photos : photos.slice(0, index % 3),
      published_at: row.status === 'draft' ? null : row.published_at,
    }))
  const names = listingColumns.filter((name) => name in (rows[0] ?? {})).join(', ')
  await t.deps.db.run({
    text: `insert into properties (${names}) select ${names} from jsonb_populate_recordset(null::properties, $1)`,
    values: [JSON.stringify(rows)],
  })
  return rows.map(({ public_id: code }) => code)
}

/** The part of a listing that `fields` selects. */
function selected(property: Record<string, unknown>, fields: ReadonlySet<string>) {
  const shown = new Set(['id', ...fields, ...(fields.has('location') ? ['location_status'] : [])])
  return Object.fromEntries(Object.entries(property).filter(([name]) => shown.has(name)))
}

test('the text of a listing equals JSON.stringify of toProperty, for any values and any selection of fields', async () => {
  const codes = await store(400)
  const { db, config } = t.deps
  const agency = { id: t.agency.id, name: 'Río "Uno"', slug: 'rio' }
  const find = (code: string) => findListing(db, agency.id, { id: code })
  const whole = await Promise.all(codes.map(find))
  const selections = [
    null,
    new Set<string>(),
    ...fieldNames.map((name) => new Set([name])),
    ...fc.sample(fc.subarray([...fieldNames]), 20).map((names) => new Set(names)),
  ]
  for (const fields of selections) {
    const write = rowWriter(agency, config.publicBaseUrl, fields)
    const expected = new Map(
      whole.map((listing) => {
        assert.ok(listing !== null)
        const property = toProperty(listing, agency, config.publicBaseUrl)
        return [listing.public_id, JSON.stringify(fields === null ? property : selected(property, fields))]
      }),
    )
    const idOf = (written: string) => written.slice(7, 15)
    const { listings } = await findPage(
      db,
      agency.id,
      { filters: { status: 'all' }, sort: 'recent', limit: 1000, offset: 0 },
      shownColumns(fields),
    )
    const { changes } = await findChanges(db, agency.id, 0, 1000, true, fields)
    for (const rows of [listings, changes.map(({ row }) => row)]) {
      assert.equal(rows.length, codes.length)
      for (const row of rows) {
        const written = write(row)
        assert.equal(written, expected.get(idOf(written)))
      }
    }
  }
  const write = rowWriter(agency, config.publicBaseUrl, null)
  for (const [index, code] of codes.entries()) {
    const listing = whole[index]
    assert.ok(listing != null)
    const row = await getShownRow(db, agency.id, { id: code }, true)
    assert.equal(write(row), JSON.stringify(toProperty(listing, agency, config.publicBaseUrl)))
    assert.deepEqual([row.agency_id, row.version], [agency.id, listing.version])
  }
})
