/**
 * Checks the payload of a listing (api.md 9.2): converts it to canonical form for its schema, then checks the rules that a schema cannot
 * express. Rules that need the stored listing are in ../writing/merge-payload.ts.
 */
import type { Problems } from '../../platform/errors/errors.ts'
import type { FieldKind } from './field.ts'
import { leaves, ownFields } from './field-lists.ts'
import { canonicalIn } from './vocabulary.ts'

/** The choices that may be sent in any case. `group` is null for a field outside groups; `canonical` gives the exact form. */
const folded = leaves.flatMap(({ group, name, field }) =>
  field.isFolded === true ? [{ group, name, canonical: canonicalIn(field.values ?? []) }] : [],
)

/** Copies a body with the canonical form of choices that may be sent in any case: the schema's enums are exact. */
export function canonicalPayload(body: unknown): unknown {
  if (!isObject(body)) return body
  const copy = { ...body }
  for (const group of new Set(folded.flatMap((one) => one.group ?? [])))
    if (isObject(copy[group])) copy[group] = { ...copy[group] }
  for (const { group, name, canonical } of folded) {
    const object = group === null ? copy : copy[group]
    if (isObject(object) && name in object) object[name] = canonical(object[name])
  }
  return copy
}

const amounts = leaves.filter(({ field }) => field.kind === 'money')
const namesOf = (kind: FieldKind) =>
  ownFields.filter(([, field]) => field.kind === kind).map(([name]) => name)
const urlNames = namesOf('url')
const urlListNames = namesOf('urls')

/** The pattern of every URL in a payload except photos'. */
export const webUrlPattern = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#]\S*$`
const absoluteWebUrl = new RegExp(webUrlPattern)

/** Paths of the numbers in a body that a double cannot hold exactly. */
export type Inexact = ReadonlySet<string>

/**
 * Checks the rules that need only the payload.
 * @param sent a payload, or anything sent instead of one: only values of the right type are checked
 * @param prefix path of the payload inside the body: `items[3]`
 */
export function checkPayload(sent: unknown, inexact: Inexact, problems: Problems, prefix = ''): void {
  if (!isObject(sent)) return
  const inside = prefix === '' ? '' : `${prefix}.`
  const add = (path: string, rule: string): void =>
    problems.add(`${inside}${path}`, `${inside}${path} ${rule}`)
  for (const { path, group, name } of amounts) {
    const amount = (group === null ? sent : partOf(sent[group]))[name]
    if (typeof amount === 'number' && (!hasCents(amount) || inexact.has(`${inside}${path}`)))
      add(path, 'must have at most 2 decimals.')
  }
  const price = partOf(sent['price'])
  if (price['on_request'] === true && (price['amount'] != null || price['currency'] != null)) {
    add('price.on_request', 'excludes price.amount and price.currency. Send one or the other.')
  }
  const { lat, lng } = partOf(sent['location'])
  if ((lat == null) !== (lng == null) || (lat === undefined) !== (lng === undefined)) {
    const [missing, other] = lat == null ? ['lat', 'lng'] : ['lng', 'lat']
    add(`location.${missing}`, `goes together with location.${other}. Send both or neither.`)
  }
  const checkUrl = (value: unknown, path: string): void => {
    if (typeof value === 'string' && !isAbsoluteWebUrl(value))
      add(path, 'must be an absolute http or https URL.')
  }
  for (const name of urlNames) checkUrl(sent[name], name)
  for (const name of urlListNames) {
    const urls = sent[name]
    if (Array.isArray(urls)) urls.forEach((url, index) => checkUrl(url, `${name}[${index}]`))
  }
}

/** Whether an amount has at most 2 decimals. Up to 10¹² a double distinguishes every cent; numbers it had to round are in `Inexact`. */
export function hasCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount
}

function isAbsoluteWebUrl(text: string): boolean {
  return absoluteWebUrl.test(text) && URL.canParse(text)
}

const nothing: Readonly<Record<string, unknown>> = {}

function partOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : nothing
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
