/**
 * Which column means which field: recognised by name, or as a file of the user says.
 */
import { fields, fold, photoColumn } from './fields.ts'
import type { Format } from './values.ts'

/** The file of `--map`, and what `--print-map` prints. */
export type MapFile = {
  /** Column → path of a field, or null to leave it out. Columns that are not named are recognised by their names. */
  columns?: Record<string, string | null>
  /** Path → value where the column is missing or a cell is empty. */
  defaults?: Record<string, unknown>
  /** Path → what a cell may say → value of the API, before the words that are known anyway. */
  values?: Record<string, Record<string, unknown>>
} & Format

export type Mapping = {
  /** Path → its column. */
  columns: ReadonlyMap<string, string>
  /** Columns with one photo each, in order. */
  photoColumns: readonly string[]
  /** Columns that mean nothing. */
  unused: readonly string[]
  defaults: Readonly<Record<string, unknown>>
  values: Readonly<Record<string, ReadonlyMap<string, unknown>>>
  format: Format
}

/** @throws Error with one line about what is wrong with the map */
export function mapColumns(columns: readonly string[], map: MapFile = {}): Mapping {
  check(columns, map)
  const chosen = new Map<string, string>()
  for (const [column, path] of Object.entries(map.columns ?? {})) {
    if (path === null) continue
    if (chosen.has(path)) throw new Error(`columns "${chosen.get(path)}" and "${column}" both mean ${path}`)
    chosen.set(path, column)
  }
  const left = columns.filter((column) => !Object.hasOwn(map.columns ?? {}, column))
  for (const [path, { names }] of Object.entries(fields)) {
    if (chosen.has(path)) continue
    const taken = new Set(chosen.values())
    const candidates = [fold(path), ...names]
    const found = candidates
      .map((name) => left.find((column) => fold(column) === name && !taken.has(column)))
      .find((column) => column !== undefined)
    if (found !== undefined) chosen.set(path, found)
  }
  const used = new Set(chosen.values())
  const photoColumns = left
    .filter((column) => !used.has(column) && photoColumn.test(fold(column)))
    .toSorted((a, b) => photoNumber(a) - photoNumber(b))
  return {
    columns: chosen,
    photoColumns,
    unused: columns.filter((column) => !used.has(column) && !photoColumns.includes(column)),
    defaults: map.defaults ?? {},
    values: Object.fromEntries(
      Object.entries(map.values ?? {}).map(([path, known]) => [
        path,
        new Map(Object.entries(known).map(([word, value]) => [fold(word), value])),
      ]),
    ),
    format: { decimal: map.decimal, list: map.list },
  }
}

/** The map in force, to be edited: every column is in it. */
export function printedMap(columns: readonly string[], mapping: Mapping): MapFile {
  const paths = new Map([...mapping.columns].map(([path, column]) => [column, path]))
  return {
    columns: Object.fromEntries(
      columns
        .filter((column) => !mapping.photoColumns.includes(column))
        .map((column) => [column, paths.get(column) ?? null]),
    ),
    defaults: { ...mapping.defaults },
    values: Object.fromEntries(
      Object.entries(mapping.values).map(([path, known]) => [path, Object.fromEntries(known)]),
    ),
    ...mapping.format,
  }
}

const photoNumber = (column: string): number => Number(photoColumn.exec(fold(column))?.[1])

function check(columns: readonly string[], map: MapFile): void {
  const known = ['columns', 'defaults', 'values', 'decimal', 'list']
  for (const name of Object.keys(map))
    if (!known.includes(name)) throw new Error(`the map has "${name}"; it may have ${known.join(', ')}`)
  for (const [column, path] of Object.entries(map.columns ?? {})) {
    if (!columns.includes(column))
      throw new Error(`the map names a column "${column}", which the file does not have`)
    if (path !== null) checkPath(path)
  }
  for (const path of [...Object.keys(map.defaults ?? {}), ...Object.keys(map.values ?? {})]) checkPath(path)
  if (map.decimal !== undefined && map.decimal !== '.' && map.decimal !== ',')
    throw new Error('"decimal" of the map must be "." or ","')
}

function checkPath(path: string): void {
  if (!Object.hasOwn(fields, path))
    throw new Error(`"${path}" is not a field; the fields are ${Object.keys(fields).join(', ')}`)
}
