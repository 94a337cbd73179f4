/**
 * What an agency sends about a listing (api.md 9.2): brought to canonical form, held to its schema,
 * then to the rules no schema can say. What stored data has to do with it is judged later, in content.ts.
 */
import { fieldPath, invalid } from '../errors.ts'
import type { Payload } from './schema.ts'
import { canonicalDisposition, canonicalOrientation, canonicalType } from './vocabulary.ts'

/**
 * Copies a body with `type`, `features.disposition` and `features.orientation` in their canonical form, so that the schema's
 * closed lists apply to what may be written in any case.
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

/** Paths of the numbers in a body that were sent with more digits than are kept. */
export type Inexact = ReadonlySet<string>

/**
 * Rules of a payload by itself.
 * @param prefix path of the payload inside the body, such as `items[3]`
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
  checkWebAddress(payload.video_url, () =>
    fail(['video_url'], 'video_url must be an absolute http or https URL.'),
  )
  checkWebAddress(payload.virtual_tour_url, () =>
    fail(['virtual_tour_url'], 'virtual_tour_url must be an absolute http or https URL.'),
  )
  payload.video_urls?.forEach((url, index) =>
    checkWebAddress(url, () =>
      fail(['video_urls', index], `video_urls[${index}] must be an absolute http or https URL.`),
    ),
  )
}

/** Amounts have at most 2 decimals. Up to 10¹² a double tells every cent from the next; what it rounded away is in `Inexact`. */
export function hasCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount
}

function checkWebAddress(text: string | null | undefined, error: () => Error): void {
  if (text != null && (!/^https?:\/\/[^\s/?#][^\s]*$/i.test(text) || !URL.canParse(text))) throw error()
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
