/**
 * Failures as pages, with the way home and the id to quote.
 */
import { ApiError } from '../errors.ts'
import { html } from '../web/html.ts'
import type { PageAnswer, Visit } from './visit.ts'

export function errorPage(visit: Visit, error: ApiError): PageAnswer {
  const { t } = visit
  const texts = t.errors
  const [title, text] =
    error.reason === 'form_foreign'
      ? texts.form
      : error.code === 'agency_not_active'
        ? texts.inactive
        : error.code === 'rate_limited'
          ? ([
              texts.limited[0],
              t.refusals.rateLimited(visit.format.wait(Number(error.extra['retry_after'] ?? 60))),
            ] as const)
          : error.status === 404 || error.status === 405
            ? texts.missing
            : error.status === 503
              ? texts.unavailable
              : error.status >= 500
                ? texts.broken
                : texts.refused
  return {
    title,
    status: error.status,
    body: html`<div class="card stack">
      <p class="badge number">${error.status}</p>
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="small muted">${t.errors.requestId} <code>${visit.requestId}</code></p>
      <p><a class="button button-primary" href="${visit.base}/dashboard">${t.errors.home}</a></p>
    </div>`,
  }
}
