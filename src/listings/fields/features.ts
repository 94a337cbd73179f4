/** The table of a listing's features, one line each, in the order of responses. Everything else about them follows from it (field.ts). */
import { numberLimits } from '../../limits/sizes.ts'
import { appliesTo, type Field } from './field.ts'
import { dispositions, orientations } from './vocabulary.ts'

/** For features of buildings, which land does not have. */
const notOn = ['Lote'] as const

export const features = {
  bedrooms: {
    kind: 'count',
    about: 'Bedrooms.',
    max: numberLimits.count,
    notOn,
    label: { es: 'Dormitorios', en: 'Bedrooms' },
    tile: { es: ['dormitorio', 'dormitorios'], en: ['bedroom', 'bedrooms'] },
    aliases: 'dormitorios dormitorio dorm dorms bedrooms habitaciones cuartos',
    cells: { monoambiente: 0, mono: 0 },
  },
  bathrooms: {
    kind: 'count',
    about: 'Bathrooms.',
    max: numberLimits.count,
    notOn,
    label: { es: 'Baños', en: 'Bathrooms' },
    tile: { es: ['baño', 'baños'], en: ['bathroom', 'bathrooms'] },
    aliases: 'banos bano bathrooms',
  },
  rooms: {
    kind: 'count',
    about: 'Rooms (ambientes).',
    max: numberLimits.count,
    notOn,
    leads: true,
    label: { es: 'Ambientes', en: 'Rooms' },
    tile: { es: ['ambiente', 'ambientes'], en: ['room', 'rooms'] },
    aliases: 'ambientes amb ambs rooms cantidad_de_ambientes',
    cells: { monoambiente: 1, mono: 1 },
  },
  total_m2: {
    kind: 'area',
    about: 'Total area; on a lot, the land.',
    label: { es: 'Superficie total (m²)', en: 'Total area (m²)' },
    tile: {
      es: ['m² totales', 'm² totales'],
      en: ['m² total', 'm² total'],
      lot: { es: 'm² de terreno', en: 'm² of land' },
    },
    aliases: 'm2_totales superficie_total superficie sup_total total_m2 m2 terreno_m2 m2_total sup',
  },
  covered_m2: {
    kind: 'area',
    about: 'Covered area.',
    notOn,
    label: { es: 'Superficie cubierta (m²)', en: 'Covered area (m²)' },
    tile: { es: ['m² cubiertos', 'm² cubiertos'], en: ['m² covered', 'm² covered'] },
    aliases: 'm2_cubiertos superficie_cubierta sup_cubierta covered_m2 cubiertos m2_cub sup_cub',
  },
  garages: {
    kind: 'count',
    about: 'Parking places.',
    max: numberLimits.count,
    notOn,
    label: { es: 'Cocheras', en: 'Garages' },
    tile: { es: ['cochera', 'cocheras'], en: ['parking space', 'parking spaces'] },
    aliases: 'cocheras cochera garages garage garajes coch',
    cells: { si: 1, no: 0, yes: 1 },
  },
  age_years: {
    kind: 'count',
    about: 'Age in years; 0 is new.',
    max: 300,
    notOn,
    label: { es: 'Antigüedad (años)', en: 'Age (years)' },
    row: {
      label: { es: 'Antigüedad', en: 'Age' },
      zero: { es: 'A estrenar', en: 'Brand new' },
      unit: { es: ['año', 'años'], en: ['year', 'years'] },
    },
    aliases: 'antiguedad age age_years anos',
    cells: { a_estrenar: 0, estrenar: 0, nuevo: 0, nueva: 0, new: 0, en_construccion: 0, en_pozo: 0 },
  },
  disposition: {
    kind: 'choice',
    about: 'Disposition in the building; any case, with or without accents, on input.',
    values: dispositions,
    isFolded: true,
    words: {
      Frente: { es: 'Frente', en: 'Front' },
      Contrafrente: { es: 'Contrafrente', en: 'Rear' },
      Interno: { es: 'Interno', en: 'Interior' },
      Lateral: { es: 'Lateral', en: 'Side' },
    },
    notOn,
    label: { es: 'Disposición', en: 'Position in the building' },
    row: { label: { es: 'Disposición', en: 'Position in the building' } },
    aliases: 'disposicion disposition',
  },
  orientation: {
    kind: 'choice',
    about: 'Compass orientation; any case on input.',
    values: orientations,
    isFolded: true,
    words: {
      N: { es: 'Norte', en: 'North' },
      S: { es: 'Sur', en: 'South' },
      E: { es: 'Este', en: 'East' },
      O: { es: 'Oeste', en: 'West' },
      NE: { es: 'Noreste', en: 'Northeast' },
      NO: { es: 'Noroeste', en: 'Northwest' },
      SE: { es: 'Sudeste', en: 'Southeast' },
      SO: { es: 'Sudoeste', en: 'Southwest' },
    },
    label: { es: 'Orientación', en: 'Orientation' },
    row: { label: { es: 'Orientación', en: 'Orientation' } },
    aliases: 'orientacion orientation',
  },
  pet_friendly: {
    kind: 'flag',
    about: 'Pets are welcome.',
    notOn,
    label: { es: 'Acepta mascotas', en: 'Pets allowed' },
    row: {
      label: { es: 'Mascotas', en: 'Pets' },
      yes: { es: 'Se aceptan', en: 'Allowed' },
      no: { es: 'No se aceptan', en: 'Not allowed' },
    },
    aliases: 'mascotas acepta_mascotas apto_mascotas pets pet_friendly',
  },
  furnished: {
    kind: 'flag',
    about: 'Comes furnished.',
    notOn,
    label: { es: 'Amoblado', en: 'Furnished' },
    row: { label: { es: 'Amoblado', en: 'Furnished' } },
    aliases: 'amoblado amueblado furnished',
  },
  credit_eligible: {
    kind: 'flag',
    about: 'Eligible for a mortgage loan.',
    leads: true,
    label: { es: 'Apto crédito', en: 'Eligible for a mortgage' },
    row: { label: { es: 'Apto crédito', en: 'Eligible for a mortgage' } },
    aliases: 'apto_credito credito credit_eligible',
  },
} as const satisfies Readonly<Record<string, Field>>

export type FeatureName = keyof typeof features
export type FeatureValue = number | string | boolean

export const featureNames = Object.keys(features) as FeatureName[]

export function isApplicable(name: FeatureName, type: string | null): boolean {
  // A row may have a feature that only a newer version of the service knows.
  const line: Field | undefined = features[name]
  return line === undefined || appliesTo(line, type)
}
