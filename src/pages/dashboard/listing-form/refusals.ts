/**
 * Refusals of the contract, in the words of the form and beside its fields.
 */
import { ApiError } from '../../../platform/errors.ts'
import { leafAt } from '../../../listings/field-lists.ts'
import type { Problems } from '../../framework/fields.ts'
import { problemsOf } from '../problems.ts'
import type { Visit } from '../visit.ts'
import type { Misread, Unit, Wrong } from './unit.ts'
import { unitNamed, unitOf } from './units.ts'

export type FormRefusal = Readonly<{
  problems: Problems
  /** Without these, the rest may pass. */
  units: readonly Unit[]
  /** Public code of the listing that has the same address. */
  duplicate: string | null
  status: number
}>

/** The units that make the address that duplicates are found by. */
const addressUnits = ['address', 'location.city', 'location.province', 'place'].flatMap(
  (name) => unitNamed(name) ?? [],
)

/** @throws the error itself where no field could be changed to help, or where the listing has another version */
export function refusalOf(visit: Visit, error: unknown): FormRefusal {
  if (!(error instanceof ApiError) || error.status === 412) throw error
  const { status, extra } = error
  const texts = visit.t.listingForm
  if (error.code === 'duplicate_property') {
    const duplicate = (extra['existing_id'] as string | null | undefined) ?? null
    return { problems: { address: texts.duplicate }, units: addressUnits, duplicate, status }
  }
  const { missing } = extra
  const wanted = Array.isArray(missing) ? missing.map((name) => [String(name), texts.needed] as const) : []
  const refused = error.errors.map(({ parameter }) => [parameter, null] as const)
  const named = [...wanted, ...refused].flatMap(([parameter, text]) => {
    const unit = unitOf(parameter)
    return unit === null ? [] : [{ unit, field: fieldOf(unit, parameter), text }]
  })
  if (named.length === 0) {
    const { problems } = problemsOf(visit, error)
    const unit = unitOf(Object.keys(problems)[0] ?? '')
    return { problems, units: unit === null ? [] : [unit], duplicate: null, status }
  }
  return {
    problems: Object.fromEntries(
      named.map(({ unit, field, text }) => [field, text ?? wrongText(visit, unit.name, unit.wrong, field)]),
    ),
    units: named.map(({ unit }) => unit),
    duplicate: null,
    status,
  }
}

/** The field beside which an error of the contract stands. */
export function fieldOf(unit: Unit, parameter: string): string {
  return unit.fields.find((field) => field === parameter) ?? unit.fields[0]
}

export function misreadText(visit: Visit, { field, wrong }: Misread): string {
  return wrongText(visit, field, wrong, field)
}

/** The message that says how to write it. */
function wrongText({ t }: Visit, name: string, wrong: Wrong, field: string): string {
  const texts = t.listingForm.wrong
  const most = leafAt(name)?.field.max ?? Number.POSITIVE_INFINITY
  if (field.endsWith('.currency')) return texts.currency
  if (field === 'expenses.amount') return texts.expenses
  if (wrong === 'amount') return field.endsWith('.amount') ? t.reasons.amount_odd : texts.choice
  if (wrong === 'apart') return t.reasons.coordinates_apart
  if (wrong === 'coordinate') return field.endsWith('lat') ? t.reasons.latitude_odd : t.reasons.longitude_odd
  if (wrong === 'external_id') return t.reasons.external_id_odd
  if (wrong === 'count') return texts.count(most)
  if (wrong === 'text') return texts.text(most)
  return texts[wrong]
}
