/** The form with which the reader sends a request from the page. assets/docs-requests.js shows, fills and sends it. */
import { flag, html, type Html } from '../../../../platform/web/html.ts'
import {
  type Example,
  type OpenApiDocument,
  type Parameter,
  parametersIn,
  type Route,
} from './openapi-document.ts'

export function tryView(
  { method, path, operation }: Route,
  bodies: readonly Example[],
  document: OpenApiDocument,
): Html {
  const id = (part: string) => `try-${operation.operationId}-${part}`
  const needsKey = operation.security.length > 0
  const field = (parameter: Parameter) => {
    const { name, in: where, required = false, schema } = parameter
    // The script chooses one for each request.
    const isChosen = required && name === 'Idempotency-Key'
    const choices = schema.type === 'boolean' ? [true, false] : schema.enum
    return html`<p>
      <label for="${id(name)}">${name}${required && !isChosen && ' (required)'}</label>
      ${
        choices === undefined
          ? html`<input
              id="${id(name)}"
              name="${where}:${name}"
              autocomplete="off"
              spellcheck="false"
              placeholder="${isChosen ? 'random if empty' : hintOf(parameter)}"
              ${flag('required', required && !isChosen)}${flag('data-chosen', isChosen)}
            />`
          : html`<select id="${id(name)}" name="${where}:${name}" ${flag('required', required)}>
              <option value="">not sent</option>
              ${choices.map((choice) => html`<option>${String(choice)}</option>`)}
            </select>`
      }
    </p>`
  }
  const parameters = (where: Parameter['in']) =>
    parametersIn(document, operation, where).filter(({ name }) => !/-(Timestamp|Signature)$/.test(name))
  const [first] = bodies
  return html`<details class="try" hidden>
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" data-key="${needsKey ? 'yes' : 'no'}" novalidate>
      ${
        needsKey &&
        html`<p>
          <label for="${id('key')}">API key, the same in all forms</label>
          <input id="${id('key')}" type="password" data-is="key" autocomplete="off" spellcheck="false" />
          <small><a href="#try">Which key?</a></small>
        </p>`
      }
      <div class="inputs">${(['path', 'query', 'header'] as const).flatMap(parameters).map(field)}</div>
      ${
        operation.requestBody !== undefined &&
        html`${
            bodies.length > 1 &&
            html`<p>
              <label for="${id('example')}">Example</label>
              <select id="${id('example')}" data-fills="${id('body')}">
                ${bodies.map(
                  ({ title, value }) =>
                    html`<option value="${JSON.stringify(value, null, 2)}">${title}</option>`,
                )}
              </select>
            </p>`
          }
          <p>
            <label for="${id('body')}">Body</label>
            <textarea id="${id('body')}" name="body" rows="10" spellcheck="false">
${first === undefined ? '{}' : JSON.stringify(first.value, null, 2)}</textarea>
          </p>`
      }
      <p><button type="submit">Send</button></p>
      <div class="result" role="status"></div>
    </form>
  </details>`
}

/** An example that does not look like a value. */
function hintOf({ example }: Parameter): string {
  return example === undefined ? '' : `e.g. ${String(example)}`
}
