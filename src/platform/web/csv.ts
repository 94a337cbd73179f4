/** Tables for spreadsheets: UTF-8 with a byte order mark, and the separator that spreadsheets in the language expect. */
import type { PageLanguage } from './language/language.ts'

export type Cell = string | number | boolean | null

/** If the comma is the decimal sign, spreadsheets use the semicolon as separator. */
const separators: Readonly<Record<PageLanguage, string>> = { es: ';', en: ',' }

/** @returns the whole file, with a header line */
export function csvOf(heads: readonly string[], rows: readonly (readonly Cell[])[], language: PageLanguage) {
  const separator = separators[language]
  const lines = [heads, ...rows].map((row) => row.map(written).join(separator))
  return `\u{feff}${lines.join('\r\n')}\r\n`
}

function written(cell: Cell): string {
  if (cell === null) return ''
  // A spreadsheet would run a text that looks like a formula.
  const text = typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : String(cell)
  // Every separator that spreadsheets use: the file may be opened with settings that expect another one.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
