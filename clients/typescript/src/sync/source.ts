/**
 * Reads the file or folder that says which listings there are to be: CSV, JSON, or JSON line by line.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { decode, parseCsv } from './csv.ts'
import type { Row } from './listing.ts'

export type Source = {
  files: string[]
  /** All columns, in the order of their first appearance. */
  columns: string[]
  rows: Row[]
}

const readers: Readonly<Record<string, (text: string, file: string) => Row[]>> = {
  '.csv': readCsv,
  '.tsv': readCsv,
  '.txt': readCsv,
  '.json': readJson,
  '.ndjson': readLines,
  '.jsonl': readLines,
}

/**
 * @param path a file, or a folder: all such files in it, by name
 * @throws Error with one line that names the file
 */
export function readSource(path: string): Source {
  const isFolder = statSync(path).isDirectory()
  const names = isFolder
    ? readdirSync(path)
        .filter((name) => extname(name).toLowerCase() in readers && !name.startsWith('.'))
        .toSorted()
    : [path]
  if (names.length === 0) throw new Error(`${path} has no file ${Object.keys(readers).join(', ')}`)
  const files = isFolder ? names.map((name) => join(path, name)) : names
  const rows = files.flatMap((file) => {
    const reader = readers[extname(file).toLowerCase()]
    if (reader === undefined)
      throw new Error(`${file}: the name has to end with one of ${Object.keys(readers).join(', ')}`)
    try {
      return reader(decode(readFileSync(file)), basename(file))
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  return { files, rows, columns: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))] }
}

function readCsv(text: string, file: string): Row[] {
  const [header, ...rows] = parseCsv(text)
  if (header === undefined) throw new Error('is empty')
  const columns = header.cells.map((cell) => cell.trim())
  const twice = columns.find((column, index) => column !== '' && columns.indexOf(column) !== index)
  if (twice !== undefined) throw new Error(`has two columns "${twice}"`)
  return rows.map(({ line, cells }): Row => {
    const values = Object.fromEntries(
      columns.flatMap((column, index) => (column === '' ? [] : [[column, cells[index] ?? '']])),
    )
    const row = { place: `${file}:${line}`, values }
    const extra = cells.slice(columns.length).some((cell) => cell.trim() !== '')
    return extra
      ? { ...row, problem: `has ${cells.length} cells, more than the ${columns.length} columns` }
      : row
  })
}

/** A list of listings, an object with such a list, or a single listing. */
function readJson(text: string, file: string): Row[] {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
  const list = Array.isArray(value) ? value : (listIn(value) ?? [value])
  return list.map((item: unknown, index) => row(item, `${file}[${index}]`))
}

function listIn(value: unknown): unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { data, items, listings, properties } = value as Record<string, unknown>
  return [data, items, listings, properties].find((candidate) => Array.isArray(candidate)) as
    | unknown[]
    | undefined
}

function readLines(text: string, file: string): Row[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      try {
        return [row(JSON.parse(line), `${file}:${index + 1}`)]
      } catch {
        throw new Error(`line ${index + 1} is not JSON`)
      }
    })
}

function row(item: unknown, place: string): Row {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return { place, values: {}, problem: 'is not an object' }
  return { place, values: Object.fromEntries(flat(item)) }
}

/** `{price: {amount: 1}}` → `price.amount`. */
function flat(item: object, before = ''): [string, unknown][] {
  return Object.entries(item).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value as object, `${before}${name}.`)
      : [[before + name, value]],
  )
}
