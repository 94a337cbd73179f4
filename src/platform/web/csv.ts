/**
 * Tables as spreadsheets read them: UTF-8 with its mark, and the separator that the language's spreadsheets expect.
 */
import type { PageLanguage } from './language.ts'

export type Cell = string | number | boolean | null

/** Where the comma is the decimal sign, spreadsheets separate by semicolon. */
const separators: Readonly<Record<PageLanguage, string>> = { es: ';', en: ',' }

/** @returns the whole file, with a line for the heads */
export function csvOf(
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  language: PageLanguage,
): string {
  const separator = separators[language]
  const lines = [heads, ...rows].map((row) => row.map(written).join(separator))
  return `\u{feff}${lines.join('\r\n')}\r\n`
}

function written(cell: Cell): string {
  if (cell === null) return ''
  // A spreadsheet would run a text that begins like a formula.
  const text = typeof cell === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : String(cell)
  // Every separator that spreadsheets know: the file may be opened where another one is expected.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
