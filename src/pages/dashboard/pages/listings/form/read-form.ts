/**
 * Reads a listing's form: the changes since the version that it shows, and the texts that cannot be read. Checks them as the API does, and
 * puts each refusal beside its field.
 */
import { bodyCheck } from '../../../../../http/input/validation.ts'
import type { Leaf } from '../../../../../listings/fields/field-lists.ts'
import type { Content } from '../../../../../listings/fields/content.ts'
import { checkPayload } from '../../../../../listings/fields/payload.ts'
import { type Payload, patchSchema } from '../../../../../listings/fields/schema.ts'
import { isRental } from '../../../../../listings/fields/vocabulary.ts'
import { ApiError, checked } from '../../../../../platform/errors/errors.ts'
import type { Format } from '../../../../../platform/web/language/format.ts'
import { problemsOf } from '../../../forms/problems.ts'
import type { PageRequest, Refusal } from '../../../serving/page.ts'
import { fieldNamed, isApplicable, Misread, textsOf, type Typed, type Unit, units } from './units.ts'

/** Unit → its value as a payload has it. */
export type Changes = Map<Unit, unknown>

export type Reading = {
  /** Units that the form sent and that apply to the listing's operation and type. */
  read: readonly Unit[]
  changes: Changes
  misread: readonly Misread[]
  /** The text of every field: as typed, or as stored if the form lacks the field. */
  typed: Typed
}

const checkBody = bodyCheck(patchSchema)

/** @param base the listing as the form showed it */
export function readForm(form: URLSearchParams, base: Content, format: Format): Reading {
  const shown = textsOf(base, format)
  const sent = units.filter(({ fields }) => fields.some(({ path }) => form.has(path)))
  // A box that is not ticked is not sent.
  const texts = sent.flatMap(({ fields }) => fields.map(({ path }) => [path, plain(form.get(path) ?? '')]))
  const typed: Typed = { ...shown, ...(Object.fromEntries(texts) as Typed) }
  const read = sent.filter((unit) => isApplicable(unit, typed))
  const changes: Changes = new Map()
  const misread: Misread[] = []
  for (const unit of read) {
    // An untouched text is not read: the listing may hold values that no form can show, such as a third decimal.
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
export function isSameText({ fields }: Unit, typed: Typed, shown: Typed): boolean {
  return fields.every(({ path, field: { kind } }) => {
    const text = shown[path] ?? ''
    const hasLines = kind === 'lines' || kind === 'list' || kind === 'urls'
    return (typed[path] ?? '') === (hasLines ? plain(text) : text.replaceAll(/[\r\n]/g, ''))
  })
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The payload that makes these changes to a listing. */
export function payloadOf(changes: Changes, current: Content): Payload {
  const payload: Record<string, unknown> = {}
  for (const [{ name, fields }, value] of changes) {
    const { group, name: part } = fields[0]
    if (group === null || group === name) payload[name] = value
    else Object.assign((payload[group] ??= {}) as object, fields.length === 1 ? { [part]: value } : value)
  }
  // The contract requires a price with a new operation.
  const { operation } = payload as Payload
  if (operation !== undefined && payload['price'] === undefined) {
    const price = fieldNamed('price')?.unit.value(current) as { period: string | null }
    payload['price'] = isRental(operation) ? price : { ...price, period: null }
  }
  return payload as Payload
}

/** The checks of a request's body. @throws ApiError `invalid_parameter` naming all fields that are refused */
export function checkEdit(payload: Payload): void {
  checked((problems) => {
    checkBody(payload, problems)
    checkPayload(payload, new Set(), problems)
  })
}

export type FormRefusal = Readonly<
  Refusal & {
    /** The refused units; the others may be accepted without them. */
    units: readonly Unit[]
    /** Public code of the listing that has the same address. */
    duplicate: string | null
  }
>

/** The units that can make an address a duplicate. */
const addressUnits = ['address', 'location.city', 'location.province', 'place'].flatMap(
  (name) => fieldNamed(name)?.unit ?? [],
)

/** @throws the error itself if changing a field cannot help, or if the listing has another version */
export function formRefusalOf(request: PageRequest, error: unknown): FormRefusal {
  if (!(error instanceof ApiError) || error.code === 'precondition_failed') throw error
  const { code, errors, extra } = error
  const texts = request.t.listingForm
  if (code === 'duplicate_property') {
    const duplicate = (extra['existing_id'] as string | null | undefined) ?? null
    return { problems: { address: texts.duplicate }, units: addressUnits, duplicate, code }
  }
  const missing = (extra['missing'] ?? []) as readonly string[]
  const named = [...missing, ...errors.map(({ parameter }) => parameter)].flatMap((parameter) => {
    const found = fieldNamed(parameter)
    if (found === null) return []
    return [{ ...found, text: missing.includes(parameter) ? texts.needed : wrongText(request, found.field) }]
  })
  if (named.length > 0) {
    const problems = Object.fromEntries(named.map(({ field, text }) => [field.path, text]))
    return { problems, units: named.map(({ unit }) => unit), duplicate: null, code }
  }
  const refusal = problemsOf(request, error)
  const found = fieldNamed(Object.keys(refusal.problems)[0] ?? '')
  return { ...refusal, units: found === null ? [] : [found.unit], duplicate: null }
}

export function misreadProblems(request: PageRequest, misread: readonly Misread[]): Record<string, string> {
  return Object.fromEntries(
    misread.map(({ path, isApart }) => {
      const field = fieldNamed(path)?.field
      return [
        path,
        isApart || field === undefined ? request.t.reasons.coordinates_apart : wrongText(request, field),
      ]
    }),
  )
}

function wrongText({ t: { reasons, listingForm } }: PageRequest, { path, name, field }: Leaf): string {
  const texts = listingForm.wrong
  const max = field.max ?? Number.POSITIVE_INFINITY
  switch (field.kind) {
    case 'code':
      return reasons.external_id_odd
    case 'text':
    case 'lines':
      return texts.text(max)
    case 'count':
      return texts.count(max)
    case 'money':
      return path === 'expenses.amount' ? texts.expenses : reasons.amount_odd
    case 'coordinate':
      return name === 'lat' ? reasons.latitude_odd : reasons.longitude_odd
    case 'choice':
      return name === 'currency' ? texts.currency : texts.choice
    case 'flag':
      return texts.choice
    default:
      return texts[field.kind]
  }
}
