/**
 * The fields of a listing's form, in the order in which an agency thinks: what it is and costs, where it is, what it has, how it is
 * described.
 */
import { jurisdictions } from '../../../listings/addresses/jurisdictions.ts'
import { type Section, sections } from '../../../listings/field.ts'
import { featuresOf, type Leaf, leaves } from '../../../listings/field-lists.ts'
import { currencies, operations, periods, usualCurrency } from '../../../listings/vocabulary.ts'
import { html, type Html, type Piece } from '../../../platform/web/html.ts'
import { localeOf } from '../../../platform/web/language.ts'
import { fieldLabel, formLabel } from '../field-labels.ts'
import { choiceField, choiceGroup, inputField, selectField, textareaField } from '../../framework/fields.ts'
import { wordFor } from '../pages/listing-parts.ts'
import { placeField } from '../place.ts'
import type { AgencyVisit } from '../visit.ts'
import type { Saved } from './saved.ts'
import { suggestions } from './suggestions.ts'

/** @param isBlurred whether public pages show the place approximately */
export type Form = Readonly<{ visit: AgencyVisit; saved: Saved; isBlurred: boolean }>
type PricedForm = Omit<Form, 'isBlurred'>
type Choice = readonly [value: string, label: string]
type Options = Readonly<{ hint?: Piece; placeholder?: string; rows?: number; inputmode?: string }>

/** Fields that only rentals have. A script hides them for the others. */
const rentalsOnly = html` data-only-with="operation rent temporary"`
function input(form: PricedForm, name: string, options: Options = {}): Html {
  // Without a maxlength, which would cut pasted text silently.
  return inputField({ ...typedField(form, name), ...options })
}

function area(form: PricedForm, name: string, options: Options = {}): Html {
  return textareaField({ ...typedField(form, name), ...options })
}

function select(form: PricedForm, name: string, choices: readonly Choice[]): Html {
  return selectField({ ...typedField(form, name), choices })
}

function typedField({ visit, saved }: PricedForm, name: string) {
  const { typed, problems } = saved
  return { name, label: formLabel(visit, name), value: typed[name] ?? '', problems }
}

/** The field of a value by its kind. */
function leafField(form: Form, { path, name, field }: Leaf): Html {
  const { visit } = form
  const { t } = visit
  const own = t.listingForm
  const { hints, examples }: Record<'hints' | 'examples', Readonly<Record<string, string>>> = own
  const hint = hints[path]
  const options = { ...(hint === undefined ? {} : { hint }), placeholder: examples[path] }
  const empty: Choice = ['', field.missing === undefined ? own.notSaid : own.choose]
  switch (field.kind) {
    case 'code':
    case 'text':
      return input(form, path, options)
    case 'lines':
      return area(form, path, { ...options, rows: 9 })
    case 'url':
      return input(form, path, { inputmode: 'url', placeholder: own.urlExample })
    case 'urls':
      return area(form, path, { ...options, rows: 3 })
    case 'list':
      return list(form, path, suggestions[path] ?? [])
    case 'count':
      return input(form, path, { inputmode: 'numeric' })
    case 'area':
    case 'money':
    case 'coordinate':
      return input(form, path, { inputmode: 'decimal' })
    case 'choice':
      return select(form, path, [
        empty,
        ...(field.values ?? []).map((value) => [value, wordFor(visit, name, value)] as const),
      ])
    case 'flag':
      return select(form, path, [empty, ['yes', t.common.yes], ['no', t.common.no]])
  }
}

/** The fields of a section, apart from those laid out by hand. */
function others(form: Form, section: Section): Html[] {
  return leaves
    .filter((leaf) => leaf.section === section && !isLaidOut(leaf))
    .map((leaf) => leafField(form, leaf))
}

const isLaidOut = ({ path, group }: Leaf): boolean =>
  path === 'operation' || path === 'address' || group !== null

const contents: Readonly<Record<Section, (form: Form) => Piece>> = {
  operation: (form) => [operationField(form), ...others(form, 'operation')],
  price: (form) => [priceFields(form), expensesFields(form), ...others(form, 'price')],
  place: (form) => [placeFields(form), ...others(form, 'place')],
  features: featureFields,
  texts: (form) => others(form, 'texts'),
  more: (form) => others(form, 'more'),
  rental: rentalFields,
  system: (form) => others(form, 'system'),
}

export function listingFields(form: Form): Html {
  const titles = form.visit.t.listingForm.sections
  return html`${sections.map(
    (name) =>
      html`<section class="card stack" id="form-${name}" ${name === 'rental' && rentalsOnly}>
        <h2>${titles[name]}</h2>
        ${contents[name](form)}
      </section>`,
  )}`
}

function operationField(form: Form): Html {
  const { t } = form.visit
  const { typed, problems } = form.saved
  const choices = operations.map((one) =>
    choiceField({
      type: 'radio',
      name: 'operation',
      value: one,
      label: t.listings.operations[one],
      chosen: typed['operation'] === one,
    }),
  )
  return choiceGroup({
    name: 'operation',
    legend: formLabel(form.visit, 'operation'),
    problems,
    choices: html`<div class="form-row form-row-3">${choices}</div>`,
  })
}

/** @param usual the currency shown where none was chosen; empty asks for a choice */
function currency(
  { visit, saved }: PricedForm,
  name: 'price.currency' | 'expenses.currency',
  usual: string,
  more?: Html,
): Html {
  const { t } = visit
  const value = saved.typed[name] || usual
  return selectField({
    name,
    label: html`${fieldLabel(visit, name)}<span class="visually-hidden">
        ${t.listingForm.currencyOf[name]}</span
      >`,
    value,
    choices: [
      ...(value === '' ? [['', t.listingForm.chooseShort] as const] : []),
      ...currencies.map((one) => [one, one] as const),
    ],
    problems: saved.problems,
    ...(more && { more }),
  })
}

/** The currency follows the operation (listing-currency.js) as long as none is stored or chosen. */
function priceCurrency(form: PricedForm): Html {
  const { operation = '', 'price.currency': chosen = '' } = form.saved.typed
  const usual = Object.fromEntries(operations.map((one) => [one, usualCurrency(one)]))
  return currency(
    form,
    'price.currency',
    usual[operation] ?? '',
    html`${chosen === '' && html` data-usual="${JSON.stringify(usual)}"`}`,
  )
}

/** @param ofRental whether the listing is a rental; without it, the operation that the form has decides */
export function priceFields(form: PricedForm, ofRental?: boolean): Html {
  const { t } = form.visit
  const texts = t.listings
  const own = t.listingForm
  const withAmount = html` data-never-with="price.on_request yes"`
  const choices = [
    ['', own.notSaid] as const,
    ...periods.map((one) => [one, texts.periods[one] ?? one] as const),
  ]
  return html`<div class="money-row">
      <div ${withAmount}>${input(form, 'price.amount', { inputmode: 'decimal' })}</div>
      <div ${withAmount}>${priceCurrency(form)}</div>
      ${
        ofRental !== false &&
        html`<div ${ofRental === undefined && rentalsOnly}>${select(form, 'price.period', choices)}</div>`
      }
    </div>
    ${choiceField({ name: 'price.on_request', value: 'yes', label: texts.onRequest, hint: own.onRequestHint, chosen: form.saved.typed['price.on_request'] === 'yes' })}`
}

function expensesFields(form: Form): Html {
  return html`<div class="money-row">
    ${input(form, 'expenses.amount', { inputmode: 'decimal' })} ${currency(form, 'expenses.currency', 'ARS')}
  </div>`
}

/** The usual names, by the alphabet; and what the listing has, if it is another. */
function provinces(own: string): Choice[] {
  const names = jurisdictions.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other, 'es'))
  return (own === '' || names.includes(own) ? names : [own, ...names]).map((name) => [name, name])
}

function placeFields(form: Form): Html {
  const { visit, saved, isBlurred } = form
  const { typed, problems, listing } = saved
  const texts = visit.t.listingForm
  const choice = visit.form.get('place_shown')
  const shownAgain = new URLSearchParams(choice === null ? {} : { place_shown: choice })
  for (const name of ['location.lat', 'location.lng']) shownAgain.set(name, typed[name] ?? '')
  return html`${input(form, 'address', { hint: texts.hints.address, placeholder: texts.examples.address })}
    <div class="form-row">
      ${input(form, 'location.city')}
      ${select(form, 'location.province', [['', texts.choose], ...provinces(typed['location.province'] ?? '')])}
    </div>
    ${placeField(visit, listing, { isBlurred, typed: shownAgain, problems })}
    <input type="hidden" name="place_shown_was" value="${isBlurred ? 'approximate' : 'exact'}" />`
}

function featureFields(form: Form): Html {
  const { t, language } = form.visit
  const shown = featuresOf('count', 'area', 'choice', 'flag')
  const onLots = shown
    .filter(({ field }) => field.notOn === undefined)
    .map(({ path }) => formLabel(form.visit, path))
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

/** A list, one a line, with suggestions to add by a click: words for the listing, which is in Spanish. */
function list(form: Form, name: string, suggested: readonly string[]): Html {
  const { t } = form.visit
  return html`<div class="stack-s">
    ${area(form, name, { hint: t.listingForm.onePerLine, rows: 4 })}
    <div
      class="chips"
      role="group"
      aria-label="${t.listingForm.suggestions}: ${formLabel(form.visit, name)}"
      data-chips="${name}"
      hidden
    >
      ${suggested.map((text) => html`<button type="button" class="chip" lang="${localeOf.es}" aria-pressed="false">${text}</button>`)}
    </div>
  </div>`
}

function rentalFields(form: Form): Html {
  const terms = leaves.filter(({ group }) => group === 'rental')
  const [numbers, rest] = [true, false].map((wanted) =>
    terms.filter(({ field }) => (field.kind === 'count') === wanted).map((leaf) => leafField(form, leaf)),
  )
  return html`<div class="form-row">${numbers}</div>
    ${rest} ${others(form, 'rental')}`
}
