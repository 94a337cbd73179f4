/**
 * Form fields, each with what was typed and what is wrong with it.
 */
import { flag, html, type Html, nothing, type Piece } from '../../platform/web/html.ts'
import { icon } from './icons.ts'
import type { Visit } from './visit.ts'

/** Field → what is wrong with it. */
export type Problems = Readonly<Record<string, string>>

export const noProblems: Problems = {}

/** Why a form is shown again, and the status of that page. */
export type Refusal = Readonly<{ problems: Problems; status: number }>

export const notRefused: Refusal = { problems: noProblems, status: 200 }

/** A form that writes. @param action path below the base */
export function postForm(visit: Visit, action: string, contents: Piece, attributes: Html = nothing): Html {
  return html`<form method="post" action="${visit.base}${action}" ${attributes}>
    <input type="hidden" name="_csrf" value="${visit.csrf}" />
    ${contents}
  </form>`
}

type FieldOptions = Readonly<{
  name: string
  label: Piece
  hint?: Piece
  value?: string
  problems?: Problems
  type?: string
  autocomplete?: string
  inputmode?: string
  placeholder?: string
  required?: boolean
  autofocus?: boolean
  maxlength?: number
  step?: string
  min?: string
  className?: string
  /** Further attributes. */
  more?: Html
}>

function attribute(name: string, value: string | number | undefined): Html {
  return value === undefined ? nothing : html` ${name}="${value}"`
}

/** The ids of hint and error that describe the field. */
function describedBy(id: string, hint: Piece, problem: string | undefined): Html {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-error`]),
  ]
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${problem !== undefined && html` aria-invalid="true"`}`
}

function around(id: string, options: FieldOptions, field: Html): Html {
  const problem = options.problems?.[options.name]
  return html`<div class="field">
    <label for="${id}">${options.label}</label>
    ${field} ${options.hint !== undefined && html`<p class="hint" id="${id}-hint">${options.hint}</p>`}
    ${errorLine(id, problem)}
  </div>`
}

/** Checkboxes or radio buttons that belong together. @param choices each a `choiceField` */
export function choiceGroup(
  options: Readonly<{ name: string; legend: string; hint?: Piece; problems?: Problems; choices: Piece }>,
): Html {
  const id = `f-${options.name}`
  const problem = options.problems?.[options.name]
  return html`<fieldset class="field" id="${id}" tabindex="-1" ${describedBy(id, options.hint, problem)}>
    <legend class="legend">${options.legend}</legend>
    ${options.choices}
    ${options.hint !== undefined && html`<p class="hint" id="${id}-hint">${options.hint}</p>`}
    ${errorLine(id, problem)}
  </fieldset>`
}

export function errorLine(id: string, problem: string | undefined): Html {
  return html`${problem !== undefined && html`<p class="error" id="${id}-error">${problem}</p>`}`
}

export function inputField(options: FieldOptions): Html {
  const id = `f-${options.name}`
  const problem = options.problems?.[options.name]
  return around(
    id,
    options,
    html`<input
      class="input ${options.className}"
      id="${id}"
      name="${options.name}"
      type="${options.type ?? 'text'}"
      ${attribute('value', options.value)}${attribute('autocomplete', options.autocomplete)}${attribute('inputmode', options.inputmode)}${attribute('placeholder', options.placeholder)}${attribute('maxlength', options.maxlength)}${attribute('step', options.step)}${attribute('min', options.min)}${flag('required', options.required === true)}${flag('autofocus', options.autofocus === true)}${describedBy(id, options.hint, problem)}${options.more}
    />`,
  )
}

export function textareaField(options: FieldOptions & { rows?: number }): Html {
  const id = `f-${options.name}`
  return around(
    id,
    options,
    html`<textarea
      class="textarea ${options.className}"
      id="${id}"
      name="${options.name}"
      rows="${options.rows ?? 3}"
      ${attribute('placeholder', options.placeholder)}${describedBy(id, options.hint, options.problems?.[options.name])}
    >
${options.value}</textarea>`,
  )
}

type Choice = readonly [value: string, label: string]

export function selectField(options: FieldOptions & { choices: readonly Choice[] }): Html {
  const id = `f-${options.name}`
  const value = options.value ?? ''
  const choices = options.choices.map(
    ([choice, label]) =>
      html`<option value="${choice}" ${flag('selected', choice === value)}>${label}</option>`,
  )
  return around(
    id,
    options,
    html`<select
      class="select"
      id="${id}"
      name="${options.name}"
      ${flag('required', options.required === true)}${describedBy(id, options.hint, options.problems?.[options.name])}${options.more}
    >
      ${choices}
    </select>`,
  )
}

/** A checkbox, or one of several radio buttons. */
export function choiceField(
  options: Readonly<{
    name: string
    value: string
    label: Piece
    hint?: Piece
    chosen: boolean
    type?: 'checkbox' | 'radio'
  }>,
): Html {
  const id = `f-${options.name}-${options.value.replaceAll(/[^a-z0-9]/gi, '-')}`
  return html`<div class="choice">
    <input
      type="${options.type ?? 'checkbox'}"
      id="${id}"
      name="${options.name}"
      value="${options.value}"
      ${flag('checked', options.chosen)}${options.hint !== undefined && html` aria-describedby="${id}-hint"`}
    />
    <label for="${id}">${options.label}</label>
    ${options.hint !== undefined && html`<p class="hint" id="${id}-hint">${options.hint}</p>`}
  </div>`
}

/**
 * What is wrong with the form as a whole, and a link to each field that is wrong. It is what the page opens on.
 * @param labels of the fields, for messages that do not say which they mean
 * @param focused false where the one field that can be wrong has the focus itself
 */
export function problemSummary(
  visit: Visit,
  problems: Problems,
  { labels = {}, focused = true }: Readonly<{ labels?: Problems; focused?: boolean }> = {},
): Html {
  const { '': general, ...fields } = problems
  const wrong = Object.entries(fields)
  if (general === undefined && wrong.length === 0) return nothing
  return html`<div class="notice notice-bad" role="alert" tabindex="-1" ${flag('autofocus', focused)}>
    ${icon('alert')}
    <div>
      <p>${general ?? visit.t.common.formWrong(wrong.length)}</p>
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

/** A message in a box. */
export function notice(kind: 'good' | 'bad' | 'warn' | 'info', contents: Piece): Html {
  const symbol = { good: 'check', bad: 'alert', warn: 'alert', info: 'info' } as const
  return html`<div class="notice notice-${kind}">
    ${icon(symbol[kind])}
    <div>${contents}</div>
  </div>`
}

/** A button that copies the text of the element with that id. A script shows it. */
export function copyButton(visit: Visit, id: string): Html {
  return html`<button
    type="button"
    class="button button-small no-print"
    data-copy="${id}"
    data-done="${visit.t.common.copied}"
    hidden
  >
    ${icon('copy')}<span data-label>${visit.t.common.copy}</span>
  </button>`
}
