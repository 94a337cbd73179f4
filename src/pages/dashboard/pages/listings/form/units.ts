/**
 * The fields of a listing's form as texts that people read and type. Fields that are compared, refused and sent together are one unit, such
 * as amount, currency and period of the price. Units and fields have the names of the contract: `features.bedrooms`.
 */
import {
  appliesTo,
  emptyOf,
  type Field,
  type FieldKind,
  sections,
} from '../../../../../listings/fields/field.ts'
import { type Leaf, leaves } from '../../../../../listings/fields/field-lists.ts'
import { type Content, leafValue } from '../../../../../listings/fields/content.ts'
import { isRental, usualCurrency } from '../../../../../listings/fields/vocabulary.ts'
import type { Format } from '../../../../../platform/web/language/format.ts'
import { typedCurrency, typedMoney } from '../../../../../platform/web/language/typed-money.ts'
import { typedDegrees } from '../../../parts/place.ts'

/** Field → its text, with `\n` between lines. */
export type Typed = Readonly<Record<string, string>>

export type Unit = Readonly<{
  name: string
  /** Errors that name no field are shown beside the first. */
  fields: readonly [Leaf, ...Leaf[]]
  /** Its value, as a payload has it. */
  value: (content: Content) => unknown
  /** The value of its texts. @throws Misread */
  read: (typed: Typed) => unknown
}>

/** The text of a field cannot be read as a value. */
export class Misread extends Error {
  override readonly name = 'Misread'
  readonly path: string
  /** Whether the other coordinate is missing, while the text itself is fine. */
  readonly isApart: boolean
  constructor(path: string, isApart = false) {
    super(`${path} cannot be read`)
    this.path = path
    this.isApart = isApart
  }
}

type TextForm = {
  text: (value: unknown, format: Format) => string
  /** The value of a text that is not empty; null or undefined if it cannot be read. */
  read: (text: string, field: Field) => unknown
}

const unchanged: TextForm = { text: String, read: (text) => text }
const onePerLine: TextForm = {
  text: (list) => (list as readonly string[]).join('\n'),
  read: (text) => text.split(/\s*\n\s*/),
}
/** People end an area with `m²`, `mts2` or `metros cuadrados`. */
const unitOfArea = /\s*m(?:ts?|etros)?\.?\s*(?:[2²]|cuadrados)?$/i

const textForms: Record<FieldKind, TextForm> = {
  code: unchanged,
  text: unchanged,
  lines: unchanged,
  url: unchanged,
  urls: onePerLine,
  list: onePerLine,
  choice: { text: String, read: (text, { values }) => values?.find((value) => value === text) },
  flag: { text: (value) => (value === true ? 'yes' : 'no'), read: (text) => text === 'yes' },
  count: { text: String, read: (text) => (/^\d{1,6}$/.test(text) ? Number(text) : null) },
  area: {
    text: (area, format) => format.number(area as number),
    read: (text) => typedMoney(text.replace(unitOfArea, '')),
  },
  money: { text: (amount, format) => format.money(amount as number, null), read: typedMoney },
  coordinate: { text: String, read: typedDegrees },
}

const textOf = (typed: Typed, path: string): string => (typed[path] ?? '').trim()

/** @throws Misread */
function readField({ path, field }: Leaf, typed: Typed): unknown {
  const text = textOf(typed, path)
  if (text === '') return emptyOf(field)
  const value = textForms[field.kind].read(text, field) ?? null
  if (value === null) throw new Misread(path)
  return value
}

/** A currency in the amount's own text, such as `U$S 120.000`, takes precedence over the choice beside it. @throws Misread */
function readMoney(typed: Typed, name: 'price' | 'expenses') {
  const text = textOf(typed, `${name}.amount`)
  if (text === '') return null
  const amount = typedMoney(text)
  if (amount === null) throw new Misread(`${name}.amount`)
  return { amount, currency: typedCurrency(text) ?? (textOf(typed, `${name}.currency`) || null) }
}

function readPrice(typed: Typed) {
  const operation = textOf(typed, 'operation')
  const onRequest = textOf(typed, 'price.on_request') === 'yes'
  const money = onRequest ? null : readMoney(typed, 'price')
  const usual = operation === '' ? null : usualCurrency(operation)
  // The contract's own default.
  const period = textOf(typed, 'price.period') || (operation === 'rent' ? 'month' : null)
  return {
    amount: money?.amount ?? null,
    currency: money === null ? null : (money.currency ?? usual),
    period: isRental(operation) ? period : null,
    on_request: onRequest,
  }
}

/** Without the person's own pin, the address decides, and the fields are empty. */
function ownPin({ lat, lng, location_status: status }: Content) {
  return status === 'manual' ? { lat, lng } : { lat: null, lng: null }
}

const joint: Readonly<Record<string, Pick<Unit, 'value' | 'read'>>> = {
  price: {
    value: (content) => ({
      amount: content.price_amount,
      currency: content.price_currency,
      period: content.price_period,
      on_request: content.price_on_request,
    }),
    read: readPrice,
  },
  expenses: {
    value: ({ expenses_amount: amount, expenses_currency: currency }) =>
      amount === null ? null : { amount, currency },
    read: (typed) => readMoney(typed, 'expenses'),
  },
  place: {
    value: ownPin,
    read: (typed) => {
      const [lat, lng] = leaves.filter(isCoordinate).map((leaf) => readField(leaf, typed))
      if ((lat === null) === (lng === null)) return { lat, lng }
      throw new Misread(lat === null ? 'location.lat' : 'location.lng', true)
    },
  },
}

const isCoordinate = ({ field }: Leaf): boolean => field.kind === 'coordinate'

function unitNameOf(leaf: Leaf): string {
  if (isCoordinate(leaf)) return 'place'
  return leaf.group === 'price' || leaf.group === 'expenses' ? leaf.group : leaf.path
}

const leavesInOrder = sections.flatMap((section) => leaves.filter((leaf) => leaf.section === section))

/** In the order of the form. */
export const units: readonly Unit[] = [...Map.groupBy(leavesInOrder, unitNameOf)].map(([name, grouped]) => {
  const fields = grouped as [Leaf, ...Leaf[]]
  const alone = {
    value: (content: Content) => leafValue(content, fields[0]),
    read: (typed: Typed) => readField(fields[0], typed),
  }
  return { name, fields, ...(joint[name] ?? alone) }
})

type Named = Readonly<{ unit: Unit; field: Leaf }>

const named: ReadonlyMap<string, Named> = new Map(
  units.flatMap((unit) => [
    [unit.name, { unit, field: unit.fields[0] }],
    ...unit.fields.map((field): [string, Named] => [field.path, { unit, field }]),
  ]),
)

/** The unit and the field that an error of the contract names: `price`, `price.amount`, `amenities[3]`, `location`. */
export function fieldNamed(parameter: string): Named | null {
  const path = parameter.replace(/\[.*$/, '')
  return named.get(path === 'location' ? 'place' : path) ?? null
}

/** Whether listings of that operation and type have the unit. */
export function isApplicable({ fields: [{ group, field }] }: Unit, { operation, type }: Typed): boolean {
  return appliesTo(field, type || null) && (group !== 'rental' || isRental(operation || null))
}

/** The fields of the form for a listing. Without an amount there is no currency, and the choice in the form remains. */
export function textsOf(content: Content, format: Format): Typed {
  const shown = { ...content, ...ownPin(content) }
  return Object.fromEntries(
    leaves.flatMap((leaf) => {
      const { path, name, field } = leaf
      const value = leafValue(shown, leaf)
      if (value !== null && value !== field.empty) return [[path, textForms[field.kind].text(value, format)]]
      return name === 'currency' ? [] : [[path, '']]
    }),
  )
}
