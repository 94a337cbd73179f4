/**
 * What the domain refuses, in the words of the page: beside the field, or as one sentence.
 */
import { ApiError } from '../errors.ts'
import type { Problems } from './forms.ts'
import type { Visit } from './visit.ts'

/** A refusal as one sentence. @throws the error itself where it is none of the person's doing */
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
 * A refusal of a form, by its fields. What it asks of the client, such as `Retry-After`, goes with the page in answer.
 * @param renamed parameters of the domain → fields of the form
 * @throws the error itself where no field and no person can help it: not found, not allowed, broken
 */
export function problemsOf(
  visit: Visit,
  error: unknown,
  renamed: Readonly<Record<string, string>> = {},
): { problems: Problems; status: number } {
  if (!(error instanceof ApiError) || error.status === 404 || error.status === 403) throw error
  const text = refusalText(visit, error)
  Object.assign(visit.answerHeaders, error.headers)
  const parameter = (error.parameter ?? '').replace(/\[.*$/, '')
  return { problems: { [renamed[parameter] ?? parameter]: text }, status: error.status }
}

/** One thing that a listing lacks to be published. */
export function missingText({ t }: Visit, name: unknown): string {
  const key = String(name).replace('.', '_')
  return Object.hasOwn(t.missing, key) ? t.missing[key as keyof typeof t.missing] : String(name)
}
