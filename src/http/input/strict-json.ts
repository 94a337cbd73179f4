/**
 * Parses a JSON body strictly (api.md 4.3): valid UTF-8, no duplicate field, no `__proto__`, at most 32 levels, and no U+0000 or
 * lone surrogate in any string. PostgreSQL stores and returns every accepted string unchanged.
 */
import { visit } from 'jsonc-parser'
import { type FieldPath, fieldPath, type Problems } from '../../platform/errors.ts'

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
  onInexact?: (path: string) => void,
  uncheckedList?: string,
): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return void problems.add('body', 'The body must be valid UTF-8.')
  }
  const { members, hasLongNumber, isTooDeep } = scan(text)
  if (isTooDeep)
    return void problems.add('body', `The body must not be nested deeper than ${maxDepth} levels.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return void problems.add('body', 'The body must be valid JSON.')
  }
  // Rarely wrong; only then rescan token by token to name the field.
  if (hasLongNumber || countMembers(value) !== members) {
    checkTokens(text, problems, onInexact)
    checkTexts(withoutList(value, uncheckedList), problems)
  }
  return value
}

/** Counts the members of all objects in the value. NaN if a name or a string is not allowed. */
function countMembers(value: unknown): number {
  if (typeof value === 'string') return isStorable(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item)
    return count
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) {
    if (name === '__proto__' || !isStorable(name)) return Number.NaN
    count += 1 + countMembers(members[name])
  }
  return count
}

function withoutList(value: unknown, name: string | undefined): unknown {
  if (name === undefined || typeof value !== 'object' || value === null) return value
  return { ...value, [name]: null }
}

/**
 * Scans the text before it is parsed. Limits the depth, so that nesting cannot exhaust the stack. Counts the colons: fewer members
 * after parsing mean a duplicate name. Notes any number too long for a double to hold exactly for certain.
 */
function scan(text: string): { members: number; hasLongNumber: boolean; isTooDeep: boolean } {
  let depth = 0
  let members = 0
  let hasLongNumber = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x3a) members += 1
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > maxDepth) return { members, hasLongNumber, isTooDeep: true }
    } else if (code === 0x7d || code === 0x5d) depth -= 1
    else if (code >= 0x30 && code <= 0x39) {
      const begin = index
      while (isNumberCharacter(text.charCodeAt(index + 1))) index += 1
      hasLongNumber ||= !isSurelyExact(text.slice(begin, index + 1))
    }
  }
  return { members, hasLongNumber, isTooDeep: false }
}

/** Index of the closing quote of the string that starts at `begin`, or the text's length if there is none. */
function endOfString(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return index
    if (code === 0x5c) index += 1
  }
  return text.length
}

/** A digit, a point, a sign or `e`. */
function isNumberCharacter(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x45 ||
    code === 0x65
  )
}

/** Finds what JSON.parse hides: it keeps the last of two fields with the same name, and rounds numbers, both silently. */
function checkTokens(text: string, problems: Problems, onInexact?: (path: string) => void): void {
  const seen: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => {
      seen.push(new Set())
    },
    onObjectEnd: () => {
      seen.pop()
    },
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
        onInexact?.(fieldPath(path()))
    },
  })
}

/** A double holds any 15 digits. An exponent may exceed its range. */
function isSurelyExact(token: string): boolean {
  return token.length <= 15 && !/e/i.test(token)
}

/** Whether the number survives the conversion to a double and back. */
function isExact(token: string): boolean {
  return isSurelyExact(token) || decimalOf(token) === decimalOf(String(Number(token)))
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

/**
 * Checks that every string of a body, field names included, can be stored.
 * @param path the value's position in the body
 */
export function checkTexts(value: unknown, problems: Problems, path: FieldPath = []): void {
  // Rarely wrong; only then walk again, with the path of every field.
  if (Number.isNaN(countMembers(value))) nameTexts(value, problems, path)
}

function nameTexts(value: unknown, problems: Problems, path: FieldPath): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      problems.add(fieldPath(path), 'The text contains U+0000 or an unpaired surrogate. Remove it.')
  } else if (Array.isArray(value)) value.forEach((item, index) => nameTexts(item, problems, [...path, index]))
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name)) problems.add(fieldPath([...path, name]), 'This field name is not valid Unicode.')
      nameTexts(member, problems, [...path, name])
    }
  }
}

/** Whether PostgreSQL can store the text and UTF-8 can carry it. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
