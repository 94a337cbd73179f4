/**
 * Parses a JSON body strictly (api.md 4.3): valid UTF-8, no duplicate field, no `__proto__`, at most 32 levels, and no U+0000 or
 * lone surrogate in any string. PostgreSQL stores and returns every accepted string unchanged.
 */
import { visit } from 'jsonc-parser'
import { type FieldPath, fieldPath, type Problems } from '../../platform/errors/errors.ts'

const maxDepth = 32
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a request body.
 * @param problems gets the fields that are wrong, or `body` if no single field is
 * @param onInexact called with the path of every number that a double cannot hold exactly
 * @param uncheckedList name of a list in the body whose strings are not checked; the caller runs `checkTexts` on each of its items
 * @returns undefined if nothing could be parsed
 */
export function parseStrictJson(
  bytes: Uint8Array,
  problems: Problems,
  onInexact: (path: string) => void,
  uncheckedList: string | undefined,
): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return void problems.add('body', 'The body must be valid UTF-8.')
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return void problems.add('body', 'The body must be valid JSON.')
  }
  try {
    checkTokens(text, problems, onInexact)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return void problems.add('body', `The body must not be nested deeper than ${maxDepth} levels.`)
  }
  checkTexts(withoutList(value, uncheckedList), problems)
  return value
}

class TooDeep extends Error {}

function withoutList(value: unknown, name: string | undefined): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value
  return { ...value, [name]: null }
}

/** Finds what JSON.parse hides: duplicate names and rounded numbers. @throws TooDeep, before the nesting exhausts the stack */
function checkTokens(text: string, problems: Problems, onInexact: (path: string) => void): void {
  /** The names in each open object; lists have none. */
  const seen: Set<string>[] = []
  const enter = (): void => {
    if (seen.push(new Set()) > maxDepth) throw new TooDeep()
  }
  const leave = (): void => void seen.pop()
  visit(text, {
    onObjectBegin: enter,
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, _line, _character, parentPath) => {
      const names = seen.at(-1)
      if (name === '__proto__')
        problems.add(fieldPath([...parentPath(), name]), 'This field name is not allowed. Remove the field.')
      else if (names?.has(name))
        problems.add(fieldPath([...parentPath(), name]), 'This field is sent twice. Send it once.')
      names?.add(name)
    },
    onLiteralValue: (value, offset, length, _line, _character, path) => {
      if (typeof value === 'number' && !isExact(text.slice(offset, offset + length)))
        onInexact(fieldPath(path()))
    },
  })
}

/** Whether the number survives the conversion to a double and back. */
function isExact(token: string): boolean {
  // A double holds any 15 digits. An exponent may exceed its range.
  if (token.length <= 15 && !/e/i.test(token)) return true
  return decimalOf(token) === decimalOf(String(Number(token)))
}

/** Normalises a number to its significant digits and a power of ten: `1.20`, `12e-1` and `0.12e1` all become `12e-1`. */
function decimalOf(token: string): string {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(token)
  if (parts === null) return token
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  // Not `/0+$/`: its time grows with the square of the number of zeros.
  let first = 0
  while (digits[first] === '0') first += 1
  let last = digits.length
  while (last > first && digits[last - 1] === '0') last -= 1
  if (first === last) return '0'
  return `${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`
}

/** Checks that every string of a body, field names included, can be stored. @param path the value's position in the body */
export function checkTexts(value: unknown, problems: Problems, path: FieldPath = []): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      problems.add(fieldPath(path), 'The text contains U+0000 or an unpaired surrogate. Remove it.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const inside = [...path, Array.isArray(value) ? Number(name) : name]
      if (!isStorable(name)) problems.add(fieldPath(inside), 'This field name is not valid Unicode.')
      checkTexts(member, problems, inside)
    }
  }
}

/** Whether PostgreSQL can store the text and UTF-8 can carry it. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
