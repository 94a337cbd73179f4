/**
 * Failures as pages, with the way home and the id to quote.
 */
import { ApiError } from '../../platform/errors.ts'
import { html } from '../../platform/web/html.ts'
import { jsonAnswer, type PageAnswer, type Visit } from './visit.ts'

/** Title and text of a failure, in the visitor's words. */
function wordsOf(visit: Visit, error: ApiError): readonly [string, string] {
  const { t } = visit
  const texts = t.errors
  return error.reason === 'form_foreign'
    ? texts.form
    : error.reason === 'owners_only'
      ? texts.owners
      : error.code === 'agency_not_active'
        ? texts.inactive
        : error.code === 'rate_limited'
          ? ([
              texts.limited[0],
              t.refusals.rateLimited(visit.format.wait(Number(error.extra['retry_after'] ?? 60))),
            ] as const)
          : error.code === 'payload_too_large'
            ? texts.large
            : error.code === 'request_timeout'
              ? texts.slow
              : error.reason === 'busy'
                ? texts.busy
                : error.status === 404 || error.status === 405
                  ? texts.missing
                  : error.status === 503
                    ? texts.unavailable
                    : error.status >= 500
                      ? texts.broken
                      : texts.refused
}

/** A failure as a script reads it. */
export function errorAnswer(visit: Visit, error: ApiError): PageAnswer {
  const [, message] = wordsOf(visit, error)
  return jsonAnswer({ error: { code: error.code, message, request_id: visit.requestId } }, error.status)
}

export function errorPage(visit: Visit, error: ApiError): PageAnswer {
  const { t } = visit
  const [title, text] = wordsOf(visit, error)
  return {
    title,
    status: error.status,
    body: html`<div class="card stack" data-error>
      <p class="badge number">${error.status}</p>
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="small muted">${t.errors.requestId} <code>${visit.requestId}</code></p>
      <p><a class="button button-primary" href="${visit.base}/dashboard">${t.errors.home}</a></p>
    </div>`,
  }
}
