/** One operation of the reference: its parameters and responses, a call in four languages, and a form to try it. */
import { html, type Html, joined } from '../../../../platform/web/html.ts'
import {
  type Example,
  examplesOf,
  followed,
  type OpenApiDocument,
  type Parameter,
  parametersIn,
  type Route,
  schemaOf,
} from './openapi-document.ts'
import { headerLinks } from './headers-view.ts'
import { codeView, inlineMarkdown, markdown } from '../markdown.ts'
import { samplesOf } from '../../../../platform/web/request-samples.ts'
import { fieldView, schemaView } from './schema-view.ts'
import { tryView } from './try-view.ts'

export type ReferenceContext = {
  document: OpenApiDocument
  /** The public URL of the API, prefix included. */
  apiUrl: string
  /** The public URL of the service. */
  baseUrl: string
  /** `svc_test_` */
  testPrefix: string
}

/** Parameters that a first call does not need, and whose examples would not fit. */
const notInSamples: ReadonlySet<string> = new Set(['cursor', 'dry_run'])
/** The maximum number of query parameters in a sample. */
const shownParameters = 3

export function operationView(route: Route, context: ReferenceContext): Html {
  const { document } = context
  const { method, path, operation } = route
  const { operationId, summary, description, requestBody } = operation
  const bodies = examplesOf(document, requestBody?.content)
  const body = schemaOf(requestBody?.content)
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
  return html`<section class="operation" id="${operationId}">
    <div>
      <h3><a href="#${operationId}">${summary}</a></h3>
      <p class="path"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
      ${markdown(description).body}
      ${Object.entries({ Path: 'path', Query: 'query', Headers: 'header' } as const).map(([title, where]) =>
        parametersView(title, parametersIn(document, operation, where)),
      )}${
        body !== null &&
        html`<h4>Body</h4>
          ${schemaView(body.$ref === undefined ? body : followed(document, body), `Body of ${summary}`)}`
      }
      <h4>Responses</h4>
      ${successes.map(([status, response]) => {
        const schema = schemaOf(response.content)
        return html`<details class="response">
          <summary><b>${status}</b> ${inlineMarkdown(response.description)}</summary>
          ${schema !== null && schemaView(schema, `Response ${status} of ${summary}`)}
          ${headerLinks(document, response)}
        </details>`
      })}${errorsView(route, context)}
    </div>
    <div class="shown">
      ${sampleView(route, bodies, context)}${exampleViews('Body', bodies.slice(1))}${successes.map(
        ([status, { content }]) => exampleViews(`Response ${status}`, examplesOf(document, content)),
      )}${tryView(route, bodies, document)}
    </div>
  </section>`
}

function parametersView(title: string, parameters: readonly Parameter[]): Html | null {
  if (parameters.length === 0) return null
  return html`<h4>${title}</h4>
    <ul class="fields" aria-label="${title}">
      ${parameters.map(({ name, schema, description = schema.description, required }) =>
        fieldView(name, { ...schema, ...(description && { description }) }, required === true),
      )}
    </ul>`
}

/** The codes by status, each a link to its cause and remedy. */
function errorsView({ operation }: Route, { document }: ReferenceContext): Html {
  const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  return html`<details class="response">
    <summary><b>4xx, 5xx</b> Errors</summary>
    <ul class="codes">
      ${failures.map(([status, response]) => {
        const { examples = {} } = followed(document, response).content?.['application/json'] ?? {}
        return html`<li>
          <b>${status}</b> ${joined(
            Object.keys(examples).map((code) => html`<a href="docs/errors#${code}"><code>${code}</code></a>`),
            ', ',
          )}
        </li>`
      })}
    </ul>
  </details>`
}

/** The request with the first example, in each language. */
function sampleView(route: Route, bodies: readonly Example[], context: ReferenceContext): Html {
  const [body] = bodies
  const samples = samplesOf({
    method: route.method,
    url: sampleUrl(route, context),
    headers: Object.fromEntries(
      parametersIn(context.document, route.operation, 'header')
        .filter(({ required }) => required === true)
        .map(({ name, example }) => [name, name === 'Idempotency-Key' ? keyFor(route) : String(example)]),
    ),
    ...(body === undefined ? {} : { body: body.value }),
    needsKey: route.operation.security.length > 0,
  })
  return codeView(Object.entries(samples).map(([language, text]) => ({ language, text })))
}

/** Different for each operation, because a key that was used for another request is refused. */
function keyFor({ operation }: Route): string {
  return `${operation.operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-1`
}

function sampleUrl({ path, operation }: Route, { document, apiUrl }: ReferenceContext): string {
  let filled = path
  for (const { name, example } of parametersIn(document, operation, 'path'))
    filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)))
  const query = parametersIn(document, operation, 'query')
    .filter(({ name, example }) => example !== undefined && !notInSamples.has(name))
    .slice(0, shownParameters)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example)).replaceAll('%2C', ',')}`)
  return `${apiUrl}${filled === '/' ? '' : filled}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function exampleViews(what: string, examples: readonly Example[]): Html[] {
  return examples.map(
    ({ title, value }) =>
      html`<details class="example">
        <summary>${what}${title !== null && `: ${title}`}</summary>
        <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>
      </details>`,
  )
}
