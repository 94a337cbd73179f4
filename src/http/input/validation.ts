/** Validates queries and bodies against their schemas. The 400 names the parameter and says what to send (api.md 5.2). */
import { Settings } from 'typebox/system'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { fieldPath, type FieldPath, type Problems } from '../../platform/errors/errors.ts'
import { perObject } from '../../platform/memory/per-object.ts'

type Problem = { keyword: string; instancePath: string; params: Params; message: string }

/** This many suffice for every field that a response names, even if several rules refuse each. */
Settings.Set({ maxErrors: 200 })

/** Adds what is wrong with the value. @param prefix path of the value inside the body: `items[3]` */
export type BodyCheck = (value: unknown, problems: Problems, prefix?: string) => void

/** Unknown field → the message, after its name. */
type Hints = Readonly<Record<string, string>>

const ownMember = (hints: Hints, name: string): string | undefined =>
  Object.hasOwn(hints, name) ? hints[name] : undefined

/**
 * Compiles a body's schema into a check, once for all its endpoints. The schema's `unknownHints`, if any, explain fields that it does not
 * have.
 */
export const bodyCheck = perObject((schema: TSchema & { unknownHints?: Hints }): BodyCheck => {
  const compiled = Compile(schema)
  return (value, problems, prefix = '') => {
    if (compiled.Check(value)) return
    addAll(compiled.Errors(value) as Problem[], value, problems, prefix, schema.unknownHints)
  }
})

/** A query's schema, whose properties are plain JSON Schema. */
type QuerySchema = TSchema & { properties: Record<string, { type?: string; pattern?: string }> }

type QueryReader = (parameters: ReadonlyMap<string, string>, problems: Problems) => Record<string, unknown>

/** Compiles a query's schema into a reader, which refuses unknown parameters. The operation applies the defaults. */
export const queryReader = perObject((schema: QuerySchema): QueryReader => {
  const compiled = Compile(schema)
  const known = schema.properties
  return (parameters, problems) => {
    const query: Record<string, unknown> = {}
    for (const [name, text] of parameters) {
      const property = Object.hasOwn(known, name) ? known[name] : undefined
      if (property === undefined)
        problems.add(name, `${name} is not a parameter of this operation. Remove it.`)
      else query[name] = readNumber(property.type, text)
    }
    if (!compiled.Check(query)) addAll(compiled.Errors(query) as Problem[], query, problems, '')
    return query
  }
})

/** Accepts plain decimal notation only, not `0x10`, `1e1` or ` 5`. Anything else stays a string and fails the schema. */
function readNumber(type: string | undefined, text: string): unknown {
  if (type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'number') return /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
  return text
}

function addAll(
  found: readonly Problem[],
  value: unknown,
  problems: Problems,
  prefix: string,
  unknownHints: Hints = {},
): void {
  const choices = new Set(
    found.flatMap(({ keyword, instancePath }) => (keyword === 'enum' ? instancePath : [])),
  )
  for (const problem of found) {
    // Each unknown field has an entry of its own, and the values of a closed list say more than its type.
    if (problem.keyword === 'additionalProperties') continue
    if (problem.keyword === 'type' && choices.has(problem.instancePath)) continue
    const parts = problem.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    for (const target of targetsOf(problem, parts)) {
      const inside = pathInside(value, target)
      const path = inside.length === 0 && prefix !== '' ? prefix : fieldPath(inside)
      const parameter = prefix !== '' && inside.length > 0 ? `${prefix}.${path}` : path
      const hint = problem.keyword === 'boolean' ? ownMember(unknownHints, path) : undefined
      problems.add(parameter, `${parameter} ${hint ?? explain(problem, inside)}`)
    }
  }
}

/** The path of the problem, or of each missing field. */
function targetsOf({ keyword, params }: Problem, parts: readonly string[]): (readonly string[])[] {
  const { requiredProperties: missing = [] } = params as { requiredProperties?: string[] }
  return keyword === 'required' ? missing.map((name) => [...parts, name]) : [parts]
}

/** Turns list indexes into numbers. A field whose name consists of digits stays a string. */
function pathInside(value: unknown, parts: readonly string[]): FieldPath {
  let at = value
  return parts.map((part) => {
    const isIndex = Array.isArray(at)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined
    return isIndex ? Number(part) : part
  })
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
}

/** Lists whose elements are URLs. */
const listsOfUrls: FieldPath = ['photos', 'urls']

/** The advice for a blank text. A list's element can be left out, but cannot be null. */
function insteadOfBlank(field: FieldPath): string {
  const list = typeof field.at(-1) === 'number' ? field.at(-2) : undefined
  if (list === undefined) return 'Send some text, or null, or leave it out.'
  return listsOfUrls.includes(list) ? 'Send a URL, or leave it out.' : 'Send some text, or leave it out.'
}

/** The pattern of web addresses, in any case. */
const startsAsUrl = /^\^\[Hh\]\[Tt\]\[Tt\]\[Pp\]/

const counted = (count: unknown, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`

type Params = Readonly<Record<string, unknown>>

/** Keyword → what to send, after the parameter's name. */
const explanations: Readonly<Record<string, (params: Params, field: FieldPath) => string>> = {
  boolean: () => 'is not a field of this request. Remove it.',
  required: () => 'is required.',
  enum: ({ allowedValues }) =>
    `must be one of: ${(allowedValues as unknown[]).filter((value) => value !== null).join(', ')}.`,
  pattern: ({ pattern }, field) => {
    if (pattern === '\\S') return `is blank. ${insteadOfBlank(field)}`
    if (startsAsUrl.test(String(pattern))) return 'must start with http:// or https://.'
    return `must match ${String(pattern)}.`
  },
  type: ({ type }) => {
    const words = [type].flat().map((one) => typeWords[String(one)] ?? one)
    return `must be ${words.join(' or ')}.`
  },
  minimum: ({ limit }) => `must be at least ${String(limit)}.`,
  maximum: ({ limit }) => `must be at most ${String(limit)}.`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${String(limit)}.`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}.`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}.`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}.`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}.`,
}

function explain({ keyword, params, message }: Problem, field: FieldPath): string {
  return explanations[keyword]?.(params, field) ?? `${message}.`
}
