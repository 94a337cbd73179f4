/**
 * A field of a listing as a form has it: a text that a person reads and types. What is changed, compared and sent together is one unit,
 * such as amount, currency and period of the price. Units and fields are named as the contract names them: `features.bedrooms`.
 */
import type { Content } from '../../../listings/listing.ts'
import type { Format } from '../../../platform/web/format.ts'
import { typedMoney } from '../../../platform/web/typed-money.ts'

/** What is wrong with a text; the messages have the words. */
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

/** What was typed: field → text, with `\n` between lines. */
export type Typed = Readonly<Record<string, string>>

export type Unit = Readonly<{
  name: string
  /** The first stands for all of them in links and errors. */
  fields: readonly [string, ...string[]]
  kind: 'text' | 'lines' | 'list' | 'number' | 'choice' | 'flag' | 'money' | 'place'
  /** What is said of a text that the contract refuses. */
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
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A unit of one field. */
function single<T>(
  name: string,
  kind: Unit['kind'],
  wrong: Wrong,
  parts: {
    value: (content: Content) => T
    text: (value: NonNullable<T>, format: Format) => string
    read: (text: string) => T
    applies?: Unit['applies']
  },
): Unit {
  return {
    name,
    fields: [name],
    kind,
    wrong,
    value: parts.value,
    texts: (content, format) => {
      const value = parts.value(content)
      return { [name]: value == null ? '' : parts.text(value, format) }
    },
    read: (typed) => parts.read(textOf(typed, name)),
    applies: parts.applies ?? always,
  }
}

type Column = 'title' | 'description' | 'address' | 'external_id' | 'video_url' | 'virtual_tour_url'

export const textUnit = (
  name: string,
  value: (content: Content) => string | null,
  { kind = 'text', wrong = 'text' }: { kind?: 'text' | 'lines'; wrong?: Wrong } = {},
): Unit => single(name, kind, wrong, { value, text: (text) => text, read: (text) => text || null })

export const column = (name: Column, options?: { kind?: 'text' | 'lines'; wrong?: Wrong }): Unit =>
  textUnit(name, (content) => content[name], options)

export const listUnit = (
  name: string,
  value: (content: Content) => readonly string[],
  wrong: Wrong,
  applies?: Unit['applies'],
): Unit =>
  single(name, 'list', wrong, {
    value,
    text: (list) => list.join('\n'),
    read: lines,
    ...(applies && { applies }),
  })

export const choiceUnit = (
  name: string,
  values: readonly string[],
  value: (content: Content) => unknown,
  applies?: Unit['applies'],
): Unit =>
  single(name, 'choice', 'choice', {
    value,
    text: String,
    read: (text) => {
      if (text !== '' && !values.includes(text)) throw new Misread(name, 'choice')
      return text || null
    },
    ...(applies && { applies }),
  })

/** Yes, no, or not said. */
export const flagUnit = (
  name: string,
  value: (content: Content) => unknown,
  applies?: Unit['applies'],
): Unit =>
  single(name, 'flag', 'choice', {
    value,
    text: (said) => (said === true ? 'yes' : 'no'),
    read: (text) => (text === '' ? null : text === 'yes'),
    ...(applies && { applies }),
  })

export const countUnit = (
  name: string,
  value: (content: Content) => unknown,
  applies?: Unit['applies'],
): Unit =>
  single(name, 'number', 'count', {
    value,
    text: String,
    read: (text) => {
      if (text !== '' && !/^\d{1,6}$/.test(text)) throw new Misread(name, 'count')
      return text === '' ? null : Number(text)
    },
    ...(applies && { applies }),
  })

/** As people end an area: `85 m²`, `85 mts2`, `85 metros cuadrados`. */
const unitOfArea = /\s*m(?:ts?|etros)?\.?\s*(?:[2²]|cuadrados)?$/i

export const areaUnit = (
  name: string,
  value: (content: Content) => unknown,
  applies?: Unit['applies'],
): Unit =>
  single(name, 'number', 'area', {
    value,
    text: (area, format) => format.number(area as number),
    read: (text) => {
      const area = typedMoney(text.replace(unitOfArea, ''))
      if (text !== '' && area === null) throw new Misread(name, 'area')
      return text === '' ? null : area
    },
    ...(applies && { applies }),
  })
