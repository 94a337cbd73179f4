/**
 * Turns TypeBox schemas into plain JSON Schema 2020-12, the dialect of OpenAPI 3.1. A schema with a `title` goes to `components.schemas`
 * under that name and is referenced everywhere else. A schema with `shownAs` is validated elsewhere or differently, and documented by that
 * other schema. `shownWith` adds keywords to the document alone, for rules that have their own error. `unknownHints` are not shown.
 */
import type { TSchema } from 'typebox'

export type JsonObject = Record<string, unknown>

export type SchemaCollector = ReturnType<typeof schemaCollector>

/** Keywords that hold values rather than schemas; copied unchanged. */
const valueKeywords: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'examples',
  'required',
  'type',
])

export function schemaCollector() {
  const found = new Map<string, JsonObject>()

  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert)
    return isObject(value) ? convertSchema(value) : value
  }

  const convertSchema = (schema: object): JsonObject => {
    const { shownAs, shownWith, unknownHints: _hints, ...own } = schema as JsonObject
    if (isObject(shownAs)) return convertSchema(shownAs)
    if (isObject(shownWith)) return convertSchema({ ...own, ...shownWith })
    const { title, ...rest } = own
    // In a list of fields, `title` may be a field: then it is a schema, not a string.
    if (typeof title !== 'string') return members(own)
    const plain = members(rest)
    const known = found.get(title)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(plain)) {
      throw new Error(`two different schemas have the title ${title}`)
    }
    found.set(title, plain)
    return { $ref: `#/components/schemas/${title}` }
  }

  const members = (schema: object): JsonObject => {
    const plain: JsonObject = {}
    for (const [keyword, value] of Object.entries(schema)) {
      // TypeBox's internal markers.
      if (keyword.startsWith('~')) continue
      // `canonical` (endpoint.ts).
      if (typeof value === 'function') continue
      if (valueKeywords.has(keyword) && !isObject(value)) plain[keyword] = value
      else if (keyword === 'patternProperties' && isAnyName(value))
        plain['additionalProperties'] = convert(Object.values(value)[0])
      else plain[keyword] = convert(value)
    }
    return plain
  }

  return {
    /** The schema to put where it is used: itself or a reference. @throws Error if two different schemas have the same title */
    place: (schema: TSchema) => convertSchema(schema),
    /** Every titled schema placed so far, by title. */
    named: () => Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1))),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether the value is a `patternProperties` for any name, which `additionalProperties` states more plainly. */
function isAnyName(value: unknown): value is object {
  return isObject(value) && Object.keys(value).join() === '^.*$'
}
