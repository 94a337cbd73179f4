/** Parses column values: `timestamptz` to ISO 8601 in UTC with milliseconds, `numeric` and `bigint` to numbers. */
import pg from 'pg'

const int8 = 20
const textArray: number = 1009
const numeric = 1700
const timestamptz = 1184

const parseTextArray: (text: string) => string[] = pg.types.getTypeParser(textArray, 'text')

/** The parsers, as pg's `types` option. */
export const rowTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === int8 || oid === numeric) return Number
      if (oid === timestamptz) return isoMoment
      if (oid === textArray) return textElements
    }
    return pg.types.getTypeParser(oid, format)
  },
}

/** `2026-11-20 09:30:00.5+00` → `2026-11-20T09:30:00.500Z`; other zones and years of more than four digits go through `Date`. */
export function isoMoment(text: string): string {
  if (text.endsWith('+00') && text.charAt(10) === ' ') {
    const moment = text.slice(11, -3)
    const millisecond = moment.length === 8 ? '.000' : moment.slice(8, 12).padEnd(4, '0')
    return `${text.slice(0, 10)}T${moment.slice(0, 8)}${millisecond}Z`
  }
  return new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString()
}

/** Parses `{a,"b c"}`. Arrays with escapes or null go to pg's parser, which takes ten times as long. */
function textElements(text: string): string[] {
  if (text === '{}') return []
  if (text.includes('\\') || text.includes('NULL')) return parseTextArray(text)
  if (!text.includes('"')) return text.slice(1, -1).split(',')
  const found: string[] = []
  for (let at = 1; at < text.length;) {
    const isQuoted = text[at] === '"'
    const begin = isQuoted ? at + 1 : at
    const end = text.indexOf(isQuoted ? '"' : ',', begin)
    // The last element ends at the brace.
    const stop = end === -1 ? text.length - 1 : end
    found.push(text.slice(begin, stop))
    at = stop + (isQuoted ? 2 : 1)
  }
  return found
}
