/**
 * The form that sends a request of the reader's own from the page. assets/docs.js shows it, fills it and sends it.
 */
import { flag, html, type Html } from '../../web/html.ts'
import { type Example, type OpenApiDocument, type Parameter, parametersIn, type Place } from './document.ts'

export function tryView(
  { method, path, operation }: Place,
  bodies: readonly Example[],
  document: OpenApiDocument,
): Html {
  const id = (part: string) => `try-${operation.operationId}-${part}`
  const field = ({ name, in: place, required, example }: Parameter) =>
    html`<p>
      <label for="${id(name)}">${name}${required === true && ' (required)'}</label>
      <input
        id="${id(name)}"
        name="${place}:${name}"
        autocomplete="off"
        spellcheck="false"
        placeholder="${String(example ?? '')}"
        ${flag('required', required === true && name !== 'Idempotency-Key')}
      />
    </p>`
  const parameters = (place: Parameter['in']) =>
    parametersIn(document, operation, place).filter(({ name }) => !/-(Timestamp|Signature)$/.test(name))
  const [first] = bodies
  return html`<details class="try" hidden>
    <summary>Try it</summary>
    <form
      data-method="${method}"
      data-path="${path}"
      data-key="${operation.security.length > 0 ? 'yes' : 'no'}"
      novalidate
    >
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
