/**
 * Hundreds of listings from a fixed seed, stored by the domain's own function and known to the oracle: texts with accents, special
 * characters of LIKE and SQL, and values with ties.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { newPublicId, uuidv7 } from '../../../src/platform/names/ids.ts'
import { noContent } from '../../../src/listings/fields/content.ts'
import { asCreated, createStatement } from '../../../src/listings/writing/create/create-listings.ts'
import type { Listing } from '../../../src/listings/listing.ts'
import { writeContext } from '../../../src/listings/store/write-context.ts'
import { underLock } from '../../../src/writing/under-lock.ts'
import type { TestApp } from '../../support/app/app.ts'
import { lotFeatures } from '../../support/app/fields.ts'
import type { Known } from './list-oracle.ts'

const orNull = <T>(arbitrary: fc.Arbitrary<T>, weight = 3): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: fc.constant(null) })

export const cities = [
  'La Plata',
  'Córdoba',
  'Ñuñoa',
  'San Martín de los Andes',
  "Villa O'Higgins",
  'Gral. Pico',
  'İzmir',
]
const streets = ['Av. San Martín', 'Calle 50', "O'Higgins", 'Güemes', 'Ruta 2 km', 'Pje. 3/4', '9 de Julio']
const openings = [
  'Casa',
  'CASA',
  'Depto.',
  'Hermoso PH',
  'Galpón',
  'Lote',
  'Ático',
  'Local — céntrico',
  'Quinta 🏡',
]
const endings = [
  'con jardín',
  'en Núñez',
  'en La Plata',
  '100% financiado',
  'a_estrenar',
  String.raw`c:\casa`,
  "d'or",
  'frente/fondo',
  'co-living',
  '«única»',
  'ESQUINA',
  'e\u0301pico',
]
export const types = ['Casa', 'Departamento', 'PH', 'Lote', 'Galpón', 'Fondo de Comercio', 'Consultorio']

// Few enough to tie, many enough to differ.
export const moments = Array.from({ length: 40 }, (_, index) =>
  new Date(Date.UTC(2026, 0, 1) + index * 86_399_999).toISOString(),
)

const price = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      amount: fc.constantFrom(1, 99.99, 100, 100.01, 1500, 100_000, 1e12),
      currency: fc.constantFrom('USD' as const, 'ARS' as const),
      on_request: fc.constant(false),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ amount: null, currency: null, on_request: true }) },
  { weight: 1, arbitrary: fc.constant({ amount: null, currency: null, on_request: false }) },
)
const count = fc.nat({ max: 5 })
const area = fc.constantFrom(0, 35.5, 50, 50.25, 120, 10_000_000)

const features = fc.record(
  {
    bedrooms: count,
    bathrooms: count,
    total_m2: area,
    covered_m2: area,
    orientation: fc.constantFrom('N', 'SE'),
    pet_friendly: fc.boolean(),
  },
  { requiredKeys: [] },
)

const listing = fc.record({
  status: fc.constantFrom('published' as const, 'published' as const, 'draft' as const, 'disabled' as const),
  removed: fc.constantFrom(false, false, false, false, false, false, true),
  title: orNull(
    fc.tuple(fc.constantFrom(...openings), fc.constantFrom(...endings)).map((parts) => parts.join('  ')),
    9,
  ),
  description: orNull(fc.constantFrom('Línea 1\n\nLínea 2', 'x'.repeat(500))),
  operation: orNull(fc.constantFrom('sale' as const, 'rent' as const, 'temporary' as const), 9),
  type: orNull(fc.constantFrom(...types), 9),
  price,
  period: fc.constantFrom('month' as const, 'week' as const, 'night' as const),
  address: orNull(
    fc.tuple(fc.constantFrom(...streets), fc.nat({ max: 30 })).map((parts) => parts.join(' ')),
    9,
  ),
  city: orNull(fc.constantFrom(...cities), 9),
  province: orNull(fc.constantFrom('Buenos Aires', 'Córdoba')),
  pin: orNull(fc.record({ lat: fc.constantFrom(-34.92, -54.8), lng: fc.constantFrom(-57.95, -68.3) })),
  features,
  photos: fc.nat({ max: 2 }),
  createdAt: fc.nat({ max: 19 }),
  publishedAfter: fc.nat({ max: 10 }),
  updatedAfter: fc.nat({ max: 9 }),
})

/** Stores `count` listings of the agency. The same `seed` gives the same contents, with new codes and ids. */
export async function seedListings(
  t: TestApp,
  agency: { id: string; name: string; slug: string },
  count: number,
  seed: number,
): Promise<Known[]> {
  const drafts = fc.sample(listing, { numRuns: count, seed })
  return underLock(t.deps.db, agency.id, t.clock, async (locked) => {
    const { tx } = locked
    const actor = { kind: 'system', id: null, name: 'test', requestId: null } as const
    const context = writeContext(locked, t.deps, actor)
    const known: Known[] = []
    for (const [index, made] of drafts.entries()) {
      const isRental = made.operation === 'rent' || made.operation === 'temporary'
      const created_at = moments[made.createdAt] ?? ''
      const published_at =
        made.status === 'draft' ? null : (moments[made.createdAt + made.publishedAfter] ?? '')
      const updated_at = moments[made.createdAt + made.publishedAfter + made.updatedAfter] ?? ''
      const own = Object.entries(made.features).filter(
        ([name]) => made.type !== 'Lote' || lotFeatures.includes(name),
      )
      const facts = {
        external_id: index % 3 === 0 ? `E-${seed}.${index}` : null,
        title: made.title,
        description: made.description,
        operation: made.operation,
        address: made.address,
        city: made.city,
        province: made.province,
        lat: made.pin?.lat ?? null,
        lng: made.pin?.lng ?? null,
        location_status: made.pin === null ? null : 'manual',
        features: Object.fromEntries(own) as Known['features'],
        photos: Array.from(
          { length: made.status === 'published' ? 3 + made.photos : made.photos },
          photoName,
        ),
      } as const
      const listing: Listing = {
        ...noContent,
        ...facts,
        type: made.type as 'Casa' | null,
        price_amount: made.price.amount,
        price_currency: made.price.currency,
        price_on_request: made.price.on_request,
        price_period: isRental ? made.period : null,
        agency_id: agency.id,
        id: uuidv7(),
        status: made.status,
        reserved: false,
        close_reason: null,
        closed_at: null,
        close_amount: null,
        close_currency: null,
        public_id: newPublicId(),
        version: 0,
        created_at,
        updated_at,
        published_at: null,
        deleted_at: null,
      }
      const draft = { listing, comparesAddress: false, actor: context.actor, response: null }
      const [created] = await context.writes.runAfter(createStatement([draft], context.clock, null))
      if (created?.rejection !== null) throw new Error('not created')
      const stored = asCreated(listing, created)
      await sql`
        update properties set created_at = ${created_at}, published_at = ${published_at}, updated_at = ${updated_at},
          deleted_at = ${made.removed ? updated_at : null}
        where agency_id = ${agency.id} and id = ${stored.id}`.execute(tx)
      known.push({
        ...facts,
        ...made.price,
        agency_id: agency.id,
        agency: { name: agency.name, slug: agency.slug },
        id: stored.public_id,
        status: made.status,
        removed: made.removed,
        type: made.type,
        period: isRental ? made.period : null,
        published_at,
        created_at,
        updated_at,
      })
    }
    return known
  })
}

function photoName(): string {
  return `${randomBytes(32).toString('base64url')}.AbCd1234`
}
