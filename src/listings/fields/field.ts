/** The shape of a line in the table of fields (fields.ts, features.ts), and the types that follow from such lines. */
import type { PageLanguage } from '../../platform/web/language/language.ts'
import type { PropertyType } from './vocabulary.ts'

/** A text in each language of the pages. */
type Bilingual<T = string> = Readonly<Record<PageLanguage, T>>
/** The words after the number one, and after other numbers. */
type Counted = readonly [one: string, others: string]

/** `code` is an identifier, `lines` a text with line breaks. */
type Values = {
  code: string
  text: string
  lines: string
  url: string
  money: number
  count: number
  area: number
  coordinate: number
  flag: boolean
  choice: string
  list: string[]
  urls: string[]
}
export type FieldKind = keyof Values

/** The sections of the dashboard's form, in order. */
export const sections = [
  'operation',
  'price',
  'place',
  'features',
  'texts',
  'more',
  'rental',
  'system',
] as const
export type Section = (typeof sections)[number]

type Described = {
  /** The description in the OpenAPI document. */
  about: string
  /** The description in responses, if it differs. */
  inResponses?: string
}

/** A value that agencies send. */
export type Field = Described & {
  kind: FieldKind
  /** The longest text or the largest number. Areas and lists have one bound for all. */
  max?: number
  /** Whether zero is refused; for money. */
  isPositive?: boolean
  /** The values of a choice. */
  values?: readonly string[]
  /** Whether a choice may be sent in any case, with or without accents. */
  isFolded?: boolean
  /** The values of a choice as pages show them. Operations, types and such have theirs in `platform/web/language/listing-words.ts`. */
  words?: Readonly<Record<string, Bilingual>>
  /** The column of a part that has one; other parts are in the JSON of their group. A field without parts has a column of its name. */
  column?: string
  /** The column's value while the field is empty, if it is not null. */
  empty?: boolean
  /** The types of property that never have it. */
  notOn?: readonly PropertyType[]
  /** Its position in `missing`, if every published listing needs it. */
  missing?: number
  /** The section of the form; for parts, the one of their group. */
  section?: Section
  label: Bilingual
  /** The label in the form, if it differs. */
  formLabel?: Bilingual
  /** Whether forms and key facts show it before the others of its kind. */
  leads?: boolean
  /** The tile of a public page: the words behind the number, and those for a lot. */
  tile?: Bilingual<Counted> & { lot?: Bilingual }
  /** The row of a public page: its label, words for some values, and the unit of a number. */
  row?: { label: Bilingual; yes?: Bilingual; no?: Bilingual; zero?: Bilingual; unit?: Bilingual<Counted> }
  /** Names of columns that the sync tool recognises as the field, folded, the likeliest first. */
  aliases: string
  /** Further words in cells that the sync tool reads, folded → value. */
  cells?: Readonly<Record<string, number>>
}

/** An object of fields. */
export type Group = Described & {
  kind: 'group'
  label: Bilingual
  section: Section
  /** Whether a response may show null instead of the object. */
  isNullable?: boolean
  parts: Readonly<Record<string, Field>>
}

/** A field that the service sets. */
type SystemField = {
  kind: 'system'
  /** False if the parameter `fields` does not accept the name. */
  isNamed?: boolean
  /** The label in the history, which records the field if it has one. */
  label?: Bilingual
}

export type Line = Field | Group | SystemField

type ValueOf<F> = F extends { kind: 'choice'; values: readonly (infer V)[] }
  ? V
  : F extends { kind: infer K extends FieldKind }
    ? Values[K]
    : never

/** The value of a field in a payload or in the JSON of its group. */
export type Sent<F> = ValueOf<F> | null
/** The value of a field in its column. */
export type Stored<F> = F extends { kind: 'list' | 'urls' } | { empty: boolean } ? ValueOf<F> : Sent<F>

export function emptyOf({ kind, empty }: Pick<Field, 'kind' | 'empty'>): unknown {
  return empty ?? (kind === 'list' || kind === 'urls' ? [] : null)
}

/** Whether a property of this type may have the field. */
export function appliesTo({ notOn }: Pick<Field, 'notOn'>, type: string | null): boolean {
  return notOn?.some((one) => one === type) !== true
}

/** `2 noches`: a number with the field's unit; null without a unit. */
export function unitText({ row }: Pick<Field, 'row'>, language: PageLanguage, count: number): string | null {
  const unit = row?.unit?.[language]
  return unit === undefined ? null : `${count} ${unit[count === 1 ? 0 : 1]}`
}
