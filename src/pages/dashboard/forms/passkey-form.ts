/** The form that is sent with a passkey. Only a script can request one, so the form is hidden until it runs. */
import { dataAttributes, html, type Html, type Piece } from '../../../platform/web/html.ts'
import { errorLine, fieldId } from '../../framework/fields.ts'
import { fieldForm } from './forms.ts'
import type { PageRequest } from '../serving/page.ts'

/** Names of scripts for pages with such a form. */
export const passkeyScripts = ['passkey.js']

/** Paths of the options: of a passkey to use, and of one to create. The form sends the responses as `assertion` and `credential`. */
type Ceremonies = Readonly<{ get?: string; create?: string }>

export function passkeyForm(
  request: PageRequest,
  action: string,
  { get, create }: Ceremonies,
  fields: Piece,
  button: Piece,
  options: Readonly<{ look?: string; cancel?: string }> = {},
): Html {
  const { unsupported, failed, there, needsScript } = request.t.passkeys
  const problem = request.refusal.problems['passkey']
  const id = fieldId('passkey')
  // A refusal for another reason keeps the responses: the device already holds the new passkey.
  const responseField = (name: string, ceremony: 'get' | 'create', path: string) =>
    html`<input
      type="hidden"
      name="${name}"
      value="${problem === undefined ? request.form.get(name) : ''}"
      ${dataAttributes({ ceremony, options: request.base + path })}
    />`
  const responses = html`<div id="${id}" tabindex="-1">
    ${get !== undefined && responseField('assertion', 'get', get)}
    ${create !== undefined && responseField('credential', 'create', create)}
    <p class="error" role="alert" data-problem hidden></p>
    ${errorLine(id, problem)}
  </div>`
  const attributes = html`data-passkey${dataAttributes({ unsupported, failed, there })} hidden`
  return html`${fieldForm(request, action, html`${fields}${responses}`, button, { ...options, attributes })}<noscript
      ><p class="hint">${needsScript}</p></noscript
    >`
}
