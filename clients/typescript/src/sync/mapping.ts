/**
 * Maps columns to fields: by the column's name, or as the user's map says.
 */
import { checkDefaults, type Defaults, defaultsIn, type DefaultsFile } from './defaults.ts'
import { decimalsOf } from './decimals.ts'
import { fields, fold, foldColumn, mainPhoto, photoColumn, streets } from './fields.ts'
import type { Row } from './listing.ts'
import type { Source, Table } from './source.ts'
import { type Format, isObject } from './values.ts'

/** The file of `--map`, and what `--print-map` prints. */
export type MapFile = {
  /**
   * Column → path of a field (`photos` for any number of columns), or null to leave it out. Columns that are not named are recognised by
   * their names.
   */
  columns?: Record<string, string | null>
  /**
   * Path → value where the column is missing or a cell is empty; under `sale`, `rent` or `temporary`, for listings of that operation.
   * Outside of these, `price.period` is for temporary rentals alone.
   */
  defaults?: DefaultsFile
  /** Path → text of a cell → value of the API. These win over the built-in words. */
  values?: Record<string, Record<string, unknown>>
} & Format

export type Mapping = {
  /** Path → its column. */
  columns: ReadonlyMap<string, string>
  /** Columns with photos, in order. */
  photoColumns: readonly string[]
  /** Columns that match no field. */
  unused: readonly string[]
  defaults: Defaults
  values: Readonly<Record<string, ReadonlyMap<string, unknown>>>
  format: Format
  /** Column → its decimal sign, if the cells of the column show it. */
  decimals: ReadonlyMap<string, '.' | ','>
}

export type MappedSource = {
  /** The meanings of a row's columns: each file, and in JSON each object, has its own columns. */
  of(table: Table, row: Row): Mapping
  /** Files with columns, none of which is the external id. */
  nameless: readonly Table[]
  /** Columns that match no field in their file. */
  unused: readonly string[]
  /** The map in force, to be edited: every column is in it. */
  printed: MapFile
  /** Numbers that might be read in another way. */
  notes: readonly string[]
}

/**
 * Objects of one file may use different names for a field, but the external id has one name in each file. An object without it is not
 * given its `id` instead.
 * @throws Error with one line about what is wrong with the map
 */
export function mapSource(source: Source, map: MapFile = {}): MappedSource {
  check(source.columns, map)
  const wholes = new Map(source.tables.map((table) => [table, mappingOf(table.columns, map)]))
  const shapes = new Map<Table, Map<string, Mapping>>(source.tables.map((table) => [table, new Map()]))
  const decimals = new Map(
    map.decimal === undefined
      ? [...wholes].map(([table, { columns }]) => [table, decimalsOf(table, columns)])
      : [],
  )
  const of = (table: Table, { values }: Row): Mapping => {
    const columns = Object.keys(values)
    const shape = JSON.stringify(columns)
    const known = shapes.get(table)?.get(shape)
    if (known !== undefined) return known
    const mapping = {
      ...mappingOf(columns, map, wholes.get(table)?.columns.get('external_id')),
      decimals: decimals.get(table)?.signs ?? new Map(),
    }
    shapes.get(table)?.set(shape, mapping)
    return mapping
  }
  const meanings = new Map<string, string | null>(source.columns.map((column) => [column, null]))
  const unused = new Set<string>()
  for (const table of source.tables)
    for (const row of table.rows) {
      const mapping = of(table, row)
      for (const [path, column] of mapping.columns) meanings.set(column, path)
      for (const column of mapping.photoColumns) meanings.set(column, 'photos')
      for (const column of mapping.unused) {
        const name = source.tables.length > 1 ? `${column} (${table.name})` : column
        const taken = takenFor(column, mapping)
        unused.add(taken === null ? name : `${name} (there is ${taken})`)
      }
    }
  // Files without rows have columns too.
  for (const { columns, photoColumns } of wholes.values()) {
    for (const [path, column] of columns) meanings.set(column, meanings.get(column) ?? path)
    for (const column of photoColumns) meanings.set(column, meanings.get(column) ?? 'photos')
  }
  return {
    of,
    nameless: [...wholes].flatMap(([table, { columns }]) =>
      table.columns.length === 0 || columns.has('external_id') ? [] : [table],
    ),
    unused: [...unused],
    notes: [...decimals.values()].flatMap(({ notes }) => notes),
    printed: {
      columns: Object.fromEntries(meanings),
      defaults: { ...map.defaults },
      values: { ...map.values },
      ...(map.decimal === undefined ? {} : { decimal: map.decimal }),
      ...(map.list === undefined ? {} : { list: map.list }),
    },
  }
}

/** @param externalId the column with the external id, if the file as a whole has one */
function mappingOf(columns: readonly string[], map: MapFile, externalId?: string): Mapping {
  const chosen = new Map<string, string>()
  const photos: string[] = []
  for (const [column, path] of Object.entries(map.columns ?? {})) {
    if (path === null || !columns.includes(column)) continue
    if (path === 'photos') photos.push(column)
    else if (chosen.has(path))
      throw new Error(`columns "${chosen.get(path)}" and "${column}" both mean ${path}`)
    else chosen.set(path, column)
  }
  if (externalId !== undefined) chosen.set('external_id', externalId)
  const left = columns.filter((column) => !Object.hasOwn(map.columns ?? {}, column))
  for (const [path, { names }] of Object.entries(fields)) {
    if (chosen.has(path) || path === 'photos') continue
    const taken = new Set(chosen.values())
    const candidates = [fold(path), ...names]
    const found = candidates
      .map((name) => left.find((column) => foldColumn(column) === name && !taken.has(column)))
      .find((column) => column !== undefined)
    if (found !== undefined) chosen.set(path, found)
  }
  // Beside a complete address, the number is not a street number.
  const street = foldColumn(chosen.get('address') ?? '')
  if (!streets.includes(street) && map.columns?.[chosen.get('street_number') ?? ''] !== 'street_number')
    chosen.delete('street_number')
  const used = new Set(chosen.values())
  photos.push(...left.filter((column) => !used.has(column) && photoRank(column) !== null))
  return {
    columns: chosen,
    photoColumns: photos.toSorted((a, b) => (photoRank(a) ?? 1) - (photoRank(b) ?? 1)),
    unused: columns.filter((column) => !used.has(column) && !photos.includes(column)),
    defaults: defaultsIn(map.defaults),
    values: Object.fromEntries(
      Object.entries(map.values ?? {}).map(([path, known]) => [
        path,
        new Map(Object.entries(known).map(([word, value]) => [fold(word), value])),
      ]),
    ),
    format: { decimal: map.decimal, list: map.list },
    decimals: new Map(),
  }
}

/** The column that was mapped to the field that this column's name also matches, or null. */
function takenFor(column: string, { columns }: Mapping): string | null {
  const name = foldColumn(column)
  const [path] =
    Object.entries(fields).find(([own, { names }]) => fold(own) === name || names.includes(name)) ?? []
  return columns.get(path ?? '') ?? null
}

/** Rank of a column's photos: the main photo first, then a list of photos, then numbered columns; null if it has no photos. */
function photoRank(column: string): number | null {
  const name = foldColumn(column)
  if (mainPhoto.test(name)) return 0
  if (fields['photos']?.names.includes(name) || name === 'photos') return 1
  const number = photoColumn.exec(name)?.[1]
  return number === undefined ? null : 2 + Number(number)
}

function check(columns: readonly string[], map: MapFile): void {
  if (!isObject(map)) throw new Error('the map must be a JSON object')
  const known = ['columns', 'defaults', 'values', 'decimal', 'list']
  for (const name of Object.keys(map))
    if (!known.includes(name)) throw new Error(`the map has "${name}"; it may have ${known.join(', ')}`)
  for (const name of ['columns', 'defaults', 'values'] as const)
    if (map[name] !== undefined && !isObject(map[name]))
      throw new Error(`"${name}" of the map must be an object`)
  for (const [column, path] of Object.entries(map.columns ?? {})) {
    if (!columns.includes(column))
      throw new Error(`the map names a column "${column}", which the file does not have`)
    if (path !== null) checkPath(path)
  }
  for (const [path, meanings] of Object.entries(map.values ?? {})) {
    checkPath(path)
    if (!isObject(meanings)) throw new Error(`"values" of the map: "${path}" must be an object`)
  }
  if (map.decimal !== undefined && map.decimal !== '.' && map.decimal !== ',')
    throw new Error('"decimal" of the map must be "." or ","')
  checkDefaults(map.defaults ?? {}, { decimal: map.decimal, list: map.list })
}

function checkPath(path: string): void {
  if (!Object.hasOwn(fields, path))
    throw new Error(`"${path}" is not a field; the fields are ${Object.keys(fields).join(', ')}`)
}
