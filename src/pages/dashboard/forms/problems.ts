/** Errors of the domain in the words of the page: beside a field, or as one sentence. */
import type { ErrorCode } from '../../../platform/errors/error-catalogue.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { fieldLabel } from './field-labels.ts'
import type { PageRequest, Refusal } from '../serving/page.ts'
import type { PhotoWhy } from '../../../listings/photos/failure.ts'

/** A refusal as one sentence. @throws the error itself if the service failed */
export function refusalText(request: PageRequest, error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const { t } = request
  const { reason } = error
  if (reason !== undefined && Object.hasOwn(t.reasons, reason))
    return t.reasons[reason as keyof typeof t.reasons]
  if (error.code === 'rate_limited') {
    return t.refusals.rateLimited(request.format.wait(Number(error.extra['retry_after'] ?? 60)))
  }
  const missing = error.extra['missing']
  if (Array.isArray(missing)) return t.refusals.missing(missing.map((name) => missingText(request, name)))
  if (error.code === 'precondition_failed') return t.refusals.changed
  if (error.code === 'external_id_exists') return t.refusals.externalId
  if (error.code === 'too_many_photos') return t.refusals.photos
  return t.refusals.invalid
}

/** Errors that no field of a form could fix. */
const unfixable: ReadonlySet<ErrorCode> = new Set(['not_found', 'agency_not_active', 'forbidden'])

/**
 * A refusal of a form, by its fields.
 * @param renamed parameters of the domain → fields of the form
 * @throws the error itself if no field could fix it: not found, not allowed, or a failure
 */
export function problemsOf(
  request: PageRequest,
  error: unknown,
  renamed: Readonly<Record<string, string>> = {},
): Refusal {
  if (!(error instanceof ApiError) || unfixable.has(error.code)) throw error
  const text = refusalText(request, error)
  const parameter = (error.parameter ?? '').replace(/\[.*$/, '')
  const { code, headers } = error
  return { problems: { [renamed[parameter] ?? parameter]: text }, code, headers }
}

/** As `problemsOf`, but a limit is explained in the page's own words. @param field shows them; empty: the form as a whole */
export function limitedOr(
  request: PageRequest,
  error: unknown,
  field: string,
  words: (wait: string) => string,
): Refusal {
  const refusal = problemsOf(request, error)
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return refusal
  const wait = request.format.wait(Number(error.extra['retry_after']))
  return { ...refusal, problems: { [field]: words(wait) } }
}

/** The name of a field that a listing still needs before it can be published. */
export function missingText(request: PageRequest, name: unknown): string {
  const texts: Readonly<Record<string, string>> = request.t.missing
  return texts[String(name)] ?? fieldLabel(request, String(name))
}

export function photoFailureText({ t }: Pick<PageRequest, 't'>, why: PhotoWhy): string {
  const texts = t.photoWhy
  switch (why.kind) {
    case 'status':
      return texts.status(why.status)
    case 'too_large':
      return texts.too_large(why.megabytes)
    case 'too_many_pixels':
      return texts.too_many_pixels(why.megapixels)
    case 'refused_url':
    case 'refused_redirect':
      return texts.refused
    case 'out_of_time':
    case 'storage':
    case 'busy':
    case 'slow_to_decode':
      return texts.ours
    case 'other':
      return why.said
    default:
      return texts[why.kind]
  }
}
