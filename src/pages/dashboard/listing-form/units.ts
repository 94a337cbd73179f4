/**
 * The units of a listing's form.
 */
import { sections } from '../../../listings/field.ts'
import { type Leaf, leaves } from '../../../listings/field-lists.ts'
import type { Content } from '../../../listings/listing.ts'
import { isRental, usualCurrency } from '../../../listings/vocabulary.ts'
import type { Format } from '../../../platform/web/format.ts'
import { typedCurrency, typedMoney } from '../../../platform/web/typed-money.ts'
import { always, leafUnit, Misread, textOf, type Typed, type Unit } from './unit.ts'

/** An amount as people write it; empty is none. @throws Misread */
function readAmount(typed: Typed, field: string): number | null {
  const text = textOf(typed, field)
  const amount = typedMoney(text)
  if (text !== '' && amount === null) throw new Misread(field, 'amount')
  return amount
}

/** A currency in the amount's own text, such as `U$S 120.000`, comes before the choice beside it. */
const readCurrency = (typed: Typed, name: 'price' | 'expenses'): string | null =>
  typedCurrency(textOf(typed, `${name}.amount`)) ?? (textOf(typed, `${name}.currency`) || null)

/** Without an amount there is no currency to show, and the form's choice stands. */
const currencyText = (field: string, currency: string | null): Typed =>
  currency === null ? {} : { [field]: currency }

const amountText = (amount: number | null, format: Format): string =>
  amount === null ? '' : format.money(amount, null)

const price: Unit = {
  name: 'price',
  fields: ['price.amount', 'price.currency', 'price.period', 'price.on_request'],
  kind: 'money',
  wrong: 'amount',
  texts: (content, format) => ({
    'price.amount': amountText(content.price_amount, format),
    ...currencyText('price.currency', content.price_currency),
    'price.period': content.price_period ?? '',
    'price.on_request': content.price_on_request ? 'yes' : '',
  }),
  value: (content) => ({
    amount: content.price_amount,
    currency: content.price_currency,
    period: content.price_period,
    on_request: content.price_on_request,
  }),
  read: (typed) => {
    const onRequest = textOf(typed, 'price.on_request') === 'yes'
    const amount = onRequest ? null : readAmount(typed, 'price.amount')
    const operation = textOf(typed, 'operation')
    // The contract's own default.
    const period = textOf(typed, 'price.period') || (operation === 'rent' ? 'month' : null)
    const usual = operation === '' ? null : usualCurrency(operation)
    return {
      amount,
      currency: amount === null ? null : (readCurrency(typed, 'price') ?? usual),
      period: isRental(operation) ? period : null,
      on_request: onRequest,
    }
  },
  applies: always,
}

const expenses: Unit = {
  name: 'expenses',
  fields: ['expenses.amount', 'expenses.currency'],
  kind: 'money',
  wrong: 'amount',
  texts: (content, format) => ({
    'expenses.amount': amountText(content.expenses_amount, format),
    ...currencyText('expenses.currency', content.expenses_currency),
  }),
  value: ({ expenses_amount: amount, expenses_currency: currency }) =>
    amount === null ? null : { amount, currency },
  read: (typed) => {
    const amount = readAmount(typed, 'expenses.amount')
    return amount === null ? null : { amount, currency: readCurrency(typed, 'expenses') }
  },
  applies: always,
}

/** A person's own pin. Without one the address decides, and the fields are empty wherever that is. */
const place: Unit = {
  name: 'place',
  fields: ['location.lat', 'location.lng'],
  kind: 'place',
  wrong: 'coordinate',
  texts: (content) => {
    const { lat, lng } = ownPin(content)
    return { 'location.lat': String(lat ?? ''), 'location.lng': String(lng ?? '') }
  },
  value: ownPin,
  read: (typed) => {
    const texts = place.fields.map((field) => textOf(typed, field).replace('−', '-').replace(',', '.'))
    const [lat = null, lng = null] = texts.map((text, index) => {
      const field = place.fields[index] ?? place.fields[0]
      if (text !== '' && !/^[+-]?\d{1,3}(\.\d{1,20})?$/.test(text)) throw new Misread(field, 'coordinate')
      return text === '' ? null : Number(text)
    })
    if ((lat === null) !== (lng === null))
      throw new Misread(lat === null ? 'location.lat' : 'location.lng', 'apart')
    return { lat, lng }
  },
  applies: always,
}

function ownPin({ lat, lng, location_status: status }: Content) {
  return status === 'manual' ? { lat, lng } : { lat: null, lng: null }
}

/** Whether the field is part of a unit with others. */
const isJoint = ({ group, field }: Leaf): boolean =>
  group === 'price' || group === 'expenses' || field.kind === 'coordinate'
const joint: Readonly<Record<string, readonly Unit[]>> = { price: [price, expenses], place: [place] }

/** In the order of the form. */
export const units: readonly Unit[] = sections.flatMap((section) => [
  ...leaves.filter((leaf) => leaf.section === section && !isJoint(leaf)).map(leafUnit),
  ...(joint[section] ?? []),
])

const byName = new Map(units.map((unit) => [unit.name, unit]))
const byField = new Map(units.flatMap((unit) => unit.fields.map((field) => [field, unit] as const)))

export const unitNamed = (name: string): Unit | null => byName.get(name) ?? null

/** The unit that an error of the contract is about: of `price.amount`, `amenities[3]` or `location`. */
export function unitOf(parameter: string): Unit | null {
  const path = parameter.replace(/\[.*$/, '')
  return byField.get(path) ?? byName.get(path) ?? (path === 'location' ? place : null)
}

/** The fields of the form for a listing. */
export function textsOf(content: Content, format: Format): Typed {
  return Object.assign({}, ...units.map((unit) => unit.texts(content, format))) as Typed
}
