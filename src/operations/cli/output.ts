/** Prints a command's result as plain text: tables and lists of fields. */
import type { Output } from './command.ts'

/**
 * Rows as JSON and as a table.
 * @param columns by heading: a field, or a function that makes the cell; null is an empty cell
 * @param empty the text for a table without rows
 */
export function listed<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, keyof Row | ((row: Row) => string | number | null)>>,
  empty = '',
): Output {
  const cells = rows.map((row) =>
    Object.values(columns).map((cell) => String((typeof cell === 'function' ? cell(row) : row[cell]) ?? '')),
  )
  return { json: rows, text: table(Object.keys(columns), cells, empty) }
}

/** @param empty the text for a table without rows */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], empty: string) {
  if (rows.length === 0) return empty
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      widths
        .map((width, column) => (line[column] ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One field a line. */
export function fields(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n')
}

export const mib = 2 ** 20
export const gib = 2 ** 30

export function bytesText(bytes: number): string {
  return bytes < gib ? `${Math.round(bytes / mib)} MiB` : `${(bytes / gib).toFixed(1)} GiB`
}

/** The fields of an object, as JSON and one a line. */
export function shown(json: Readonly<Record<string, string | number>>): Output {
  return { json, text: fields(Object.entries(json).map(([label, value]) => [label, String(value)])) }
}
