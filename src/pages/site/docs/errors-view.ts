/**
 * The page /docs/errors, which `error.docs` of every error leads to (api.md 5.3): each code with cause, remedy and an example.
 */
import { STATUS_CODES } from 'node:http'
import { catalogue, type ErrorCode, errorCodes } from '../../../platform/error-catalogue.ts'
import { errorsUrl, noticeOf } from '../../../http/responses/standard-headers.ts'
import { errorExamples } from '../../../http/openapi/errors.ts'
import { exampleService, localizeText } from '../../../http/openapi/document.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import type { DocsPage } from './docs-document.ts'
import { breakable, inlineMarkdown } from './markdown.ts'

export type ExplainedError = {
  code: ErrorCode
  status: number
  cause: string
  remedy: string
  example: unknown
}

/** Every code of the catalogue, as this service sends it. */
export function explainedErrors(service: typeof exampleService): ExplainedError[] {
  const { baseUrl } = service
  const examples = errorExamples({ notice: noticeOf(baseUrl), errorsUrl: errorsUrl(baseUrl) })
  return errorCodes.map((code) => {
    const { status, cause, remedy } = catalogue[code]
    return {
      code,
      status,
      cause: localizeText(cause, service),
      remedy: localizeText(remedy, service),
      example: examples[code]?.['value'],
    }
  })
}

export function errorsView(errors: readonly ExplainedError[]): DocsPage {
  const statuses = [...new Set(errors.map(({ status }) => status))]
  const linksOf = (status: number) =>
    errors
      .filter((error) => error.status === status)
      .map(({ code }) => html`<a href="#${code}"><code>${breakable(code)}</code></a> `)
  return {
    title: 'Errors',
    description: 'Every error code of the API: cause, remedy and an example.',
    root: '..',
    current: 'docs/errors',
    kind: 'guide',
    body: html`<article class="prose">
      <h1>Errors</h1>
      <p>
        Every error is JSON with a <code>code</code> for programs and a <code>message</code> for people.
        Decide by the HTTP status, and use the code for logic. <code>docs</code> leads to the code on this
        page, and the operator needs <code>request_id</code> to look into a request. What to repeat, and when,
        is in <a href="guides/errors-and-retries">Errors and retries</a>.
      </p>
      <div class="table" tabindex="0">
        <table>
          <thead>
            <tr>
              <th>Status</th>
              <th>Codes</th>
            </tr>
          </thead>
          <tbody>
            ${statuses.map(
              (status) =>
                html`<tr>
                  <td>${statusText(status)}</td>
                  <td>${linksOf(status)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${errors.map(section)}
    </article>`,
  }
}

function section({ code, status, cause, remedy, example }: ExplainedError): Html {
  return html`<section aria-labelledby="${code}">
    <h2 id="${code}"><code>${code}</code> <span class="type">${statusText(status)}</span></h2>
    <p>${inlineMarkdown(cause)}</p>
    <p><b>What to do.</b> ${inlineMarkdown(remedy)}</p>
    <pre
      tabindex="0"
      role="region"
      aria-label="Example of ${code}"
    ><code>${JSON.stringify(example, null, 2)}</code></pre>
  </section>`
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status]}`
}
