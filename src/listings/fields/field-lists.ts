/** The names, paths and columns that follow from the table of fields. */
import type { PageLanguage } from '../../platform/web/language/language.ts'
import type { Field, Group, FieldKind, Line, Section } from './field.ts'
import { fields } from './fields.ts'

export type Fields = typeof fields
export type NameOf<Shape> = { [N in keyof Fields]: Fields[N] extends Shape ? N : never }[keyof Fields]
/** The fields that have a column of their name. */
export type OwnName = NameOf<{ kind: FieldKind }>
export type GroupName = NameOf<{ kind: 'group' }>

const lines = Object.entries<Line>(fields)

/** The names that the parameter `fields` accepts, in the order of responses. */
export const fieldNames = lines.flatMap(([name, line]) =>
  line.kind === 'system' && line.isNamed === false ? [] : [name],
) as Exclude<keyof Fields, NameOf<{ isNamed: false }>>[]

const isOwn = (entry: [string, Line]): entry is [OwnName, Field] =>
  entry[1].kind !== 'system' && entry[1].kind !== 'group'
const isGroup = (entry: [string, Line]): entry is [GroupName, Group] => entry[1].kind === 'group'

export const ownFields: readonly (readonly [OwnName, Field])[] = lines.filter(isOwn)

/** A value that agencies send, and its path in a payload. */
export type Leaf = Readonly<{
  /** As errors name it: `title`, `price.amount`. */
  path: string
  name: string
  group: GroupName | null
  section: Section
  field: Field
}>

/** In the order of responses. */
export const leaves: readonly Leaf[] = lines.flatMap((entry): Leaf[] => {
  const [name] = entry
  if (isGroup(entry)) {
    const { parts, section } = entry[1]
    return Object.entries(parts).map(([part, field]) => ({
      path: `${name}.${part}`,
      name: part,
      group: entry[0],
      section,
      field,
    }))
  }
  if (!isOwn(entry)) return []
  const [, field] = entry
  if (field.section === undefined) throw new Error(`${name} has no section`)
  return [{ path: name, name, group: null, section: field.section, field }]
})

const byPath = new Map(leaves.map((leaf) => [leaf.path, leaf]))

/** The line of a value that agencies send, by its path. */
export const leafAt = (path: string): Leaf | null => byPath.get(path) ?? null

/** The label of a field or group, or of a part by its path; null if it has none. */
export function labelAt(path: string, language: PageLanguage): string | null {
  const line: Line | undefined = byPath.get(path)?.field ?? (fields as Readonly<Record<string, Line>>)[path]
  return line?.label?.[language] ?? null
}

/** The columns of parts. The groups `features` and `rental` have no columns for their parts: each is one JSON column. */
export const partColumns = leaves.flatMap(({ group, name, field }) =>
  group === null || field.column === undefined ? [] : [{ column: field.column, group, name, field }],
)

/** Each column that holds the value of one field, with its line. */
export const valueColumns: readonly (readonly [string, Field])[] = [
  ...ownFields,
  ...partColumns.map(({ column, field }) => [column, field] as const),
]

/** The fields that every published listing needs, in the order of `missing`. */
export const neededNames = ownFields
  .filter(([, { missing }]) => missing !== undefined)
  .toSorted(([, one], [, other]) => (one.missing ?? 0) - (other.missing ?? 0))
  .map(([name]) => name) as NameOf<{ missing: number }>[]

/** The features of these kinds, kind by kind, each beginning with those that lead. */
export function featuresOf(...kinds: readonly FieldKind[]): Leaf[] {
  return kinds.flatMap((kind) => {
    const own = leaves.filter(({ group, field }) => group === 'features' && field.kind === kind)
    return [...own.filter(({ field }) => field.leads), ...own.filter(({ field }) => !field.leads)]
  })
}
