/**
 * Reads a JSON body the way spec 'Endpoints' wants it: UTF-8, no field twice, no `__proto__`, no U+0000, no lone
 * surrogate, nothing nested deeper than 32. What passes is stored and returned identically.
 */
import { visit } from 'jsonc-parser'
import { type FieldPath, fieldPath, invalid } from '../errors.ts'

const maxDepth = 32
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a request body.
 * @throws ApiError `invalid_parameter` naming the field, or `body` where no field is to blame.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('body', 'The body is not valid UTF-8.')
  }
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('body', 'The body is not valid JSON.')
  }
  checkNames(text)
  checkTexts(value, [])
  return value
}

/** Brackets are counted before parsing, so that no depth can exhaust a stack. */
function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > maxDepth) throw invalid('body', `The body is nested deeper than ${maxDepth} levels.`)
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
}

/** JSON.parse keeps the last of two fields with one name, silently; the text itself tells. */
function checkNames(text: string): void {
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
        throw invalid(fieldPath([...parentPath(), name]), 'This field name is not allowed.')
      if (names?.has(name)) throw invalid(fieldPath([...parentPath(), name]), 'This field is given twice.')
      names?.add(name)
    },
  })
}

function checkTexts(value: unknown, path: FieldPath): void {
  if (typeof value === 'string') checkText(value, path)
  else if (Array.isArray(value)) value.forEach((item, index) => checkTexts(item, [...path, index]))
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name))
        throw invalid(fieldPath([...path, name.toWellFormed()]), 'This field name is not valid text.')
      checkTexts(member, [...path, name])
    }
  }
}

function checkText(text: string, path: FieldPath): void {
  if (!isStorable(text))
    throw invalid(fieldPath(path), 'The text contains U+0000 or half of a surrogate pair.')
}

/** Whether PostgreSQL can store the text and UTF-8 can carry it. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}
