/** Errors as pages, with a link home and the request's id. */
import type { ApiError } from '../../../platform/errors/errors.ts'
import { html } from '../../../platform/web/html.ts'
import { jsonResponse, type PageData, type PageDocument, type PageRequest } from './page.ts'

type Words = readonly [title: string, text: string]

/** Picks the texts by reason, then code, then status: the more exact one first. */
function wordsOf({ t, format }: PageRequest, { reason, code, status, extra }: ApiError): Words {
  const texts = t.errors
  if (reason === 'form_foreign') return texts.form
  if (reason === 'owners_only') return texts.owners
  if (code === 'agency_not_active') return texts.inactive
  if (code === 'rate_limited') {
    const wait = format.wait(Number(extra['retry_after'] ?? 60))
    return [texts.limited[0], t.refusals.rateLimited(wait)]
  }
  if (code === 'payload_too_large') return texts.large
  if (code === 'request_timeout') return texts.slow
  if (reason === 'busy') return texts.busy
  if (code === 'not_found' || code === 'method_not_allowed') return texts.missing
  if (code === 'service_unavailable') return texts.unavailable
  return status >= 500 ? texts.broken : texts.refused
}

export function errorData(request: PageRequest, error: ApiError): PageData {
  const [, message] = wordsOf(request, error)
  return jsonResponse({ error: { code: error.code, message, request_id: request.requestId } }, error.status)
}

export function errorPage(request: PageRequest, error: ApiError): PageDocument {
  const { t } = request
  const [title, text] = wordsOf(request, error)
  return {
    title,
    status: error.status,
    body: html`<div class="card stack" data-error>
      <p class="badge number">${error.status}</p>
      <h1>${title}</h1>
      <p>${text}</p>
      <p class="small muted">${t.errors.requestId} <code>${request.requestId}</code></p>
      <p><a class="button button-primary" href="${request.base}/dashboard">${t.errors.home}</a></p>
    </div>`,
  }
}
