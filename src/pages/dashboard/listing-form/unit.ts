/**
 * A field of a listing as a form has it: a text that a person reads and types. What is changed, compared and sent together is one unit,
 * such as amount, currency and period of the price. Units and fields are named as the contract names them: `features.bedrooms`.
 */
import { appliesTo, type Field, type Kind } from '../../../listings/field.ts'
import type { Leaf } from '../../../listings/field-lists.ts'
import { type Content, leafValue } from '../../../listings/listing.ts'
import { isRental } from '../../../listings/vocabulary.ts'
import type { Format } from '../../../platform/web/format.ts'
import { typedMoney } from '../../../platform/web/typed-money.ts'

/** Why a text is refused; the messages have the words. */
export type Wrong =
  | 'amount'
  | 'count'
  | 'area'
  | 'coordinate'
  | 'apart'
  | 'choice'
  | 'url'
  | 'text'
  | 'list'
  | 'videos'
  | 'external_id'

/** The texts that were typed: field → text, with `\n` between lines. */
export type Typed = Readonly<Record<string, string>>

export type Unit = Readonly<{
  name: string
  /** The first stands for all of them in links and errors. */
  fields: readonly [string, ...string[]]
  kind: 'text' | 'lines' | 'list' | 'number' | 'choice' | 'flag' | 'money' | 'place'
  /** The message for a text that the contract refuses. */
  wrong: Wrong
  /** Its fields as the form shows them. */
  texts: (content: Content, format: Format) => Typed
  /** Its value, as a payload has it. */
  value: (content: Content) => unknown
  /** The value of what was typed. @throws Misread */
  read: (typed: Typed) => unknown
  /** Whether a listing of that operation and type has it. */
  applies: (operation: string | null, type: string | null) => boolean
}>

/** A text that has no value. */
export class Misread extends Error {
  override readonly name = 'Misread'
  readonly field: string
  readonly wrong: Wrong
  constructor(field: string, wrong: Wrong) {
    super(`${field} cannot be read`)
    this.field = field
    this.wrong = wrong
  }
}

export const always = (): boolean => true
/** A text without the space around it. */
export const textOf = (typed: Typed, field: string): string => (typed[field] ?? '').trim()

/** How a kind of field is shown as text and read again. */
type TextForm = {
  kind: Unit['kind']
  wrong: Wrong
  text: (value: unknown, format: Format) => string
  /** @returns undefined for a text that cannot be read; an empty text is null, or an empty list */
  read: (text: string, field: Field) => unknown
}

const words = { text: String, read: (text: string) => text || null }
const lines = {
  kind: 'list',
  text: (list: unknown) => (list as readonly string[]).join('\n'),
  read: (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
} as const

/** As people end an area: `85 m²`, `85 mts2`, `85 metros cuadrados`. */
const unitOfArea = /\s*m(?:ts?|etros)?\.?\s*(?:[2²]|cuadrados)?$/i

const textForms: Record<Exclude<Kind, 'coordinate'>, TextForm> = {
  code: { kind: 'text', wrong: 'external_id', ...words },
  text: { kind: 'text', wrong: 'text', ...words },
  lines: { kind: 'lines', wrong: 'text', ...words },
  url: { kind: 'text', wrong: 'url', ...words },
  list: { wrong: 'list', ...lines },
  urls: { wrong: 'videos', ...lines },
  choice: {
    kind: 'choice',
    wrong: 'choice',
    text: String,
    read: (text, { values = [] }) => (text === '' ? null : values.find((value) => value === text)),
  },
  /** Yes, no, or not said. */
  flag: {
    kind: 'flag',
    wrong: 'choice',
    text: (said) => (said === true ? 'yes' : 'no'),
    read: (text) => (text === '' ? null : text === 'yes'),
  },
  count: {
    kind: 'number',
    wrong: 'count',
    text: String,
    read: (text) => (text === '' ? null : /^\d{1,6}$/.test(text) ? Number(text) : undefined),
  },
  area: {
    kind: 'number',
    wrong: 'area',
    text: (area, format) => format.number(area as number),
    read: (text) => (text === '' ? null : (typedMoney(text.replace(unitOfArea, '')) ?? undefined)),
  },
  money: {
    kind: 'number',
    wrong: 'amount',
    text: (amount, format) => format.money(amount as number, null),
    read: (text) => (text === '' ? null : (typedMoney(text) ?? undefined)),
  },
}

/** The unit of a field that changes alone. */
export function leafUnit(leaf: Leaf): Unit {
  const { path, group, field } = leaf
  const form = textForms[field.kind as keyof typeof textForms]
  return {
    name: path,
    fields: [path],
    kind: form.kind,
    wrong: form.wrong,
    value: (content) => leafValue(content, leaf),
    texts: (content, format) => {
      const value = leafValue(content, leaf)
      return { [path]: value === null ? '' : form.text(value, format) }
    },
    read: (typed) => {
      const value = form.read(textOf(typed, path), field)
      if (value === undefined) throw new Misread(path, form.wrong)
      return value
    },
    applies: (operation, type) => appliesTo(field, type) && (group !== 'rental' || isRental(operation)),
  }
}
