/** The enumerations of api.md 9.3, and the canonical form of values that may be sent in any case, with or without accents. */
import { foldForSearch } from '../addresses/fold.ts'

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
export type PropertyType = (typeof types)[number]
export type LocationStatus = (typeof locationStatuses)[number]
export type DisableReason = (typeof disableReasons)[number]

export function isRental(operation: string | null): boolean {
  return operation === 'rent' || operation === 'temporary'
}

/** The currency in which prices are usually asked in Argentina: rents in pesos, everything else in dollars. */
export function usualCurrency(operation: string | null): Currency {
  return operation === 'rent' ? 'ARS' : 'USD'
}

/**
 * The value among the names that differs in case and accents alone: `galpon` → `Galpón`. Any other value comes back unchanged, for the
 * schema to refuse.
 */
export function canonicalIn(names: readonly string[]): (value: unknown) => unknown {
  const byFoldedName = new Map(names.map((name) => [foldForSearch(name), name]))
  return (value) => {
    // A name with extra spaces does not match.
    if (typeof value !== 'string' || /^\s|\s$|\s\s|[^\S ]/u.test(value)) return value
    return byFoldedName.get(foldForSearch(value)) ?? value
  }
}

export const canonicalType = canonicalIn(types)
