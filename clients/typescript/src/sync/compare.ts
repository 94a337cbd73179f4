/**
 * The differences between a listing of the service and the file.
 */
import type { Property } from '../types.ts'
import { type Content, isApplicable } from './listing.ts'
import { isObject } from './values.ts'

export type Difference = { path: string; from: unknown; to: unknown }

/** Compares only the fields that the file has. */
export function differences(content: Content, property: Property): Difference[] {
  const type = content.type ?? property.type
  return leaves(content).flatMap(([path, to]) => {
    if (path.startsWith('features.') && !isApplicable(path.slice('features.'.length), type)) return []
    const from = at(property, path)
    return isSame(from, to) ? [] : [{ path, from, to }]
  })
}

/** The edit that makes the listing match the file, with the fields that the service requires beside a changed one. */
export function patchOf(found: readonly Difference[], content: Content, property: Property): Content {
  const names = new Set(found.map(({ path }) => path.split('.', 1)[0] ?? ''))
  const patch: Record<string, unknown> = {}
  const wanted = content as Record<string, unknown>
  for (const name of names) {
    // Amount and currency go together, and so do both coordinates.
    const isWhole = name === 'price' || name === 'expenses' || name === 'location' || !isObject(wanted[name])
    if (isWhole) patch[name] = wanted[name]
    else
      patch[name] = Object.fromEntries(
        found
          .filter(({ path }) => path.startsWith(`${name}.`))
          .map(({ path, to }) => [path.slice(name.length + 1), to]),
      )
  }
  const price = wanted['price']
  const isPriced = isObject(price) && ('amount' in price || 'on_request' in price)
  if ('operation' in patch) patch['price'] = isPriced ? price : { ...priceOf(property), ...(price as object) }
  return patch as Content
}

/** The listing's price in the form that an edit takes. */
function priceOf({ price }: Property): Record<string, unknown> {
  return price.on_request ? { on_request: true } : { amount: price.amount, currency: price.currency }
}

function leaves(content: object): [string, unknown][] {
  return Object.entries(content).flatMap(([name, value]): [string, unknown][] =>
    isObject(value)
      ? Object.entries(value).map(([part, leaf]) => [`${name}.${part}`, leaf])
      : [[name, value]],
  )
}

function at(property: Property, path: string): unknown {
  const [name = '', part] = path.split('.')
  const value = (property as Record<string, unknown>)[name]
  if (part === undefined) return value ?? null
  return (isObject(value) ? value[part] : null) ?? (path === 'price.on_request' ? false : null)
}

function isSame(from: unknown, to: unknown): boolean {
  if (Array.isArray(from) && Array.isArray(to))
    return from.length === to.length && from.every((value, index) => value === to[index])
  if (to === null || to === undefined) return from === null || (Array.isArray(from) && from.length === 0)
  return from === to
}
