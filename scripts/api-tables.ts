/**
 * Generates the tables of docs/api.md: errors from their catalogue, fields from the schemas and the table of fields. Each is placed between
 * the comments `<!-- generated: NAME -->` and `<!-- end -->`.
 */
import { exampleProperty } from '../src/api/examples/examples.ts'
import { leaves } from '../src/listings/fields/field-lists.ts'
import { isApplicable, featureNames } from '../src/listings/fields/features.ts'
import { errorTable } from './error-documents.ts'
import { propertySchema } from '../src/listings/reading/shown/shown-schema.ts'
import { partSchemas, payloadProperties } from '../src/listings/fields/schema.ts'

/** The keywords of a JSON schema that the tables show. */
type Schema = {
  type: string | readonly string[]
  description?: string
  format?: string
  enum?: readonly unknown[]
  pattern?: string
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  shownWith?: Partial<Schema>
}
type Schemas = Readonly<Record<string, Schema>>

/** Field → the clause of docs/api.md that describes it. */
const clauses: Readonly<Record<string, string>> = {
  external_id: '9.2',
  type: '9.3',
  price: '9.4',
  expenses: '9.4',
  location_status: '12.1',
  features: '9.5',
  photos: '13.1',
  rental: '9.6',
  missing: '11.2',
  force_duplicate: '12.3',
}

const code = (name: unknown): string => `\`${String(name)}\``
const number = (value: number): string => value.toLocaleString('en-US').replace('-', '−')
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
const named = (schemas: Schemas) =>
  Object.entries(schemas).map(
    ([name, { shownWith, ...schema }]) => [name, { ...schema, ...shownWith }] as const,
  )

function typeOf({ type, format, items, properties }: Schema): string {
  const [first = '', second] = [type].flat()
  const plain = first === 'array' ? `list of ${items?.type}s` : format === 'date-time' ? 'date' : first
  const whole = second === undefined ? plain : `${plain} or null`
  return first === 'object' ? whole + objectOf(properties).slice('object'.length) : whole
}

const isUrl = ({ pattern = '', shownWith }: Schema): boolean => (pattern + shownWith?.pattern).includes('://')

/** Names the members, unless there are many, as in `features`. */
function objectOf(properties: Schemas = {}): string {
  const names = Object.keys(properties)
  return names.length > 6 ? 'object' : `object: ${names.map(code).join(', ')}`
}

/** Describes the accepted values. */
function rangeOf(schema: Schema): string {
  const { type, maxLength, maximum, minimum, exclusiveMinimum, maxItems, items, properties } = schema
  if (schema.enum !== undefined)
    return schema.enum
      .filter((value) => value !== null)
      .map(code)
      .join(', ')
  const least = exclusiveMinimum === undefined ? number(minimum ?? 0) : `above ${number(exclusiveMinimum)}`
  switch ([type].flat()[0]) {
    case 'string':
      return `${isUrl(schema) ? 'http or https URL of ' : ''}up to ${number(maxLength ?? 0)} characters`
    case 'integer':
      return `integer, ${least} to ${number(maximum ?? 0)}`
    case 'number':
      return `number, ${least} to ${number(maximum ?? 0)}`
    case 'boolean':
      return 'boolean'
    case 'array': {
      const plural = items !== undefined && isUrl(items) ? 'http or https URLs' : 'texts'
      return `up to ${maxItems} ${plural} of up to ${number(items?.maxLength ?? 0)} characters`
    }
    default:
      return objectOf(properties)
  }
}

function noteOf(name: string, { description = '' }: Schema, own: string): string {
  const clause = clauses[name]
  return clause === undefined || clause === own ? description : `${description} (${clause})`
}

const answered = propertySchema.properties as unknown as Schemas
const sent = payloadProperties as unknown as Schemas
const parts = partSchemas as unknown as Readonly<Record<'features' | 'rental', Schemas>>

/** Formats the object with one member per line; members that would be too long are expanded. */
function jsonLines(object: object): string {
  const lines = Object.entries(object).map(([name, value]) => {
    const expanded = JSON.stringify(value, null, 2)
    const inLine = expanded.replaceAll(/\n\s*/g, ' ').replaceAll(/\[ | \]/g, (space) => space.trim())
    return `  "${name}": ${inLine.length > 110 ? expanded.replaceAll('\n', '\n  ') : inLine}`
  })
  return `{\n${lines.join(',\n')}\n}`
}

const generated: Readonly<Record<string, (api: string) => string>> = {
  errors: errorTable,
  answered: () =>
    table(
      ['Field', 'Type', 'Notes'],
      named(answered).map(([name, schema]) => [code(name), typeOf(schema), noteOf(name, schema, '9.1')]),
    ),
  example: () => `\`\`\`json\n${jsonLines(exampleProperty)}\n\`\`\``,
  sent: () =>
    table(
      ['Field', 'Accepts', 'Notes'],
      named(sent).map(([name, schema]) => [
        code(name),
        name === 'type' ? '9.3' : rangeOf(schema),
        noteOf(name, schema, '9.2'),
      ]),
    ),
  lists: () => {
    const choices = leaves.flatMap(({ name, field: { values } }) =>
      values === undefined ? [] : ([[name, values]] as const),
    )
    return table(
      ['', 'Values'],
      [...new Map(choices)].map(([name, values]) => [code(name), values.map(code).join(', ')]),
    )
  },
  features: () =>
    table(
      ['Field', 'Accepts, or null', 'On a `Lote`', 'Notes'],
      named(parts.features).map(([name, schema]) => [
        code(name),
        rangeOf(schema),
        featureNames.some((one) => one === name && isApplicable(one, 'Lote')) ? 'yes' : 'no',
        schema.description ?? '',
      ]),
    ),
  rental: () =>
    table(
      ['Field', 'Accepts, or null', 'Notes'],
      named(parts.rental).map(([name, schema]) => [code(name), rangeOf(schema), schema.description ?? '']),
    ),
}

/** @param text of docs/api.md @returns it with its generated parts replaced */
export function apiTables(text: string): string {
  return text.replaceAll(
    /^(<!-- generated: (\w+) -->\n)[^]*?(?=^<!-- end -->$)/gm,
    (_all, begin: string, name: string) => `${begin}\n${generated[name]?.(text)}\n\n`,
  )
}
