/**
 * Reads CSV as spreadsheets and databases write it (RFC 4180 and its relatives): quoted newlines, a BOM, semicolons, tabs, any line end.
 */

type CsvRow = { line: number; cells: string[] }

/** How a CSV file is formatted. */
export type CsvStyle = { delimiter: string; hasBom: boolean }

const delimiters = [',', ';', '\t', '|'] as const

/**
 * @param delimiter by default the one that is most frequent in the first row
 * @returns the rows that are not blank, the header among them; `line` is where a row begins, from 1
 * @throws Error naming the line of a quote that is never closed
 */
export function parseCsv(text: string, delimiter: string = delimiterOf(text)): CsvRow[] {
  const rows: CsvRow[] = []
  let cells: string[] = []
  let cell = ''
  let line = 1
  let rowLine = 1
  const endRow = (): void => {
    cells.push(cell)
    if (cells.length > 1 || cell.trim() !== '') rows.push({ line: rowLine, cells })
    cells = []
    cell = ''
  }
  for (let index = text.startsWith('\uFEFF') ? 1 : 0; index < text.length; index += 1) {
    const character = text[index] as string
    if (character === '"' && cell.trim() === '') {
      const from = line
      const quoted = readQuoted(text, index)
      if (quoted === null) throw new Error(`a quote that opens in line ${from} is never closed`)
      cell = quoted.value
      line += quoted.newlines
      index = quoted.end
      // Text between the closing quote and the delimiter belongs to the cell, as spreadsheets read it.
      while (index + 1 < text.length && ![delimiter, '\n', '\r'].includes(text[index + 1] as string)) {
        index += 1
        cell += text[index]
      }
    } else if (character === delimiter) {
      cells.push(cell)
      cell = ''
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text[index + 1] === '\n') index += 1
      endRow()
      line += 1
      rowLine = line
    } else cell += character
  }
  if (cells.length > 0 || cell !== '') endRow()
  return rows
}

function readQuoted(text: string, opening: number): { value: string; end: number; newlines: number } | null {
  let value = ''
  let from = opening + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return null
    value += text.slice(from, quote)
    if (text[quote + 1] !== '"') {
      const newlines = value.match(/\r\n|\r|\n/g)?.length ?? 0
      return { value, end: quote, newlines }
    }
    value += '"'
    from = quote + 2
  }
}

export function delimiterOf(text: string): string {
  let isQuoted = false
  const counts = new Map<string, number>()
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if (counts.size > 0) break
    } else if (!isQuoted && (delimiters as readonly string[]).includes(character))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  return most?.[0] ?? ','
}

/** Decodes UTF-8, or else an encoding of Windows: UTF-16 with a BOM, or Windows-1252. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return windows1252(bytes)
  }
}

/** The characters of the bytes 0x80 to 0x9F, which Node 20 would decode as control characters. */
const upper = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ'

function windows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replaceAll(/[\x80-\x9F]/g, (character) => upper[character.charCodeAt(0) - 0x80] ?? character)
}

/** One cell, quoted where necessary. A formula that a spreadsheet would run becomes plain text. */
export function csvCell(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r;\t|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
