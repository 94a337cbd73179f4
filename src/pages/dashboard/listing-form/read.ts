/**
 * Reads a listing's form: what a person changed since the version that the form shows, and what of it cannot be read.
 */
import { checked, type Problems } from '../../../platform/errors.ts'
import { bodyCheck } from '../../../http/input/validation.ts'
import type { Content } from '../../../listings/listing.ts'
import { checkPayload } from '../../../listings/payload.ts'
import { type Payload, patchSchema } from '../../../listings/schema.ts'
import { isRental } from '../../../listings/vocabulary.ts'
import type { Format } from '../../../platform/web/format.ts'
import { Misread, type Typed, type Unit } from './unit.ts'
import { textsOf, unitNamed, units } from './units.ts'

/** Unit → its value as a payload has it. */
export type Changes = Map<Unit, unknown>

export type Reading = {
  /** The units that the form sent and a listing of its operation and type has. */
  read: readonly Unit[]
  changes: Changes
  misread: Misread[]
  /** Every field: as typed, or where the form does not have it, as the listing has it. */
  typed: Typed
}

const checkBody = bodyCheck(patchSchema)

/** @param base the listing as the form showed it */
export function readForm(form: URLSearchParams, base: Content, format: Format): Reading {
  const shown = textsOf(base, format)
  const typed: Record<string, string> = { ...shown }
  const sent = units.filter(({ fields }) => fields.some((field) => form.has(field)))
  // A box that is not ticked is not sent.
  for (const { fields } of sent) for (const field of fields) typed[field] = plain(form.get(field) ?? '')
  const { operation = '', type = '' } = typed
  const read = sent.filter(({ applies }) => applies(operation || null, type || null))
  const changes: Changes = new Map()
  const misread: Misread[] = []
  for (const unit of read) {
    // A text that nobody touched is not read: the listing may hold what no form can show, such as a third decimal.
    if (isSameText(unit, typed, shown)) continue
    try {
      const value = unit.read(typed)
      if (!isSame(value, unit.value(base))) changes.set(unit, value)
    } catch (error) {
      if (!(error instanceof Misread)) throw error
      misread.push(error)
    }
  }
  return { read, changes, misread, typed }
}

/** Browsers send `\r\n` between lines. */
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** Whether a form shows the same for both. A field of one line shows no line breaks. */
export function isSameText({ kind, fields }: Unit, typed: Typed, shown: Typed): boolean {
  const hasLines = kind === 'lines' || kind === 'list'
  const asShown = (text: string) => (hasLines ? plain(text) : text.replaceAll(/[\r\n]/g, ''))
  return fields.every((field) => (typed[field] ?? '') === asShown(shown[field] ?? ''))
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The payload that makes these changes of a listing. */
export function payloadOf(changes: Changes, current: Content): Payload {
  const payload: Record<string, unknown> = {}
  const part = (name: string) => (payload[name] ??= {}) as Record<string, unknown>
  for (const [{ name, kind }, value] of changes) {
    const [first = '', second] = name.split('.', 2)
    if (kind === 'place') Object.assign(part('location'), value)
    else if (second !== undefined) part(first)[second] = value
    else payload[first] = value
  }
  // The contract wants a price with a new operation.
  if (payload['operation'] !== undefined) payload['price'] ??= priceFor(current, payload['operation'])
  return payload as Payload
}

function priceFor(current: Content, operation: unknown): unknown {
  const price = unitNamed('price')?.value(current) as { period: string | null }
  return isRental(operation as string | null) ? price : { ...price, period: null }
}

/** The checks of a request's body. @throws ApiError `invalid_parameter` naming all fields that are refused */
export function checkEdit(payload: Payload): void {
  checked((problems: Problems) => {
    checkBody(payload, problems)
    checkPayload(payload, new Set(), problems)
  })
}
