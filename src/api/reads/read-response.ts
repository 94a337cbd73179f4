/** The parameter `fields` of reads of listings, and the parts of their responses. */
import type { DescribedResponse } from '../../http/endpoint.ts'
import { fieldNames } from '../../listings/fields/field-lists.ts'
import { nullable } from '../../listings/fields/schema.ts'
import type { FieldSelection } from '../../listings/reading/shown/shown-text.ts'
import type { Problems } from '../../platform/errors/errors.ts'

/** Another page of a list, or null. */
export const pageLinkSchema = nullable<string>({ type: 'string', format: 'uri' })

export const notModified: DescribedResponse = {
  description: 'Not changed since the response with the ETag in If-None-Match.',
  headers: ['ETag'],
}

const known: ReadonlySet<string> = new Set(fieldNames)

/** Reads the parameter `fields`: `id,title` → a set; null for all. */
export function readFields(query: unknown, problems: Problems): FieldSelection {
  const { fields } = query as { fields?: string }
  if (fields === undefined) return null
  const selected = new Set(fields.split(','))
  const unknown = [...selected].filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const quoted = unknown.slice(0, 20).map((name) => `"${name.slice(0, 40)}"`)
    const names = `the unknown name${unknown.length === 1 ? '' : 's'} ${quoted.join(', ')}`
    problems.add('fields', `fields has ${names}. Use any of: ${fieldNames.join(', ')}.`)
  }
  return selected
}

/** The body of a list: `data`, whose elements are already JSON, and other members. */
export function withData(data: readonly string[], others: object): string {
  let text = '{"data":['
  // Not `join`: it copies, and so does the conversion to bytes.
  for (const [index, one] of data.entries()) text += index === 0 ? one : `,${one}`
  return `${text}],${JSON.stringify(others).slice(1)}`
}
