/**
 * Checks the payload of a listing (api.md 9.2): converts it to canonical form for its schema, then checks the rules that a schema cannot
 * express. Rules that need the stored listing are in content.ts.
 */
import type { Problems } from '../platform/errors.ts'
import { canonicalDisposition, canonicalOrientation, canonicalType } from './vocabulary.ts'

/**
 * Copies a body with `type`, `features.disposition` and `features.orientation` in canonical form. They may be sent in any case, but the
 * schema's enums are exact.
 */
export function canonicalPayload(body: unknown): unknown {
  if (!isObject(body)) return body
  const copy = { ...body }
  if ('type' in copy) copy['type'] = canonicalType(copy['type'])
  const features = copy['features']
  if (isObject(features)) {
    const folded = { ...features }
    if ('disposition' in folded) folded['disposition'] = canonicalDisposition(folded['disposition'])
    if ('orientation' in folded) folded['orientation'] = canonicalOrientation(folded['orientation'])
    copy['features'] = folded
  }
  return copy
}

/** Paths of the numbers in a body that a double cannot hold exactly. */
export type Inexact = ReadonlySet<string>

/**
 * Checks the rules that need only the payload.
 * @param sent a payload, or what was sent instead of one: only what has its type is judged
 * @param prefix path of the payload inside the body: `items[3]`
 */
export function checkPayload(sent: unknown, inexact: Inexact, problems: Problems, prefix = ''): void {
  if (!isObject(sent)) return
  const inside = prefix === '' ? '' : `${prefix}.`
  const add = (path: string, message: string): void => problems.add(`${inside}${path}`, message)
  for (const name of ['price', 'expenses'] as const) {
    const amount = partOf(sent[name])['amount']
    const path = `${name}.amount`
    if (typeof amount === 'number' && (!hasCents(amount) || inexact.has(`${inside}${path}`)))
      problems.add(`${inside}${path}`, `${path} must have at most 2 decimals.`)
  }
  const price = partOf(sent['price'])
  if (price['on_request'] === true && (price['amount'] != null || price['currency'] != null)) {
    add(
      'price.on_request',
      'price.on_request excludes price.amount and price.currency. Send one or the other.',
    )
  }
  const { lat, lng } = partOf(sent['location'])
  if ((lat == null) !== (lng == null) || (lat === undefined) !== (lng === undefined)) {
    add(
      `location.${lat == null ? 'lat' : 'lng'}`,
      'location.lat and location.lng go together. Send both or neither.',
    )
  }
  const checkUrl = (value: unknown, path: string): void => {
    if (typeof value === 'string' && !isWebUrl(value))
      add(path, `${path} must be an absolute http or https URL.`)
  }
  checkUrl(sent['video_url'], 'video_url')
  checkUrl(sent['virtual_tour_url'], 'virtual_tour_url')
  const { video_urls: videos } = sent
  if (Array.isArray(videos)) videos.forEach((url, index) => checkUrl(url, `video_urls[${index}]`))
}

/** Whether an amount has at most 2 decimals. Up to 10¹² a double distinguishes every cent; numbers it had to round are in `Inexact`. */
export function hasCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount
}

function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#][^\s]*$/i.test(text) && URL.canParse(text)
}

const nothing: Readonly<Record<string, unknown>> = {}

function partOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : nothing
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
