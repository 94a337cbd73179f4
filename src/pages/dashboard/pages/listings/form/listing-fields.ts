/** The fields of a listing's form in the order in which an agency thinks: type and price, place, features, description. */
import { jurisdictions } from '../../../../../listings/addresses/cities/jurisdictions.ts'
import { type Section, sections } from '../../../../../listings/fields/field.ts'
import { featuresOf, type Leaf, leaves } from '../../../../../listings/fields/field-lists.ts'
import { currencies, operations, periods, usualCurrency } from '../../../../../listings/fields/vocabulary.ts'
import { html, type Html, type Piece } from '../../../../../platform/web/html.ts'
import { localeOf } from '../../../../../platform/web/language/language.ts'
import {
  choiceField,
  choiceGroup,
  inputField,
  selectField,
  textareaField,
} from '../../../../framework/fields.ts'
import { fieldLabel, formLabel } from '../../../forms/field-labels.ts'
import { wordFor } from '../listing-parts.ts'
import { placeField, placeShownOf } from '../../../parts/place.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import type { Saved } from './save.ts'

/** @param isBlurred whether public pages blur the place */
type Form = Readonly<{ request: AgencyRequest; saved: Saved; isBlurred?: boolean }>
type Choice = readonly [value: string, label: string]
type Options = Readonly<{ hint?: Piece; placeholder?: string; rows?: number; inputmode?: string }>

/** The most frequent entries of lists, added by a click. They become part of the listing, which is in Spanish. */
const suggestions: Readonly<Record<string, string>> = {
  amenities:
    'Pileta, Parrilla, Quincho, Balcón, Terraza, Patio, Jardín, Cochera cubierta, Baulera, SUM, Gimnasio, Lavadero, ' +
    'Ascensor, Seguridad 24 h, Aire acondicionado, Calefacción central, Losa radiante, Apto profesional',
  'rental.services_included': 'Agua, Luz, Gas, Internet, Cable, Expensas, Limpieza',
}

/** Fields that only rentals have. A script hides them for other listings. */
const rentalsOnly = html` data-only-with="operation rent temporary"`

export function listingFields(form: Form): Html {
  const titles = form.request.t.listingForm.sections
  return html`${sections.map(
    (name) =>
      html`<section class="card stack" id="form-${name}" ${name === 'rental' && rentalsOnly}>
        <h2>${titles[name]}</h2>
        ${laidOut[name]?.(form)}
        ${leaves.filter((leaf) => leaf.section === name && !isLaidOut(leaf)).map((leaf) => leafField(form, leaf))}
      </section>`,
  )}`
}

/** Fields that are laid out by hand, before the others of their section. */
const laidOut: Readonly<Partial<Record<Section, (form: Form) => Html>>> = {
  operation: operationField,
  price: (form) => html`${priceFields(form)}${expensesFields(form)}`,
  place: placeFields,
  features: featureFields,
  rental: rentalFields,
}

function isLaidOut({ path, group }: Leaf): boolean {
  return path === 'operation' || path === 'address' || group !== null
}

function typedField({ request, saved }: Form, name: string) {
  const { typed, problems } = saved
  return { name, label: formLabel(request, name), value: typed[name] ?? '', problems }
}

function input(form: Form, name: string, options: Options = {}): Html {
  // Without a maxlength, which would cut pasted text silently.
  return inputField({ ...typedField(form, name), ...options })
}

function area(form: Form, name: string, options: Options): Html {
  return textareaField({ ...typedField(form, name), ...options })
}

function select(form: Form, name: string, choices: readonly Choice[]): Html {
  return selectField({ ...typedField(form, name), choices })
}

function leafField(form: Form, { path, name, field }: Leaf): Html {
  const { request } = form
  const { common, listingForm } = request.t
  const { hints, examples }: Record<'hints' | 'examples', Readonly<Record<string, string>>> = listingForm
  const options = { hint: hints[path], placeholder: examples[path] }
  const empty: Choice = ['', field.missing === undefined ? listingForm.notSaid : listingForm.choose]
  switch (field.kind) {
    case 'code':
    case 'text':
      return input(form, path, options)
    case 'lines':
      return area(form, path, { ...options, rows: 9 })
    case 'url':
      return input(form, path, { inputmode: 'url', placeholder: 'https://' })
    case 'urls':
      return area(form, path, { ...options, rows: 3 })
    case 'list':
      return listField(form, path)
    case 'count':
      return input(form, path, { inputmode: 'numeric' })
    case 'choice': {
      const words = (field.values ?? []).map((value) => [value, wordFor(request, name, value)] as const)
      return select(form, path, [empty, ...words])
    }
    case 'flag':
      return select(form, path, [empty, ['yes', common.yes], ['no', common.no]])
    default:
      return input(form, path, { inputmode: 'decimal' })
  }
}

function listField(form: Form, name: string): Html {
  const { t } = form.request
  const suggested = suggestions[name]?.split(', ') ?? []
  return html`<div class="stack-s">
    ${area(form, name, { hint: t.listingForm.onePerLine, rows: 4 })}
    <div
      class="chips"
      role="group"
      aria-label="${t.listingForm.suggestions}: ${formLabel(form.request, name)}"
      data-chips="${name}"
      hidden
    >
      ${suggested.map((text) => html`<button type="button" class="chip" lang="${localeOf.es}" aria-pressed="false">${text}</button>`)}
    </div>
  </div>`
}

function operationField({ request, saved: { typed, problems } }: Form): Html {
  const choices = operations.map((value) => {
    const label = request.t.listings.operations[value]
    const chosen = typed['operation'] === value
    return choiceField({ type: 'radio', name: 'operation', value, label, chosen })
  })
  return choiceGroup({
    name: 'operation',
    legend: formLabel(request, 'operation'),
    problems,
    choices: html`<div class="form-row form-row-3">${choices}</div>`,
  })
}

/** @param usual the currency shown if none was chosen; without it, the field asks for a choice */
function currencyField(
  { request, saved }: Form,
  name: 'price.currency' | 'expenses.currency',
  usual: string | undefined,
  more?: Html,
): Html {
  const { chooseShort, currencyOf } = request.t.listingForm
  const value = saved.typed[name] || usual
  const choices = currencies.map((one) => [one, one] as const)
  return selectField({
    name,
    label: html`${fieldLabel(request, name)}<span class="visually-hidden"> ${currencyOf[name]}</span>`,
    value,
    choices: value === undefined ? [['', chooseShort], ...choices] : choices,
    problems: saved.problems,
    more,
  })
}

/** @param ofRental whether the listing is a rental; if absent, the form's operation decides */
export function priceFields(form: Form, ofRental?: boolean): Html {
  const { listings: texts, listingForm: own } = form.request.t
  const { typed } = form.saved
  const withAmount = html` data-never-with="price.on_request yes"`
  // The currency follows the operation (listing-currency.js) as long as none is stored or chosen.
  const usual = Object.fromEntries(operations.map((one) => [one, usualCurrency(one)]))
  const more = typed['price.currency'] ? undefined : html` data-usual="${JSON.stringify(usual)}"`
  const period = select(form, 'price.period', [
    ['', own.notSaid],
    ...periods.map((one) => [one, texts.periods[one] ?? one] as const),
  ])
  return html`<div class="money-row">
      <div ${withAmount}>${input(form, 'price.amount', { inputmode: 'decimal' })}</div>
      <div ${withAmount}>${currencyField(form, 'price.currency', usual[typed['operation'] ?? ''], more)}</div>
      ${ofRental !== false && html`<div ${ofRental === undefined && rentalsOnly}>${period}</div>`}
    </div>
    ${choiceField({ name: 'price.on_request', value: 'yes', label: texts.onRequest, hint: own.onRequestHint, chosen: typed['price.on_request'] === 'yes' })}`
}

function expensesFields(form: Form): Html {
  return html`<div class="money-row">
    ${input(form, 'expenses.amount', { inputmode: 'decimal' })}
    ${currencyField(form, 'expenses.currency', 'ARS')}
  </div>`
}

function placeFields(form: Form): Html {
  const { request, saved, isBlurred = false } = form
  const { choose, hints, examples } = request.t.listingForm
  const own = saved.typed['location.province'] ?? ''
  const usual = jurisdictions.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other, 'es'))
  const provinces = own === '' || usual.includes(own) ? usual : [own, ...usual]
  return html`${input(form, 'address', { hint: hints.address, placeholder: examples.address })}
    <div class="form-row">
      ${input(form, 'location.city')}
      ${select(form, 'location.province', [['', choose], ...provinces.map((name) => [name, name] as const)])}
    </div>
    ${placeField(request, saved, isBlurred)}
    <input type="hidden" name="place_shown_was" value="${placeShownOf(isBlurred)}" />`
}

function featureFields(form: Form): Html {
  const { t, language } = form.request
  const shown = featuresOf('count', 'area', 'choice', 'flag')
  const onLots = shown
    .filter(({ field }) => field.notOn === undefined)
    .map(({ path }) => formLabel(form.request, path))
  return html`<div class="feature-grid">
      ${shown.map(
        (leaf) =>
          html`<div
            ${leaf.field.notOn !== undefined && html` data-never-with="type ${leaf.field.notOn.join(' ')}"`}
          >
            ${leafField(form, leaf)}
          </div>`,
      )}
    </div>
    <p class="hint" data-only-with="type Lote">
      ${t.listingForm.onlyForLots(new Intl.ListFormat(localeOf[language]).format(onLots))}
    </p>`
}

/** Numbers share a row. */
function rentalFields(form: Form): Html {
  const [numbers, rest] = [true, false].map((isNumber) =>
    leaves
      .filter(({ group, field }) => group === 'rental' && (field.kind === 'count') === isNumber)
      .map((leaf) => leafField(form, leaf)),
  )
  return html`<div class="form-row">${numbers}</div>
    ${rest}`
}
