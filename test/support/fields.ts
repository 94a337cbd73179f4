/**
 * The fields of a listing and their valid values, from the specification and docs/api.md. It is an oracle, so it imports nothing from src.
 */

/** Every field of a response that `fields` accepts, in order. */
export const fieldNames =
  'id,external_id,status,url,title,description,operation,type,price,expenses,address,location,features,amenities,photos,video_url,video_urls,virtual_tour_url,rental,reserved,agency,published_at,created_at,updated_at,missing'.split(
    ',',
  )

type Feature = {
  onLots: boolean
  /** A value in canonical form, and other valid values. */
  takes: readonly [unknown, ...unknown[]]
  refuses: readonly unknown[]
}

const count = (max: number): Feature => ({
  onLots: false,
  takes: [max, 0, 1],
  refuses: [-1, max + 1, 1.5, '2', true, [], {}],
})
const area: Feature = {
  onLots: false,
  takes: [35.255, 0, 10_000_000],
  refuses: [-0.5, 10_000_000.5, '5', true],
}
const flag: Feature = { onLots: false, takes: [false, true], refuses: ['true', 1, 0, []] }
const choice = (...values: [string, ...string[]]): Feature => ({
  onLots: false,
  takes: values,
  refuses: ['', 'Fondo', 'Norte', 1],
})

/** Every feature, in the order of responses. */
export const features: Readonly<Record<string, Feature>> = {
  bedrooms: count(50),
  bathrooms: count(50),
  rooms: count(50),
  total_m2: { ...area, onLots: true },
  covered_m2: area,
  garages: count(50),
  age_years: count(300),
  disposition: choice('Contrafrente', 'Frente', 'Interno', 'Lateral'),
  orientation: { ...choice('SE', 'N', 'S', 'E', 'O', 'NE', 'NO', 'SO'), onLots: true },
  pet_friendly: flag,
  furnished: flag,
  credit_eligible: { ...flag, onLots: true },
}

export const featureNames = Object.keys(features)
export const lotFeatures = featureNames.filter((name) => features[name]?.onLots)

/** Every feature with a value, or null. */
export const allFeatures = Object.fromEntries(
  Object.entries(features).map(([name, { takes }]) => [name, takes[0]]),
)
export const noFeatures = Object.fromEntries(featureNames.map((name) => [name, null]))
