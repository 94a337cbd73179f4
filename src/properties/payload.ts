/**
 * Checks the payload of a listing (api.md 9.2): converts it to canonical form for its schema, then checks the rules that a schema cannot
 * express. Rules that need the stored listing are in content.ts.
 */
import { fieldPath, invalid } from '../errors.ts'
import type { Payload } from './schema.ts'
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
 * @param prefix path of the payload inside the body: `items[3]`
 * @throws ApiError `invalid_parameter` naming the field
 */
export function checkPayload(payload: Payload, inexact: Inexact, prefix = ''): void {
  const fail = (path: (string | number)[], message: string) => {
    const inside = fieldPath(path)
    return invalid(prefix === '' ? inside : `${prefix}.${inside}`, message)
  }
  for (const name of ['price', 'expenses'] as const) {
    const amount = payload[name]?.amount
    const path = `${prefix === '' ? '' : `${prefix}.`}${name}.amount`
    if (amount != null && (!hasCents(amount) || inexact.has(path)))
      throw invalid(path, `${name}.amount must have at most 2 decimals.`)
  }
  if (
    payload.price?.on_request === true &&
    (payload.price.amount != null || payload.price.currency != null)
  ) {
    throw fail(
      ['price', 'on_request'],
      'price.on_request excludes price.amount and price.currency. Send one or the other.',
    )
  }
  if (payload.location != null) {
    const { lat, lng } = payload.location
    if ((lat == null) !== (lng == null) || (lat === undefined) !== (lng === undefined)) {
      throw fail(
        ['location', lat == null ? 'lat' : 'lng'],
        'location.lat and location.lng go together. Send both or neither.',
      )
    }
  }
  checkWebUrl(payload.video_url, () =>
    fail(['video_url'], 'video_url must be an absolute http or https URL.'),
  )
  checkWebUrl(payload.virtual_tour_url, () =>
    fail(['virtual_tour_url'], 'virtual_tour_url must be an absolute http or https URL.'),
  )
  payload.video_urls?.forEach((url, index) =>
    checkWebUrl(url, () =>
      fail(['video_urls', index], `video_urls[${index}] must be an absolute http or https URL.`),
    ),
  )
}

/** Whether an amount has at most 2 decimals. Up to 10¹² a double distinguishes every cent; numbers it had to round are in `Inexact`. */
export function hasCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount
}

function checkWebUrl(text: string | null | undefined, error: () => Error): void {
  if (text != null && (!/^https?:\/\/[^\s/?#][^\s]*$/i.test(text) || !URL.canParse(text))) throw error()
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
