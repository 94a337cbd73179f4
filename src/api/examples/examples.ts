/** The examples of the OpenAPI document. */
import { type FeatureName, featureNames, type FeatureValue } from '../../listings/fields/features.ts'
import { emptyOf, type Line } from '../../listings/fields/field.ts'
import { fields } from '../../listings/fields/fields.ts'

export const examplePayload = {
  external_id: 'CRM-1042',
  title: 'Departamento de tres ambientes con balcón',
  description: 'Piso alto, muy luminoso.\n\nCocina separada y lavadero.',
  operation: 'sale',
  type: 'Departamento',
  price: { amount: 128500, currency: 'USD' },
  expenses: { amount: 95000, currency: 'ARS' },
  address: 'Av. Corrientes 4820',
  location: {
    city: 'Buenos Aires',
    province: 'Ciudad Autónoma de Buenos Aires',
    lat: -34.5998,
    lng: -58.4382,
  },
  features: {
    bedrooms: 2,
    bathrooms: 1,
    rooms: 3,
    total_m2: 74,
    covered_m2: 68,
    age_years: 12,
    orientation: 'NE',
  },
  amenities: ['Balcón', 'Ascensor'],
}

/** A photo source that anyone can try: a service in demonstration mode serves these pictures. */
export const samplePhoto = (number: number) => `https://listings.example/samples/${number}.jpg`

const photo = (name: string) =>
  `https://listings.example/photos/019ab0c4-6d2e-7c31-9a55-0d1f7be3a901/7KQ2M9XA/${name}/large.webp`

/** Every feature, without a value. */
export const noFeatures = Object.fromEntries(featureNames.map((name) => [name, null])) as Record<
  FeatureName,
  FeatureValue | null
>

const { lat, lng, ...named } = examplePayload.location

/** Adds the fields that the example lacks, empty, and puts all in the order of responses. */
function withAllFields<T extends Record<string, unknown>>(property: T): T {
  const entries = Object.entries<Line>(fields).map(([name, line]) => [
    name,
    property[name] ?? (line.kind === 'system' || line.kind === 'group' ? null : emptyOf(line)),
  ])
  return Object.fromEntries(entries) as T
}

/** A published listing. */
export const exampleProperty = withAllFields({
  ...examplePayload,
  id: '7KQ2M9XA',
  status: 'published',
  url: 'https://listings.example/inmobiliarias/rio-propiedades/7KQ2M9XA',
  price: { ...examplePayload.price, on_request: false },
  location: { ...named, neighborhood: null, lat, lng },
  location_status: 'manual',
  features: { ...noFeatures, ...examplePayload.features },
  photos: [
    photo('LY1pMXesRIlfwCwAnsP2rzLlHrAHg8FwANcFHRZiuTo.f3Kd90aB'),
    photo('MXHYmtAFMP-hmiRPBA6UAaZXkDy7vKckmWuQpW3ywYk.Xw81mQz4'),
    photo('QJX2AwUtqnkDUG1okkTNUgCcqM3NjbaHN5hOVHv_ZLU.0pLt7RcE'),
  ],
  reserved: false,
  agency: {
    name: 'Río Propiedades',
    slug: 'rio-propiedades',
    url: 'https://listings.example/inmobiliarias/rio-propiedades',
  },
  published_at: '2026-11-20T10:15:00.000Z',
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T10:15:00.000Z',
  missing: [],
})

/** The listing that `examplePayload` creates. */
export const exampleDraft = {
  ...exampleProperty,
  status: 'draft',
  photos: [],
  published_at: null,
  updated_at: '2026-11-20T09:30:00.000Z',
  missing: ['photos'],
}

/** The response of a dry run, from that of the real request. */
export const dryRunOf = (response: object, newListings = 0) => ({
  ...response,
  dry_run: true,
  cost: { writes: 1, new_listings: newListings, photos: 0, state_changes: 0 },
  room: { ok: true, limits: [], retry_after: null },
})
