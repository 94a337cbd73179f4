/** The page /docs/errors, to which `error.docs` of every error links (api.md 5.3): each code with cause, remedy and an example. */
import { STATUS_CODES } from 'node:http'
import { catalogue, type ErrorCode, errorCodes } from '../../../platform/errors/error-catalogue.ts'
import { errorExamples } from '../../../http/openapi/errors.ts'
import { exampleService, localizeText } from '../../../http/openapi/document.ts'
import { html } from '../../../platform/web/html.ts'
import type { DocsPage } from './docs-document.ts'
import { breakable, inlineMarkdown } from './markdown.ts'

/** @param service the name and URL in place of the example service's */
export function errorsView(service: typeof exampleService): DocsPage {
  const { baseUrl } = service
  const examples = errorExamples(baseUrl)
  const section = (code: ErrorCode) => {
    const { status, cause, remedy } = catalogue[code]
    return html`<section aria-labelledby="${code}">
      <h2 id="${code}"><code>${code}</code> <span class="type">${statusText(status)}</span></h2>
      <p>${inlineMarkdown(localizeText(cause, service))}</p>
      <p><b>What to do.</b> ${inlineMarkdown(localizeText(remedy, service))}</p>
      <pre
        tabindex="0"
        role="region"
        aria-label="Example of ${code}"
      ><code>${JSON.stringify(examples[code]?.['value'], null, 2)}</code></pre>
    </section>`
  }
  const byStatus = Map.groupBy(errorCodes, (code) => catalogue[code].status)
  return {
    title: 'Errors',
    description: 'Every error code of the API: cause, remedy and an example.',
    current: 'docs/errors',
    kind: 'guide',
    body: html`<article class="prose">
      <h1>Errors</h1>
      <p>
        Every error is JSON with a <code>code</code> for programs and a <code>message</code> for people.
        Decide by the HTTP status, and use the code for logic. <code>docs</code> leads to the code on this
        page, and the operator needs <code>request_id</code> to look into a request.
        <a href="guides/errors-and-retries">Errors and retries</a> says what to repeat, and when.
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
            ${[...byStatus].map(
              ([status, codes]) =>
                html`<tr>
                  <td>${statusText(status)}</td>
                  <td>
                    ${codes.map((code) => html`<a href="#${code}"><code>${breakable(code)}</code></a> `)}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${errorCodes.map(section)}
    </article>`,
  }
}

function statusText(status: number): string {
  return `${status} ${STATUS_CODES[status]}`
}
