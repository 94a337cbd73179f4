/**
 * Reads a JSON body the way api.md 4.3 wants it: UTF-8, no field twice, no `__proto__`, nothing nested deeper than 32, and in
 * its texts no U+0000 and no lone surrogate. What passes is stored and returned identically.
 */
import { visit } from 'jsonc-parser'
import { type FieldPath, fieldPath, invalid } from '../errors.ts'

const maxDepth = 32
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a request body.
 * @param onInexact hears the path of every number that has more digits than a double keeps: its value is not quite what was sent
 * @param listApart name of a list in the body whose members' texts are not held to what can be stored: `checkTexts` does, one by one
 * @throws ApiError `invalid_parameter` naming the field, or `body` where no field is to blame.
 */
export function parseStrictJson(
  bytes: Uint8Array,
  onInexact?: (path: string) => void,
  listApart?: string,
): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('body', 'The body must be valid UTF-8.')
  }
  const { members, hasLongNumber } = scan(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('body', 'The body must be valid JSON.')
  }
  // Nearly always nothing is wrong; who it is to be told where something is, reads the text token by token.
  if (hasLongNumber || countMembers(value) !== members) {
    checkTokens(text, onInexact)
    checkTexts(withoutList(value, listApart))
  }
  return value
}

/** How many members the objects of the value have, or NaN where a name or a text is not to be there. */
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
 * What can be told before parsing: brackets are counted, so that no depth can exhaust a stack; colons, because as many members are left
 * as there are colons unless a name is given twice; and whether a number is so long that a double may not keep it.
 */
function scan(text: string): { members: number; hasLongNumber: boolean } {
  let depth = 0
  let members = 0
  let hasLongNumber = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = endOfString(text, index)
    else if (code === 0x3a) members += 1
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > maxDepth)
        throw invalid('body', `The body must not be nested deeper than ${maxDepth} levels.`)
    } else if (code === 0x7d || code === 0x5d) depth -= 1
    else if (code >= 0x30 && code <= 0x39) {
      const begin = index
      while (isOfNumber(text.charCodeAt(index + 1))) index += 1
      hasLongNumber ||= !isSurelyExact(text.slice(begin, index + 1))
    }
  }
  return { members, hasLongNumber }
}

/** Where the string that begins there ends, or the text. */
function endOfString(text: string, begin: number): number {
  for (let index = begin + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return index
    if (code === 0x5c) index += 1
  }
  return text.length
}

/** A digit, a point, a sign or an exponent's letter. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2e ||
    code === 0x2b ||
    code === 0x2d ||
    code === 0x45 ||
    code === 0x65
  )
}

/** JSON.parse keeps the last of two fields with one name, and rounds numbers, both silently; the text itself tells. */
function checkTokens(text: string, onInexact?: (path: string) => void): void {
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
        throw invalid(fieldPath([...parentPath(), name]), 'This field name is not allowed. Remove the field.')
      if (names?.has(name))
        throw invalid(fieldPath([...parentPath(), name]), 'This field is sent twice. Send it once.')
      names?.add(name)
    },
    onLiteralValue: (value, offset, length, _line, _character, path) => {
      if (typeof value === 'number' && !isExact(text.slice(offset, offset + length)))
        onInexact?.(fieldPath(path()))
    },
  })
}

/** Fifteen digits are always kept; an exponent may be out of a double's reach. */
function isSurelyExact(token: string): boolean {
  return token.length <= 15 && !/e/i.test(token)
}

/** Whether a number reads back as it was written. */
function isExact(token: string): boolean {
  return isSurelyExact(token) || decimalOf(token) === decimalOf(String(Number(token)))
}

/** A number's digits without needless zeros, and its power of ten: `1.20`, `12e-1` and `0.12e1` are all `12e-1`. */
function decimalOf(token: string): string {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(token)
  if (parts === null) return token
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  // By hand: a pattern for zeros at the end takes time that grows with the square of their number.
  let first = 0
  while (digits[first] === '0') first += 1
  let last = digits.length
  while (last > first && digits[last - 1] === '0') last -= 1
  if (first === last) return '0'
  return `${digits.slice(first, last)}e${Number(exponent) - fraction.length + digits.length - last}`
}

/**
 * Holds every text of a body, names of fields included, to what can be stored.
 * @param path of the value inside the body
 * @throws ApiError `invalid_parameter` naming the field
 */
export function checkTexts(value: unknown, path: FieldPath = []): void {
  if (typeof value === 'string') checkText(value, path)
  else if (Array.isArray(value)) value.forEach((item, index) => checkTexts(item, [...path, index]))
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name))
        throw invalid(fieldPath([...path, name.toWellFormed()]), 'This field name is not valid Unicode.')
      checkTexts(member, [...path, name])
    }
  }
}

function checkText(text: string, path: FieldPath): void {
  if (!isStorable(text))
    throw invalid(fieldPath(path), 'The text contains U+0000 or an unpaired surrogate. Remove it.')
}

/** Whether PostgreSQL can store the text and UTF-8 can carry it. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
