/** Errors of the domain in the words of the page: beside a field, or as one sentence. */
import { ApiError } from '../../platform/errors.ts'
import { fieldLabel } from './field-labels.ts'
import type { Visit } from './visit.ts'

/** A refusal as one sentence. @throws the error itself if the service failed */
export function refusalText(visit: Visit, error: unknown): string {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const { t } = visit
  const { reason } = error
  if (reason !== undefined && Object.hasOwn(t.reasons, reason))
    return t.reasons[reason as keyof typeof t.reasons]
  if (error.code === 'rate_limited') {
    return t.refusals.rateLimited(visit.format.wait(Number(error.extra['retry_after'] ?? 60)))
  }
  const missing = error.extra['missing']
  if (Array.isArray(missing)) return t.refusals.missing(missing.map((name) => missingText(visit, name)))
  if (error.code === 'precondition_failed') return t.refusals.changed
  if (error.code === 'external_id_exists') return t.refusals.externalId
  if (error.code === 'too_many_photos') return t.refusals.photos
  return t.refusals.invalid
}

/**
 * A refusal of a form, by its fields. The error's headers, such as `Retry-After`, are added to the response.
 * @param renamed parameters of the domain → fields of the form
 * @throws the error itself if no field could fix it: not found, not allowed, or a failure
 */
export function problemsOf(
  visit: Visit,
  error: unknown,
  renamed: Readonly<Record<string, string>> = {},
): Visit['refusal'] {
  if (!(error instanceof ApiError) || error.status === 404 || error.status === 403) throw error
  const text = refusalText(visit, error)
  Object.assign(visit.responseHeaders, error.headers)
  const parameter = (error.parameter ?? '').replace(/\[.*$/, '')
  return { problems: { [renamed[parameter] ?? parameter]: text }, status: error.status }
}

/** As `problemsOf`, but a limit is explained in the page's own words. @param field shows them; empty: the form as a whole */
export function limitedOr(
  visit: Visit,
  error: unknown,
  field: string,
  words: (wait: string) => string,
): Visit['refusal'] {
  const refusal = problemsOf(visit, error)
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return refusal
  const wait = visit.format.wait(Number(error.extra['retry_after']))
  return { ...refusal, problems: { [field]: words(wait) } }
}

/** The name of a field that a listing lacks to be published. */
export function missingText(visit: Visit, name: unknown): string {
  const texts: Readonly<Record<string, string>> = visit.t.missing
  return texts[String(name)] ?? fieldLabel(visit, String(name))
}
