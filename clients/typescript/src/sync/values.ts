/**
 * Reads a cell as the value that its field has in the API.
 */
import { fold, type Kind, words } from './fields.ts'

export type Format = {
  /** The decimal sign, if the file must not decide. */
  decimal?: '.' | ','
  /** The sign between the elements of a list. */
  list?: string
}

/** Whether it is an object and not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Why a cell cannot be read. */
export class BadValue extends Error {}

const yes = new Set(['si', 's', 'yes', 'y', 'true', 'verdadero', '1', 'x'])
const no = new Set(['no', 'n', 'false', 'falso', '0'])
const onRequest = /consultar|on request|a convenir/i

/**
 * @param value a cell's text, or a value of JSON
 * @returns the value of the API; null for an empty cell
 * @throws BadValue
 */
export function readValue(kind: Kind, value: unknown, format: Format = {}): unknown {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return readList(kind, value)
  if (typeof value === 'object') throw new BadValue('is an object')
  const text = String(value).trim()
  if (text === '') return null
  switch (kind) {
    case 'text':
      return text
    case 'external_id':
      if (!/^[A-Za-z0-9._:-]{1,64}$/.test(text))
        throw new BadValue(`"${shown(text)}" is not 1 to 64 of A-Z a-z 0-9 . _ : -`)
      if (text === '.' || text === '..') throw new BadValue(`"${text}" cannot be part of a URL`)
      return text
    case 'boolean':
      return readBoolean(text)
    case 'money':
      if (typeof value === 'number') return value
      return onRequest.test(text) ? null : readNumber(text, format)
    case 'number':
      return typeof value === 'number' ? value : readNumber(text, format)
    case 'integer':
      return readInteger(typeof value === 'number' ? value : readNumber(text, format))
    case 'coordinate':
      // A coordinate has no thousands separator.
      return typeof value === 'number' ? value : readNumber(text, { decimal: text.includes(',') ? ',' : '.' })
    case 'list':
      return [...new Set(splitList(text, format.list))]
    case 'urls':
      return [...new Set(splitUrls(text))]
    default:
      return readWord(kind, text)
  }
}

/** The currency that a cell with an amount names itself: `U$S 120.000`. */
export function currencyIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (/u\$s|us\$|u\$d|\busd\b|d[oó]lar/i.test(value)) return 'USD'
  return /\$|\bars\b|peso/i.test(value) ? 'ARS' : null
}

/** Whether a cell with an amount says that the price is on request. */
export function saysOnRequest(value: unknown): boolean {
  return typeof value === 'string' && onRequest.test(value)
}

/**
 * `120000`, `120.000`, `1.250.000,50`, `1,250,000.50`, `95,5`. Without a format, a single sign before exactly three digits separates
 * thousands, as `120.000` does in every price list.
 */
export function readNumber(text: string, { decimal }: Format): number {
  const bare = bareNumber(text)
  const match = /^-?\d[\d.,]*$/.exec(bare)
  if (match === null) throw new BadValue(`"${shown(text)}" is not a number`)
  const sign = decimal ?? decimalOf(bare)
  const thousands = sign === ',' ? '.' : ','
  const plain = bare.replaceAll(thousands, '').replace(sign, '.')
  const number = Number(plain)
  if (Number.isNaN(number)) throw new BadValue(`"${shown(text)}" is not a number`)
  return number
}

/** The text without currencies, units and the dash that price lists write for "no cents": `85.000,-`. */
export function bareNumber(text: string): string {
  return text
    .replaceAll(/u\$s|us\$|u\$d|ar\$|\busd|\bars|usd\b|ars\b|pesos|d[oó]lares|\$|\s|\u00A0/gi, '')
    .replace(units, '')
    .replace(/[.,]?[-–]+$/, '')
}

const units =
  /(?<=\d)(?:m2|m²|mts?2?|mts?²|mtrs|metros|a[ñn]os?|years?|dorm(?:itorios?|s)?|amb(?:ientes?|s)?|ba[ñn]os?|cocheras?|autos?|noches?|nights?|mes(?:es)?|months?)\.?$/i

function decimalOf(text: string): '.' | ',' {
  const dot = text.lastIndexOf('.')
  const comma = text.lastIndexOf(',')
  if (dot !== -1 && comma !== -1) return dot > comma ? '.' : ','
  const sign = dot === -1 ? ',' : '.'
  const other = sign === '.' ? ',' : '.'
  const isThousands = /^-?[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(text)
  return isThousands ? other : sign
}

function readInteger(number: number): number {
  if (!Number.isInteger(number)) throw new BadValue(`${number} is not a whole number`)
  return number
}

function readBoolean(text: string): boolean {
  const word = fold(text)
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw new BadValue(`"${shown(text)}" is neither yes nor no`)
}

function readWord(kind: string, text: string): string {
  const known = words[kind] ?? {}
  if (Object.values(known).includes(text)) return text
  const value = Object.hasOwn(known, fold(text)) ? known[fold(text)] : undefined
  if (value !== undefined) return value
  const allowed = [...new Set(Object.values(known))].map((one) => one.split(':', 1)[0])
  const others =
    kind === 'status' ? '; also Publicada, Activa, Sí, Borrador, Suspendida, No, Vendida, Alquilada' : ''
  throw new BadValue(
    `"${shown(text)}" is not one of ${[...new Set(allowed)].join(', ')}${others}; "values" in the map gives words a meaning`,
  )
}

function readList(kind: Kind, values: readonly unknown[]): string[] {
  if (kind !== 'list' && kind !== 'urls') throw new BadValue('is a list')
  if (values.some((value) => typeof value !== 'string')) throw new BadValue('is not a list of texts')
  return [...new Set((values as string[]).map((value) => value.trim()).filter((value) => value !== ''))]
}

function splitList(text: string, separator?: string): string[] {
  const sign = separator ?? ['|', '\n', ';'].find((one) => text.includes(one)) ?? ','
  return text
    .split(sign)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** A URL may contain commas and semicolons, so it ends where the next one begins. */
function splitUrls(text: string): string[] {
  return text
    .split(/[\s|;,]+(?=https?:)|[\s|]+/i)
    .map((part) => part.replaceAll(/^[;,]+|[;,]+$/g, ''))
    .filter((part) => part !== '')
}

const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
