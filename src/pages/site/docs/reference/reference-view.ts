/** `/docs`: the guides, the common rules, every operation, and the models they share (api.md 15.4). */
import { html, type Html } from '../../../../platform/web/html.ts'
import type { DocsPage } from '../docs-document.ts'
import { routesOf } from './openapi-document.ts'
import type { Guide } from '../guides.ts'
import { headersView } from './headers-view.ts'
import { markdown } from '../markdown.ts'
import { operationView, type ReferenceContext } from './operation-view.ts'
import { schemaView } from './schema-view.ts'

export function referenceView(
  context: ReferenceContext,
  serviceName: string,
  guides: readonly Guide[],
): DocsPage {
  return {
    title: 'API reference',
    description: `How to read and manage property listings with the API of ${serviceName}.`,
    current: 'docs',
    kind: 'reference',
    body: bodyOf(context, guides),
  }
}

function bodyOf(context: ReferenceContext, guides: readonly Guide[]): Html {
  const { document } = context
  const routes = routesOf(document)
  // Relative, so that it also works behind a proxy that adds a path.
  const linkOf = (target: string) =>
    target.startsWith(`${context.baseUrl}/`) ? `.${target.slice(context.baseUrl.length)}` : target
  return html`<h1>${document.info.title}</h1>
    <p class="lead">
      A REST API with JSON at <code>${context.apiUrl}</code>. Its machine-readable specification is
      <a href="api/v1/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    <ul class="cards">
      ${guides.map(
        ({ name, title, summary }) =>
          html`<li>
            <a href="docs/guides/${name}">${title}</a>
            <p>${summary}</p>
          </li>`,
      )}
    </ul>
    <section id="try" class="key" hidden>
      <h2>Try it here</h2>
      <p>
        Every operation below has a form. To read, use any key that does not require signatures. To write, use
        a test key (<code>${context.testPrefix}…</code>) without signatures: it has listings of its own to
        play with. Browsers cannot write with live keys. The key stays on this page and is forgotten when you
        leave it.
      </p>
      <p>
        <label for="key">API key</label>
        <input id="key" type="password" data-is="key" autocomplete="off" spellcheck="false" />
      </p>
    </section>
    <section id="rules" class="rules">
      <h2>Conventions</h2>
      ${markdown(document.info.description, { deeper: 1, linkOf }).body}
    </section>
    ${document.tags.map(
      ({ name, description }) =>
        html`<section class="tag">
          <h2 id="tag-${name}">${name}</h2>
          ${description !== undefined && html`<p>${description}</p>`}${routes
            .filter(({ operation }) => operation.tags.includes(name))
            .map((route) => operationView(route, context))}
        </section>`,
    )}
    ${headersView(document)}
    <section id="models">
      <h2>Models</h2>
      ${Object.entries(document.components.schemas).map(
        ([name, schema]) =>
          html`<section class="model" id="model-${name}">
            <h3><a href="#model-${name}">${name}</a></h3>
            ${schema.description !== undefined && markdown(schema.description).body}
            ${schemaView(schema, name)}
          </section>`,
      )}
    </section>`
}
