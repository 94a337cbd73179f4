/**
 * The map's defaults: those for every listing, and those for the listings of one operation.
 */
import { fields } from './fields.ts'
import { BadValue, type Format, isObject, readValue } from './values.ts'

const operations = ['sale', 'rent', 'temporary'] as const
type Operation = (typeof operations)[number]

/** As the map has them: path → value, and operation → path → value. */
export type DefaultsFile = Record<string, unknown>

/** Path → value, by operation; `unknown` is for rows without one. */
export type Defaults = Readonly<Record<Operation | 'unknown', Readonly<Record<string, unknown>>>>

const isOperation = (name: unknown): name is Operation => operations.some((operation) => operation === name)

/** Defaults of an operation win over those for every listing. */
export function defaultsIn(file: DefaultsFile = {}): Defaults {
  const { 'price.period': period, ...general } = Object.fromEntries(
    Object.entries(file).filter(([name]) => !isOperation(name)),
  )
  const of = (operation: Operation): Record<string, unknown> => ({
    ...general,
    // A rent is monthly unless its row says otherwise, and a sale has no period.
    ...(operation === 'temporary' && period !== undefined ? { 'price.period': period } : {}),
    ...(file[operation] as object | undefined),
  })
  return { unknown: general, sale: of('sale'), rent: of('rent'), temporary: of('temporary') }
}

export function defaultsFor(defaults: Defaults, operation: unknown): Readonly<Record<string, unknown>> {
  return defaults[isOperation(operation) ? operation : 'unknown']
}

/** @throws Error with one line about what is wrong with them */
export function checkDefaults(file: DefaultsFile, format: Format): void {
  for (const [name, value] of Object.entries(file)) {
    if (!isOperation(name)) checkDefault(name, value, format)
    else if (!isObject(value))
      throw wrong(`"${name}" must be an object of fields, such as {"price.period": "night"}`)
    else for (const [path, own] of Object.entries(value)) checkDefault(path, own, format, name)
  }
}

function checkDefault(path: string, value: unknown, format: Format, operation?: Operation): void {
  const field = Object.hasOwn(fields, path) ? fields[path] : undefined
  if (field === undefined)
    throw wrong(
      `"${path}" is not a field, nor one of ${operations.join(', ')}; the fields are ${Object.keys(fields).join(', ')}`,
    )
  if (operation !== undefined && path === 'operation') throw wrong(`"${operation}" cannot set the operation`)
  if (operation === 'sale' && (path === 'price.period' || path.startsWith('rental.')))
    throw wrong(`a sale has no ${path}`)
  try {
    readValue(field.kind, value, format)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    throw wrong(`${path} ${error.message}`)
  }
}

const wrong = (text: string): Error => new Error(`"defaults" of the map: ${text}`)
