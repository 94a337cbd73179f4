/**
 * The fields of a listing's form, in the order in which an agency thinks: what it is and costs, where it is, what it has, how it is
 * described.
 */
import { jurisdictions } from '../../../listings/addresses/jurisdictions.ts'
import {
  currencies,
  dispositions,
  type FeatureName,
  lotFeatures,
  operations,
  orientations,
  periods,
  types,
  usualCurrency,
} from '../../../listings/vocabulary.ts'
import { html, type Html, type Piece } from '../../../platform/web/html.ts'
import { localeOf } from '../../../platform/web/language.ts'
import { choiceField, choiceGroup, inputField, selectField, textareaField } from '../../framework/fields.ts'
import { placeField } from '../place.ts'
import type { AgencyVisit } from '../visit.ts'
import type { Saved } from './saved.ts'
import * as suggestions from './suggestions.ts'

/** @param isBlurred whether public pages show the place approximately */
export type Form = Readonly<{ visit: AgencyVisit; saved: Saved; isBlurred: boolean }>
type Choice = readonly [value: string, label: string]
type Options = Readonly<{ hint?: Piece; placeholder?: string; rows?: number; inputmode?: string }>

/** Fields that only rentals have. A script hides them for the others. */
const rentalsOnly = html` data-only-with="operation rent temporary"`
const notForLots = html` data-never-with="type Lote"`

function input({ saved }: Pick<Form, 'saved'>, name: string, label: string, options: Options = {}): Html {
  // Without a maxlength, which cuts what is pasted and says nothing: what is too long is told.
  return inputField({ name, label, value: saved.typed[name] ?? '', problems: saved.problems, ...options })
}

function area({ saved }: Pick<Form, 'saved'>, name: string, label: string, options: Options = {}): Html {
  return textareaField({ name, label, value: saved.typed[name] ?? '', problems: saved.problems, ...options })
}

function select(
  { saved }: Pick<Form, 'saved'>,
  name: string,
  label: string,
  choices: readonly Choice[],
): Html {
  return selectField({ name, label, value: saved.typed[name] ?? '', choices, problems: saved.problems })
}

function section(id: string, title: string, contents: Piece, attributes: Piece = null): Html {
  return html`<section class="card stack" id="${id}" ${attributes}>
    <h2>${title}</h2>
    ${contents}
  </section>`
}

export function listingFields(form: Form): Html {
  const { sections } = form.visit.t.listingForm
  return html`${section('form-operation', sections.operation, operationFields(form))}
  ${section('form-price', sections.price, html`${priceFields(form)}${expensesFields(form)}`)}
  ${section('form-place', sections.place, placeFields(form))}
  ${section('form-features', sections.features, featureFields(form))}
  ${section('form-texts', sections.texts, textFields(form))}
  ${section('form-more', sections.more, moreFields(form))}
  ${section('form-rental', sections.rental, rentalFields(form), rentalsOnly)}
  ${section('form-system', sections.system, systemFields(form))}`
}

function operationFields(form: Form): Html {
  const { t } = form.visit
  const { typed, problems } = form.saved
  const texts = t.listings
  const choices = operations.map((one) =>
    choiceField({
      type: 'radio',
      name: 'operation',
      value: one,
      label: texts.operations[one],
      chosen: typed['operation'] === one,
    }),
  )
  return html`${choiceGroup({ name: 'operation', legend: texts.operation, problems, choices: html`<div class="form-row form-row-3">${choices}</div>` })}
  ${select(form, 'type', texts.type, [['', t.listingForm.choose], ...types.map((one) => [one, texts.types[one]?.[0] ?? one] as const)])}`
}

/** @param usual what is shown where nothing was chosen; empty asks for a choice */
function currency(
  { visit, saved }: Pick<Form, 'visit' | 'saved'>,
  name: 'price.currency' | 'expenses.currency',
  usual: string,
  more?: Html,
): Html {
  const { t } = visit
  const value = saved.typed[name] || usual
  return selectField({
    name,
    label: html`${t.listings.currency}<span class="visually-hidden">
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
function priceCurrency(form: Pick<Form, 'visit' | 'saved'>): Html {
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
export function priceFields(form: Omit<Form, 'isBlurred'>, ofRental?: boolean): Html {
  const { t } = form.visit
  const texts = t.listings
  const own = t.listingForm
  const withAmount = html` data-never-with="price.on_request yes"`
  const choices = [
    ['', own.notSaid] as const,
    ...periods.map((one) => [one, texts.periods[one] ?? one] as const),
  ]
  return html`<div class="money-row">
      <div ${withAmount}>${input(form, 'price.amount', own.amount, { inputmode: 'decimal' })}</div>
      <div ${withAmount}>${priceCurrency(form)}</div>
      ${
        ofRental !== false &&
        html`<div ${ofRental === undefined && rentalsOnly}>
          ${select(form, 'price.period', own.period, choices)}
        </div>`
      }
    </div>
    ${choiceField({ name: 'price.on_request', value: 'yes', label: texts.onRequest, hint: own.onRequestHint, chosen: form.saved.typed['price.on_request'] === 'yes' })}`
}

function expensesFields(form: Form): Html {
  const { t } = form.visit
  return html`<div class="money-row">
    ${input(form, 'expenses.amount', t.listings.expenses, { inputmode: 'decimal' })}
    ${currency(form, 'expenses.currency', 'ARS')}
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
  return html`${input(form, 'address', texts.addressLabel, { hint: texts.addressHint, placeholder: texts.addressExample })}
    <div class="form-row">
      ${input(form, 'location.city', visit.t.listings.city)}
      ${select(form, 'location.province', visit.t.listings.province, [['', texts.choose], ...provinces(typed['location.province'] ?? '')])}
    </div>
    ${placeField(visit, listing, { isBlurred, typed: shownAgain, problems })}
    <input type="hidden" name="place_shown_was" value="${isBlurred ? 'approximate' : 'exact'}" />`
}

const counts = ['rooms', 'bedrooms', 'bathrooms', 'garages', 'age_years'] as const
const areas = ['total_m2', 'covered_m2'] as const
const flags = ['credit_eligible', 'pet_friendly', 'furnished'] as const

function featureFields(form: Form): Html {
  const { t } = form.visit
  const texts = t.listings
  const own = t.listingForm
  const named = (name: FeatureName): [string, string] => [`features.${name}`, texts.features[name]]
  const said: Choice[] = [
    ['', own.notSaid],
    ['yes', t.common.yes],
    ['no', t.common.no],
  ]
  const words = (values: readonly string[], of: Readonly<Record<string, string>>): Choice[] => [
    ['', own.notSaid],
    ...values.map((value) => [value, of[value] ?? value] as const),
  ]
  const fields: readonly (readonly [FeatureName, Html])[] = [
    ...counts.map((name) => [name, input(form, ...named(name), { inputmode: 'numeric' })] as const),
    ...areas.map((name) => [name, input(form, ...named(name), { inputmode: 'decimal' })] as const),
    ['disposition', select(form, ...named('disposition'), words(dispositions, texts.dispositions))],
    ['orientation', select(form, ...named('orientation'), words(orientations, texts.orientations))],
    ...flags.map((name) => [name, select(form, ...named(name), said)] as const),
  ]
  return html`<div class="feature-grid">
      ${fields.map(([name, field]) => html`<div ${!lotFeatures.has(name) && notForLots}>${field}</div>`)}
    </div>
    <p class="hint" data-only-with="type Lote">${own.onlyForLots}</p>`
}

function textFields(form: Form): Html {
  const { t } = form.visit
  const texts = t.listingForm
  return html`${input(form, 'title', t.missing.title, { placeholder: texts.titleExample })}
  ${area(form, 'description', t.listings.description, { hint: texts.descriptionHint, rows: 9 })}`
}

/** A list, one a line, with what can be added by a click: words for the listing, which is in Spanish. */
function list(form: Form, name: string, label: string, suggested: readonly string[]): Html {
  const { t } = form.visit
  return html`<div class="stack-s">
    ${area(form, name, label, { hint: t.listingForm.onePerLine, rows: 4 })}
    <div
      class="chips"
      role="group"
      aria-label="${t.listingForm.suggestions}: ${label}"
      data-chips="${name}"
      hidden
    >
      ${suggested.map((text) => html`<button type="button" class="chip" lang="${localeOf.es}" aria-pressed="false">${text}</button>`)}
    </div>
  </div>`
}

function moreFields(form: Form): Html {
  const { t } = form.visit
  const texts = t.listingForm
  const url = { inputmode: 'url', placeholder: texts.urlExample }
  return html`${list(form, 'amenities', t.listings.amenities, suggestions.amenities)}
  ${input(form, 'video_url', texts.mainVideo, url)}
  ${area(form, 'video_urls', texts.moreVideos, { hint: texts.moreVideosHint, rows: 3 })}
  ${input(form, 'virtual_tour_url', texts.tour, url)}`
}

function rentalFields(form: Form): Html {
  const { t } = form.visit
  const texts = t.listingForm
  return html`<div class="form-row">
      ${input(form, 'rental.min_stay', texts.minStay, { inputmode: 'numeric' })}
      ${input(form, 'rental.min_lease_months', texts.minLease, { inputmode: 'numeric' })}
    </div>
    ${list(form, 'rental.services_included', t.listings.services, suggestions.services)}`
}

function systemFields(form: Form): Html {
  const { t } = form.visit
  return input(form, 'external_id', t.listings.externalId, { hint: t.listingForm.externalIdHint })
}

/** What a unit or field is called. */
export function labelOf({ t }: Pick<AgencyVisit, 't'>, name: string): string {
  const [first = '', second = ''] = name.split('.', 2)
  const own = t.listingForm
  const labels: Record<string, string> = {
    ...t.listings.fields,
    ...own.fields,
    'price.period': own.period,
    video_urls: own.moreVideos,
    'rental.min_stay': own.minStay,
    'rental.min_lease_months': own.minLease,
    'rental.services_included': t.listings.services,
  }
  const features = t.listings.features as Record<string, string>
  return (first === 'features' ? features[second] : undefined) ?? labels[name] ?? labels[first] ?? name
}
