/** Generates the fields of a listing for the TypeScript client's sync tool: the client cannot import the table of fields from src/. */
import type { Field } from '../src/listings/fields/field.ts'
import { type Leaf, leaves } from '../src/listings/fields/field-lists.ts'

const header = `/**
 * The fields of a listing, by path. Generated: \`npm run openapi\` writes this file from src/listings/fields/fields.ts.
 */

type ListingField = {
  /** How a cell is read; a choice by the name of its words. */
  kind: string
  /** Names of columns, folded, the likeliest first. */
  aliases: string
  values?: readonly string[]
  cells?: Readonly<Record<string, number>>
  /** The types of property that never have it. */
  notOn?: readonly string[]
}

export const listingFields: Readonly<Record<string, ListingField>> = `

const kinds: Partial<Record<Field['kind'], string>> = {
  code: 'external_id',
  lines: 'text',
  url: 'text',
  count: 'integer',
  area: 'number',
  flag: 'boolean',
}

function entry({ path, name, field }: Leaf): [string, object] {
  const { kind, aliases, values, cells, notOn } = field
  return [path, { kind: kind === 'choice' ? name : (kinds[kind] ?? kind), aliases, values, cells, notOn }]
}

/** @returns the text of clients/typescript/src/sync/listing-fields.ts */
export function clientFields(): string {
  return `${header}${JSON.stringify(Object.fromEntries(leaves.map(entry)), null, 2)}\n`
}
