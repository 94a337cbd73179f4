/**
 * Finds street and number in an address (api.md 12.4): mostly before the first comma, but also
 * `San Martín, 100`, `Rosario, San Martín 100` and `Barrio Los Robles, Mz 4, Lote 12`.
 */
import { wordSet } from './fold.ts'
import { isFloor } from './patterns.ts'
import { startsDoor } from './street-numbers.ts'
import { isEstate, type Scan, scanStreet } from './street-scan.ts'
import { isWord, type Tokens } from './tokens.ts'

type StreetLine = Scan &
  Readonly<{
    /** The parts before the street's and after it: units, places, references. */
    before: readonly Tokens[]
    after: readonly Tokens[]
  }>

const buildingWords = wordSet('edificio edif torre torres galeria shopping consorcio hotel')
/** The number of parts that are searched for the street. */
const maxParts = 4

/**
 * Finds street and number in an address split at its commas, or null. `isPlace`: whether a part names a place, which the
 * street may follow.
 */
export function readStreetLine(
  parts: readonly Tokens[],
  isPlace: (part: Tokens) => boolean,
): StreetLine | null {
  const before: Tokens[] = []
  let estate: Tokens = []
  let first: StreetLine | null = null
  for (const [i, part] of parts.slice(0, maxParts).entries()) {
    const line = readParts(parts.slice(i), estate, before)
    first ??= line
    if (line.number !== null || line.saysNone) return line
    if (isEstate(part)) estate = [...estate, ...part]
    else if (isWord(part[0], buildingWords) || isFloor(part, 0) || isPlace(part)) before.push(part)
    else break
  }
  return first
}

/** Reads the first part, and the next ones until a number is found: `San Martín, 100`. */
function readParts(parts: readonly Tokens[], estate: Tokens, before: readonly Tokens[]): StreetLine {
  let head = parts[0] ?? []
  for (let used = 1; ; used += 1) {
    const scan = scanStreet(head, estate)
    const next = parts[used]
    const open = scan.number === null && !scan.saysNone && scan.rest.length === 0 && used < maxParts
    if (!open || !next || !startsDoor(next, scan.inEstate || isEstate(head) || estate.length > 0)) {
      return { ...scan, before: [...before], after: parts.slice(used) }
    }
    head = [...head, ...next]
  }
}
