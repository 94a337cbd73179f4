/** Form fields, each with its label, hint, typed value and problem. */
import { attributes, flag, html, type Html, type Piece } from '../../platform/web/html.ts'

/** Field → its problem. The empty name is the whole form. */
export type FieldProblems = Readonly<Record<string, string>>

export const noProblems: FieldProblems = {}

type FieldOptions = Readonly<
  {
    name: string
    label: Piece
    hint?: Piece
    value?: string
    problems?: FieldProblems
    type?: string
    required?: boolean
    autofocus?: boolean
    maxlength?: number
    className?: string
    /** Further attributes. */
    more?: Html
  } & Partial<Record<'autocomplete' | 'inputmode' | 'placeholder' | 'min', string>>
>

type Described = Pick<FieldOptions, 'name' | 'hint' | 'problems'>

export function fieldId(name: string): string {
  return `f-${name}`
}

/** Names the hint and the problem for screen readers. */
function description({ name, hint, problems }: Described): Html {
  const id = fieldId(name)
  const isWrong = problems?.[name] !== undefined
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(isWrong ? [`${id}-error`] : [])]
  return attributes({
    'aria-describedby': ids.length > 0 && ids.join(' '),
    'aria-invalid': isWrong && 'true',
  })
}

/** The hint and the problem as text. */
function afterField({ name, hint, problems }: Described): Html {
  const id = fieldId(name)
  return html`${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  ${errorLine(id, problems?.[name])}`
}

function labelled(options: FieldOptions, field: Html): Html {
  return html`<div class="field">
    <label for="${fieldId(options.name)}">${options.label}</label>
    ${field} ${afterField(options)}
  </div>`
}

/** Checkboxes or radio buttons that belong together. @param options `choices`: `choiceField`s */
export function choiceGroup(options: Described & Readonly<{ legend: string; choices: Piece }>): Html {
  return html`<fieldset class="field" id="${fieldId(options.name)}" tabindex="-1" ${description(options)}>
    <legend class="legend">${options.legend}</legend>
    ${options.choices} ${afterField(options)}
  </fieldset>`
}

export function errorLine(id: string, problem: string | undefined): Html {
  return html`${problem !== undefined && html`<p class="error" id="${id}-error">${problem}</p>`}`
}

export function inputField(options: FieldOptions): Html {
  const { name, label: _label, hint: _hint, problems: _problems, className, more, ...own } = options
  return labelled(
    options,
    html`<input
      class="input ${className}"
      id="${fieldId(name)}"
      name="${name}"
      ${attributes({ type: 'text', ...own })}${description(options)}${more}
    />`,
  )
}

export function textareaField(options: FieldOptions & { rows?: number }): Html {
  const { name, rows = 3, placeholder, maxlength, required } = options
  return labelled(
    options,
    html`<textarea
      class="textarea"
      id="${fieldId(name)}"
      name="${name}"
      rows="${rows}"
      ${attributes({ placeholder, maxlength, required })}${description(options)}
    >
${options.value}</textarea>`,
  )
}

type Choice = readonly [value: string, label: string]

export function selectField(options: FieldOptions & { choices: readonly Choice[] }): Html {
  const { name, value = '', required } = options
  return labelled(
    options,
    html`<select
      class="select"
      id="${fieldId(name)}"
      name="${name}"
      ${attributes({ required })}${description(options)}${options.more}
    >
      ${options.choices.map(
        ([choice, label]) =>
          html`<option value="${choice}" ${flag('selected', choice === value)}>${label}</option>`,
      )}
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
  const { name, value, label, hint, chosen, type = 'checkbox' } = options
  const id = fieldId(`${name}-${value.replaceAll(/[^a-z0-9]/gi, '-')}`)
  const describedBy = hint !== undefined && `${id}-hint`
  return html`<div class="choice">
    <input
      type="${type}"
      id="${id}"
      name="${name}"
      value="${value}"
      ${attributes({ checked: chosen, 'aria-describedby': describedBy })}
    />
    <label for="${id}">${label}</label>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`
}
