/**
 * Reads the file or folder with the desired listings: CSV, JSON, or JSON line by line.
 */
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { type CsvStyle, decode, delimiterOf, parseCsv } from './csv.ts'
import { fields } from './fields.ts'
import type { Row } from './listing.ts'

export type Source = {
  files: string[]
  /** All columns, in the order of their first appearance. */
  columns: string[]
  rows: Row[]
  /** The same, file by file. */
  tables: Table[]
  /** The style of the first CSV file. */
  style: CsvStyle
  /** Other files of the folder, which are not read. */
  skipped: string[]
}

export type Table = { name: string; columns: string[]; rows: Row[] }

type Reader = (text: string, file: string) => { columns: string[]; rows: Row[] }

const readers: Readonly<Record<string, Reader>> = {
  '.csv': readCsv,
  '.tsv': readCsv,
  '.txt': readCsv,
  '.json': readJson,
  '.ndjson': readLines,
  '.jsonl': readLines,
}

/**
 * @param path a file, or a folder: all such files in it, by name
 * @param others files of the command itself that may be in the folder
 * @throws Error with one line that names the file
 */
export function readSource(path: string, others: readonly string[] = []): Source {
  const isFolder = statSync(path).isDirectory()
  const { names, skipped } = isFolder ? namesIn(path, others) : { names: [path], skipped: [] }
  if (names.length === 0) throw new Error(`${path} has no file ${Object.keys(readers).join(', ')}`)
  const files = isFolder ? names.map((name) => join(path, name)) : names
  const tables = files.map((file): Table => {
    const reader = readers[extname(file).toLowerCase()]
    if (reader === undefined)
      throw new Error(`${file}: the name has to end with one of ${Object.keys(readers).join(', ')}`)
    try {
      const name = basename(file)
      return { name, ...reader(decode(readFileSync(file)), name) }
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  return {
    files,
    tables,
    columns: [...new Set(tables.flatMap(({ columns }) => columns))],
    rows: tables.flatMap(({ rows }) => rows),
    style: styleOf(files),
    skipped,
  }
}

function namesIn(folder: string, others: readonly string[]): { names: string[]; skipped: string[] } {
  const own = new Set(others.map((path) => resolve(path)))
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !name.startsWith('.') && !own.has(resolve(folder, name)),
  )
  const isRead = (entry: Dirent): boolean =>
    !entry.isDirectory() && extname(entry.name).toLowerCase() in readers
  const skipped = entries.filter((entry) => !isRead(entry))
  return {
    names: entries.flatMap((entry) => (isRead(entry) ? [entry.name] : [])).toSorted(),
    skipped: skipped.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted(),
  }
}

/** A file that is not plain UTF-8 comes from Windows, where programs read a CSV as UTF-8 only if it has a BOM. */
function styleOf(files: readonly string[]): CsvStyle {
  const file = files.find((name) => readers[extname(name).toLowerCase()] === readCsv)
  if (file === undefined) return { delimiter: ',', hasBom: false }
  const bytes = readFileSync(file)
  const text = decode(bytes)
  return {
    delimiter: separatorLine.exec(text)?.[1] ?? delimiterOf(text),
    hasBom: !bytes.equals(Buffer.from(text)),
  }
}

/** Excel's own first line, which names the delimiter. */
const separatorLine = /^\uFEFF?"?sep=(.)"?(?=[\r\n])/i

function readCsv(text: string, file: string): ReturnType<Reader> {
  const separator = separatorLine.exec(text)
  // Only its text is cut, not its line end, so that the other lines keep their numbers.
  const table = parseCsv(text.slice(separator?.[0].length ?? 0), separator?.[1])
  const [header, ...rows] = table.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (header === undefined) throw new Error('is empty')
  const names = header.cells.map((cell) => cell.trim())
  const twice = names.find((column, index) => column !== '' && names.indexOf(column) !== index)
  if (twice !== undefined) throw new Error(`has two columns "${twice}"`)
  return {
    columns: names.filter((column) => column !== ''),
    rows: rows.map(({ line, cells }): Row => {
      const values = Object.fromEntries(
        names.flatMap((column, index) => (column === '' ? [] : [[column, cells[index] ?? '']])),
      )
      const problem = misfit(names, cells)
      return { place: `${file}:${line}`, values, ...(problem === null ? {} : { problem }) }
    }),
  }
}

/** Missing cells are not empty cells: a line cut short, or a quote too many, must not clear fields. */
function misfit(names: readonly string[], cells: readonly string[]): string | null {
  const counts = `has ${cells.length} cells, %s than the ${names.length} columns`
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) return counts.replace('%s', 'more')
  return names.slice(cells.length).some((name) => name !== '') ? counts.replace('%s', 'fewer') : null
}

/** A list of listings, an object with such a list, or a single listing. */
function readJson(text: string, file: string): ReturnType<Reader> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
  const list = Array.isArray(value) ? value : (listIn(value) ?? [value])
  return withColumns(list.map((item: unknown, index) => row(item, `${file}[${index}]`)))
}

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { data, items, listings, properties } = value as Record<string, unknown>
  return [data, items, listings, properties].find((candidate) => Array.isArray(candidate)) as
    | unknown[]
    | undefined
}

function readLines(text: string, file: string): ReturnType<Reader> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  return withColumns(
    lines.flatMap((line, index) => {
      const place = `${file}:${index + 1}`
      if (line.trim() === '') return []
      try {
        return [row(JSON.parse(line), place)]
      } catch {
        return [{ place, values: {}, problem: 'is not JSON' }]
      }
    }),
  )
}

function withColumns(rows: Row[]): ReturnType<Reader> {
  return { rows, columns: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))] }
}

function row(item: unknown, place: string): Row {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return { place, values: {}, problem: 'is not an object' }
  return { place, values: Object.fromEntries(flat(item)) }
}

/** `{price: {amount: 1}}` → `price.amount`. A null group means that each of its fields is null. */
function flat(item: object, before = ''): [string, unknown][] {
  return Object.entries(item).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return flat(value as object, `${before}${name}.`)
    const group = `${before}${name}.`
    const members = value === null && !isField(before + name) ? Object.keys(fields) : []
    const inside = members.filter((path) => path.startsWith(group))
    return inside.length > 0 ? inside.map((path) => [path, null]) : [[before + name, value]]
  })
}

/** Some groups have a name of their own as a column: `price` and `expenses` mean the amount. */
const isField = (name: string): boolean => Object.values(fields).some(({ names }) => names.includes(name))
