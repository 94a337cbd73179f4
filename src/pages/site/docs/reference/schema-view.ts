/** A schema as a list of fields: name, type, limits and meaning, nested for objects. Named schemas link to their own section. */
import { html, type Html, joined, nothing, type Piece } from '../../../../platform/web/html.ts'
import { modelName, type Schema } from './openapi-document.ts'
import { inlineMarkdown } from '../markdown.ts'

/** The fields of an object, or the type of anything else. @param label of the list, for screen readers */
export function schemaView(schema: Schema, label: string): Html {
  const shapes = schema.anyOf ?? []
  if (shapes.length > 0 && shapes.every(({ properties }) => properties !== undefined))
    return html`${shapes.map(
      (shape) =>
        html`<p class="is">${inlineMarkdown(shape.description ?? '')}</p>
          ${schemaView(shape, `${label} ${shape.description ?? ''}`)}`,
    )}`
  if (schema.properties === undefined) return html`<p class="is">${typeOf(schema)}${limitsOf(schema)}</p>`
  const required = new Set(schema.required)
  return html`<ul class="fields" aria-label="${label}">
    ${Object.entries(schema.properties).map(([name, field]) => fieldView(name, field, required.has(name)))}
  </ul>`
}

/** A field, parameter or header. `isRequired`: leaving it out is an error, or it is always present. */
export function fieldView(name: string, schema: Schema, isRequired: boolean, id?: string): Html {
  const inner = innerObject(schema)
  return html`<li ${id !== undefined && html`id="${id}"`}>
    <p>
      <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${
        isRequired && html` <span class="required">required</span>`
      }${limitsOf(schema)}
    </p>
    ${schema.description !== undefined && html`<p class="means">${inlineMarkdown(schema.description)}</p>`}${
      inner !== null &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${schemaView(inner, `Fields of ${name}`)}
      </details>`
    }
  </li>`
}

/** The object whose fields are shown below a field. */
function innerObject(schema: Schema): Schema | null {
  if (schema.properties !== undefined) return schema
  if (schema.items !== undefined) return innerObject(schema.items)
  const [only, ...others] = (schema.oneOf ?? schema.anyOf ?? []).filter((one) => one.properties !== undefined)
  return others.length === 0 ? (only ?? null) : null
}

/** In words: `string or null`, `list of Property`. */
function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) return modelLink(schema.$ref)
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return joined(choices.map(typeOf), ' or ')
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum !== undefined)
    return html`one of
    ${joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      ', ',
    )}`
  const names = [schema.type ?? 'anything'].flat().map((type): Piece => {
    if (type === 'array') return schema.items === undefined ? 'list' : html`list of ${typeOf(schema.items)}`
    return schema.format === 'date-time' && type === 'string' ? 'date and time' : type
  })
  return joined(names, ' or ')
}

function modelLink(reference: string): Html {
  const name = modelName(reference)
  return html`<a href="#model-${name}">${name}</a>`
}

const grouped = new Intl.NumberFormat('en-US')

/** Length, size, number of items. */
function limitsOf(schema: Schema): Html {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, items } = schema
  const limits = [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    exclusiveMinimum !== undefined && `more than ${grouped.format(exclusiveMinimum)}`,
    range(minItems, maxItems, 'items'),
    items?.maxLength !== undefined && `each up to ${grouped.format(items.maxLength)} characters`,
    schema.format === 'uri' && 'URL',
  ].filter((limit) => limit !== false && limit !== null)
  return limits.length === 0 ? nothing : html` <span class="limits">${limits.join('; ')}</span>`
}

function range(from: number | undefined, to: number | undefined, unit: string): string | null {
  const text = (value: number) => grouped.format(value).replace('-', '−')
  const suffix = unit === '' ? '' : ` ${unit}`
  if (from !== undefined && to !== undefined) return `${text(from)} to ${text(to)}${suffix}`
  if (to !== undefined) return `up to ${text(to)}${suffix}`
  return from === undefined ? null : `at least ${text(from)}${suffix}`
}
