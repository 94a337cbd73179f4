/**
 * The enumerations of api.md 9.3, and the canonical form of values that may be sent in any case, with or without accents.
 */
import { fold } from './list/search-text.ts'

export const statuses = ['draft', 'published', 'disabled'] as const
export const operations = ['sale', 'rent', 'temporary'] as const
export const currencies = ['USD', 'ARS'] as const
export const periods = ['month', 'week', 'night'] as const
export const types = [
  'Casa',
  'Departamento',
  'PH',
  'Lote',
  'Local',
  'Oficina',
  'Cochera',
  'Galpón',
  'Finca',
  'Quinta',
  'Emprendimiento',
  'Fondo de Comercio',
  'Consultorio',
  'Edificio',
  'Hotel',
] as const
export const dispositions = ['Frente', 'Contrafrente', 'Interno', 'Lateral'] as const
export const orientations = ['N', 'S', 'E', 'O', 'NE', 'NO', 'SE', 'SO'] as const
export const locationStatuses = ['resolved', 'approximate', 'manual', 'unresolved'] as const
export const disableReasons = [
  'sold',
  'rented',
  'sold_by_us',
  'sold_by_other',
  'contract_ended',
  'suspended',
  'price_change',
  'other',
] as const

export type Status = (typeof statuses)[number]
export type Operation = (typeof operations)[number]
export type Currency = (typeof currencies)[number]
export type Period = (typeof periods)[number]
export type PropertyType = (typeof types)[number]
export type LocationStatus = (typeof locationStatuses)[number]
export type DisableReason = (typeof disableReasons)[number]

/** The features that apply to a lot. The others are null there. */
export const lotFeatures: ReadonlySet<string> = new Set(['total_m2', 'orientation', 'credit_eligible'])

/** In the order of responses. */
export const featureNames = [
  'bedrooms',
  'bathrooms',
  'rooms',
  'total_m2',
  'covered_m2',
  'garages',
  'age_years',
  'disposition',
  'orientation',
  'pet_friendly',
  'furnished',
  'credit_eligible',
] as const
export type FeatureName = (typeof featureNames)[number]

/** The names that `fields` accepts, in the order of responses. */
export const fieldNames = [
  'id',
  'external_id',
  'status',
  'url',
  'title',
  'description',
  'operation',
  'type',
  'price',
  'expenses',
  'address',
  'location',
  'features',
  'amenities',
  'photos',
  'video_url',
  'video_urls',
  'virtual_tour_url',
  'rental',
  'reserved',
  'agency',
  'published_at',
  'created_at',
  'updated_at',
  'missing',
] as const

export function isRental(operation: string | null): boolean {
  return operation === 'rent' || operation === 'temporary'
}

/** The currency in which prices are usually asked in Argentina: rents in pesos, everything else in dollars. */
export function usualCurrency(operation: string | null): Currency {
  return operation === 'rent' ? 'ARS' : 'USD'
}

const canonicalTypes = byFoldedName(types)
const canonicalDispositions = byFoldedName(dispositions)
const canonicalOrientations = byFoldedName(orientations)

/** `galpon` → `Galpón`. Returns any other value unchanged, for the schema to refuse. */
export const canonicalType = (value: unknown): unknown => canonical(canonicalTypes, value)
/** `FRENTE` → `Frente`. */
export const canonicalDisposition = (value: unknown): unknown => canonical(canonicalDispositions, value)
/** `ne` → `NE`. */
export const canonicalOrientation = (value: unknown): unknown => canonical(canonicalOrientations, value)

function byFoldedName(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [fold(name), name]))
}

/** Only case and accents may differ: a name with extra spaces does not match. */
function canonical(names: ReadonlyMap<string, string>, value: unknown): unknown {
  if (typeof value !== 'string' || /^\s|\s$|\s\s|[^\S ]/u.test(value)) return value
  return names.get(fold(value)) ?? value
}
