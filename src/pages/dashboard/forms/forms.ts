/** Forms of the dashboard, and the messages around them. */
import { passwordSizes } from '../../../limits/sizes.ts'
import { flag, html, type Html, nothing, type Piece } from '../../../platform/web/html.ts'
import { inputField, noProblems, type FieldProblems } from '../../framework/fields.ts'
import { icon } from '../../framework/icons.ts'
import type { PageRequest, Refusal } from '../serving/page.ts'

export const notRefused: Refusal = { problems: noProblems, code: null }

/** A form that writes. @param action path below the base */
export function postForm(request: PageRequest, action: string, contents: Piece, attributes: Html = nothing) {
  return html`<form method="post" action="${request.base}${action}" ${attributes}>
    <input type="hidden" name="_csrf" value="${request.csrf}" />
    ${contents}
  </form>`
}

/**
 * A form: its fields, one below the other, and its button.
 * @param options.look classes of the button
 * @param options.cancel path of the link beside the button
 * @param options.attributes of the form's tag
 */
export function fieldForm(
  request: PageRequest,
  action: string,
  fields: Piece,
  button: Piece,
  {
    look = 'button-primary',
    cancel,
    attributes,
  }: Readonly<{ look?: string; cancel?: string; attributes?: Html }> = {},
): Html {
  const back = html`<a class="button button-quiet" href="${request.base}${cancel}"
    >${request.t.common.cancel}</a
  >`
  return postForm(
    request,
    action,
    html`<div class="stack">
      ${fields}
      <div class="form-actions">
        <button class="button ${look}">${button}</button>${cancel !== undefined && back}
      </div>
    </div>`,
    attributes,
  )
}

/** A field with its problem and the typed text, or else `value`. A typed password is never shown again. */
export function formField({ form, refusal }: PageRequest, options: Parameters<typeof inputField>[0]): Html {
  const value = options.type === 'password' ? undefined : (form.get(options.name) ?? options.value ?? '')
  return inputField({ ...options, value, problems: refusal.problems })
}

/** @param autocomplete `current-password` or `new-password` */
export function passwordField(
  request: PageRequest,
  name: string,
  label: string,
  autocomplete: string,
  more = {},
): Html {
  const options = {
    name,
    label,
    autocomplete,
    type: 'password',
    required: true,
    maxlength: passwordSizes.max,
  }
  return formField(request, { ...options, ...more })
}

export function hiddenField(name: string, value: string | number): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`
}

/** A form of one button. @param fields hidden @param kind further classes of the button */
export function buttonForm(
  request: PageRequest,
  path: string,
  fields: Readonly<Record<string, string | number>>,
  label: Piece,
  kind = '',
): Html {
  return postForm(
    request,
    path,
    html`${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}<button
        class="button ${kind}"
      >
        ${label}
      </button>`,
  )
}

/**
 * The problem of the form as a whole, and a link to each field with one. The page opens with the focus on it.
 * @param labels the fields' labels, if the problems do not name their fields
 * @param focused false if a field takes the focus instead
 */
export function problemSummary(
  request: PageRequest,
  problems: FieldProblems,
  { labels = {}, focused = true }: Readonly<{ labels?: FieldProblems; focused?: boolean }> = {},
): Html {
  const { '': general, ...fields } = problems
  const wrong = Object.entries(fields)
  if (general === undefined && wrong.length === 0) return nothing
  return html`<div class="notice notice-bad" role="alert" tabindex="-1" ${flag('autofocus', focused)}>
    ${icon('alert')}
    <div>
      <p>${general ?? request.t.common.formWrong(wrong.length)}</p>
      ${
        wrong.length > 0 &&
        html`<ul>
          ${wrong.map(([name, problem]) => {
            const label = labels[name]
            return html`<li>
              <a href="#f-${name}" data-field
                >${label !== undefined && html`<strong>${label}:</strong> `}${problem}</a
              >
            </li>`
          })}
        </ul>`
      }
    </div>
  </div>`
}

export function notice(kind: 'good' | 'bad' | 'warn' | 'info', contents: Piece): Html {
  const symbol = { good: 'check', bad: 'alert', warn: 'alert', info: 'info' } as const
  return html`<div class="notice notice-${kind}">
    ${icon(symbol[kind])}
    <div>${contents}</div>
  </div>`
}

/** A button that copies the text of the element with this id. It is hidden until the script runs. */
export function copyButton(request: PageRequest, id: string): Html {
  return html`<button
    type="button"
    class="button button-small no-print"
    data-copy="${id}"
    data-done="${request.t.common.copied}"
    hidden
  >
    ${icon('copy')}<span data-label>${request.t.common.copy}</span>
  </button>`
}
