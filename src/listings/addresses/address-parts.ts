/**
 * Reads the parts of an address between its commas (api.md 12.4). Street and number are mostly in the first part, but not in
 * `San Martín, 100`, `Rosario, San Martín 100` and `Barrio Los Robles, Mz 4, Lote 12`. The other parts have units, names of localities, and
 * references such as cross streets and postal codes, which are skipped.
 */
import { wordSet } from './fold.ts'
import { startsDoor } from './streets/street-numbers.ts'
import { isEstate, type Scan, scanStreet } from './streets/street-scan.ts'
import { estateWords } from './abbreviations.ts'
import { afterCrossing, afterNoNumber, isFloor, readDate, readKilometre, readLabelled } from './patterns.ts'
import { isPostalNumber, readUnit } from './streets/units.ts'
import { isLetter, isMark, isNumber, isWord, type Tokens } from './tokens.ts'

type Trailing = Readonly<{
  unit: string | null
  /** Runs of words that may name a neighbourhood, city or province, in the order given. */
  localities: readonly Tokens[]
  /** `Barrio Los Robles`, with its first word. */
  neighbourhood: Tokens | null
}>

/** Words with which a part only describes the way: `a metros de la plaza`, `frente a la estación`. */
const referenceWords = wordSet(
  `frente cerca ramal colectora ruta rta av avda avenida calle pasaje pje altura acceso autopista sobre
  camino entrada`,
)

/** Reads the rest after the number up to the next comma (`rest`), then the other parts. */
export function readTrailing(rest: Tokens, others: readonly Tokens[]): Trailing {
  const units: string[] = []
  const localities: Tokens[] = []
  let neighbourhood: Tokens | null = null

  for (const part of [rest, ...others]) {
    let at = 0
    while (at < part.length) {
      const token = part[at]
      const skipped = afterReference(part, at)
      if (skipped !== null) {
        at = skipped
        continue
      }
      const begins = part === rest ? isMark(part[at - 1], '-') : at === 0 || isMark(part[at - 1], '-')
      const initial = begins && isInitial(part, at)
      const unit = initial || isWord(token, estateWords) ? null : readUnit(part, at)
      if (unit) {
        units.push(unit.value)
        at = unit.next
        continue
      }
      const start = at
      at = afterWords(part, at)
      if (at === start) {
        at += 1
        continue
      }
      const words = part.slice(start, at)
      if (isWord(token, estateWords)) neighbourhood ??= words
      else localities.push(words)
    }
  }
  return { unit: units.length > 0 ? units.join(' ') : null, localities, neighbourhood }
}

/** `V. María`, `S. M. de Tucumán` at the beginning of a part: letters that begin a name and do not name a flat. */
function isInitial(part: Tokens, at: number): boolean {
  let next = at
  while (isLetter(part[next])) next += 1
  return next > at && part[next]?.kind === 'word' && readUnit(part, next) === null
}

/** The index after a phrase that names neither a unit nor a locality, or null. */
function afterReference(part: Tokens, at: number): number | null {
  const token = part[at]
  const second = part[at + 1]
  if (isWord(token, 'a') && second?.kind === 'word' && second.folded.length > 1) return part.length
  if (isWord(token, referenceWords) && (!isWord(token, 'frente') || isWord(second, 'a'))) {
    if (!isWord(token, 'entrada') || second?.kind !== 'number') return part.length
  }
  if (isWord(token, 'cp') || isWord(token, 'cpa')) return isNumber(second) ? at + 2 : at + 1
  const spelt =
    (isWord(token, 'c') && isWord(second, 'p')) || (isWord(token, 'codigo') && isWord(second, 'postal'))
  if (spelt) return isNumber(part[at + 2]) ? at + 3 : at + 2
  // `B1638`: the province's letter and the postal code.
  if (isLetter(token) && isPostalNumber(second)) return at + 2
  const crossing = afterCrossing(part, at, true)
  if (crossing !== null && crossing > at) return crossing
  return afterNoNumber(part, at) ?? readKilometre(part, at)?.next ?? readLabelled(part, at)?.next ?? null
}

/** The index after a run of words, including dates such as the town `9 de Julio`. */
function afterWords(part: Tokens, start: number): number {
  let at = start
  for (;;) {
    const date = readDate(part, at)
    const token = part[at]
    if (date === null) {
      if (token?.kind !== 'word') return at
      if (at > start && !isLetter(token) && isNumber(part[at + 1]) && readUnit(part, at) !== null) return at
      if (at > start && afterReference(part, at) !== null) return at
    }
    at = date?.next ?? at + 1
  }
}

type StreetLine = Scan &
  Readonly<{
    /** The parts before the street's and after it: units, localities, references. */
    before: readonly Tokens[]
    after: readonly Tokens[]
  }>

const buildingWords = wordSet('edificio edif torre torres galeria shopping consorcio hotel')
/** The number of parts that are searched for the street. */
const maxParts = 4

/**
 * Finds street and number in an address split at its commas, or null. `isLocality`: whether a part names a locality, which the
 * street may follow.
 */
export function readStreetLine(
  parts: readonly Tokens[],
  isLocality: (part: Tokens) => boolean,
): StreetLine | null {
  const before: Tokens[] = []
  let estate: Tokens = []
  let first: StreetLine | null = null
  for (const [i, part] of parts.slice(0, maxParts).entries()) {
    const line = readParts(parts.slice(i), estate, before)
    first ??= line
    if (line.number !== null || line.saysNone) return line
    if (isEstate(part)) estate = [...estate, ...part]
    else if (isWord(part[0], buildingWords) || isFloor(part, 0) || isLocality(part)) before.push(part)
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
