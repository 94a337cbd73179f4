/** The part of a listing that a payload fills. */
import type { FeatureName, FeatureValue } from './features.ts'
import { emptyOf, type Stored } from './field.ts'
import { type Fields, type Leaf, type OwnName, valueColumns } from './field-lists.ts'
import type { LocationStatus } from './vocabulary.ts'

export type Features = { [K in FeatureName]?: FeatureValue }
type RentalParts = Fields['rental']['parts']
export type Rental = { -readonly [Part in keyof RentalParts]: Stored<RentalParts[Part]> }

type PartColumns<Parts> = {
  -readonly [
    Part in keyof Parts as Parts[Part] extends { column: infer Column extends string } ? Column : never
  ]: Stored<Parts[Part]>
}

/** The columns that a payload can set. */
export type Content = { -readonly [Name in OwnName]: Stored<Fields[Name]> } & PartColumns<
  Fields['price']['parts']
> &
  PartColumns<Fields['expenses']['parts']> &
  PartColumns<Fields['location']['parts']> & {
    location_status: LocationStatus | null
    features: Features
    rental: Rental | null
  }

export type Addressed = Pick<Content, 'address' | 'city' | 'province'>

export const noContent = {
  ...Object.fromEntries(valueColumns.map(([column, field]) => [column, emptyOf(field)])),
  location_status: null,
  features: {},
  rental: null,
} as Content

/** The stored value of a field that agencies send; null, false or an empty list if it has none. */
export function leafValue(content: Content, { name, group, field }: Leaf): unknown {
  if (group === 'features') return content.features[name as FeatureName] ?? null
  if (group === 'rental') return content.rental?.[name as keyof Rental] ?? emptyOf(field)
  return content[(group === null ? name : field.column) as keyof Content]
}

export function isSameAddress(one: Addressed, other: Addressed): boolean {
  return one.address === other.address && one.city === other.city && one.province === other.province
}
