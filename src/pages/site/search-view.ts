/**
 * The search on an agency's page: the form, the filters in use, the order, and what to do where nothing is found. All of it works
 * without scripts: a form that is sent, and links.
 */
import type { PublishedKinds } from '../../listings/public.ts'
import { currencies, operations, types } from '../../listings/vocabulary.ts'
import { flag, html, type Html } from '../../platform/web/html.ts'
import { oneLine } from '../../platform/web/text.ts'
import { type FilterName, namedFilters, type Search, searchQuery, sorts, without } from './filters.ts'
import type { Phrases } from './phrases-es.ts'
import type { Edition } from './site.ts'

/** A search, and the path of the page that it is on. */
export type Asking = Readonly<{ edition: Edition; action: string; search: Search }>

/** The name of a filter, for beside its value. */
function nameOf(name: FilterName, words: Phrases): string {
  const { operation, type, city, words: q, bedrooms, bathrooms, currency } = words
  const { minArea: min_m2, maxArea: max_m2, minPrice: min_price, maxPrice: max_price } = words
  return { operation, type, city, q, bedrooms, bathrooms, min_m2, max_m2, currency, min_price, max_price }[
    name
  ]
}

/** A filter in use, in a few words. */
function labelOf({ words, format }: Edition, { filters }: Search, name: FilterName): string {
  const { chips } = words
  const value = oneLine(String(filters[name] ?? ''))
  const number = format.number(Number(value))
  switch (name) {
    case 'operation':
      return words.operations[value] ?? value
    case 'type':
      return words.types[value]?.[1] ?? value
    case 'city':
      return value
    case 'q':
    case 'currency':
      return chips[name](value)
    case 'bedrooms':
    case 'bathrooms':
      return chips[name](number)
    case 'min_m2':
      return chips.from(`${number} m²`)
    case 'max_m2':
      return chips.to(`${number} m²`)
    case 'min_price':
    case 'max_price': {
      const money = format.money(Number(value), filters.currency ?? null)
      return name === 'min_price' ? chips.from(money) : chips.to(money)
    }
  }
}

/** The filters with a chip of their own: a currency belongs to the prices beside it. */
function shownFilters(search: Search): FilterName[] {
  const { min_price: least, max_price: most } = search.filters
  const hasPrice = (least ?? most) !== undefined
  return namedFilters(search).filter((name) => name !== 'currency' || !hasPrice)
}

/** All filters of a search as a line, for a title. */
export function searchLine(edition: Edition, search: Search): string {
  return shownFilters(search)
    .map((name) => labelOf(edition, search, name))
    .join(', ')
}

/** @param kinds what the agency publishes: other operations and types are not offered */
export function searchForm({ edition, action, search }: Asking, kinds: PublishedKinds): Html {
  const { words, format } = edition
  const { filters, sort, refused } = search
  const option = (value: string, label: string, chosen: unknown) =>
    html`<option value="${value}" ${flag('selected', value === String(chosen ?? ''))}>${label}</option>`
  const select = (name: FilterName, any: string, choices: readonly (readonly [string, string])[]) =>
    html`<select name="${name}" ${flag('aria-invalid="true"', refused.has(name))}>
      ${option('', any, filters[name])}${choices.map(([value, label]) => option(value, label, filters[name]))}
    </select>`
  const published = (name: 'operation' | 'type', all: readonly string[]) =>
    all.filter((value) => value === filters[name] || kinds.some((kind) => kind[name] === value))
  const atLeast = (name: 'bedrooms' | 'bathrooms', most: number) => {
    const offered = Array.from({ length: most }, (_, index) => index + 1)
    const asked = filters[name]
    const counts = asked === undefined || offered.includes(asked) ? offered : [...offered, asked]
    return select(
      name,
      words.anyNumber,
      counts.map((count) => [String(count), words.orMore(format.number(count))]),
    )
  }
  const number = (name: FilterName, label: string) =>
    html`<label
      >${label}<input
        name="${name}"
        inputmode="decimal"
        maxlength="20"
        autocomplete="off"
        value="${filters[name] ?? refused.get(name) ?? ''}"
        ${flag('aria-invalid="true"', refused.has(name))}
    /></label>`
  const chosen = shownFilters(search).filter((name) => name !== 'q').length
  return html`<form
    class="search"
    role="search"
    aria-label="${words.filters}"
    action="${action}"
    method="get"
  >
    <div class="ask">
      <label
        >${words.words}<input
          type="search"
          name="q"
          maxlength="80"
          placeholder="${words.wordsHint}"
          value="${filters.q ?? refused.get('q') ?? ''}"
      /></label>
      <button class="button">${words.search}</button>
    </div>
    <details class="filters">
      <summary>${words.moreFilters}${chosen > 0 && html` <span class="tally">${chosen}</span>`}</summary>
      <div class="fields">
        <label
          >${words.operation}${select(
            'operation',
            words.any,
            published('operation', operations).map((name) => [name, words.operations[name] ?? name]),
          )}</label
        >
        <label
          >${words.type}${select(
            'type',
            words.anyType,
            published('type', types).map((name) => [name, words.types[name]?.[1] ?? name]),
          )}</label
        >
        <label class="row"
          >${words.city}<input
            name="city"
            maxlength="80"
            autocomplete="address-level2"
            value="${filters.city ?? refused.get('city') ?? ''}"
        /></label>
        <label>${words.bedrooms}${atLeast('bedrooms', 5)}</label>
        <label>${words.bathrooms}${atLeast('bathrooms', 4)}</label>
        <fieldset class="row">
          <legend>${words.price}</legend>
          <label class="row"
            >${words.currency}${select(
              'currency',
              words.any,
              currencies.map((name) => [name, name]),
            )}</label
          >
          ${number('min_price', words.from)}${number('max_price', words.to)}
        </fieldset>
        <fieldset class="row">
          <legend>${words.area}</legend>
          ${number('min_m2', words.from)}${number('max_m2', words.to)}
        </fieldset>
        <button class="button row">${words.show}</button>
      </div>
    </details>
    ${sort !== 'recent' && html`<input type="hidden" name="sort" value="${sort}" />`}
  </form>`
}

/** Notes on filters that were ignored, or that contradict each other. */
export function searchNotes({ edition, search }: Asking): Html | null {
  const { words } = edition
  const { min_price: cheapest, max_price: dearest, min_m2: least, max_m2: most } = search.filters
  const notes = [...search.refused].map(([name, value]) =>
    words.filterRefused(nameOf(name, words), oneLine(value)),
  )
  if (cheapest !== undefined && dearest !== undefined && cheapest > dearest) notes.push(words.pricesCrossed)
  if (least !== undefined && most !== undefined && least > most) notes.push(words.areasCrossed)
  if (notes.length === 0) return null
  return html`<div class="notes" role="status">${notes.map((text) => html`<p dir="auto">${text}</p> `)}</div>`
}

/** The filters in use, each a link to the search without it. */
export function searchChips({ edition, action, search }: Asking): Html | null {
  const names = shownFilters(search)
  if (names.length === 0) return null
  const { words } = edition
  return html`<ul class="chips" aria-label="${words.chips.chosen}">
    ${names.map((name) => {
      const label = labelOf(edition, search, name)
      return html`<li>
        <a
          class="chip"
          rel="nofollow"
          href="${action}${searchQuery(without(search, name))}"
          aria-label="${words.chips.remove(label)}"
          ><span dir="auto">${label}</span></a
        >
      </li> `
    })}
    ${names.length > 1 && html`<li><a class="clear" href="${action}">${words.clear}</a></li>`}
  </ul> `
}

/** The order, as links. */
export function searchOrder({ edition, action, search }: Asking): Html {
  const { words } = edition
  return html`<nav class="orders" aria-label="${words.sort}">
    ${sorts.map((sort) => {
      const label = words.sorts[sort] ?? sort
      if (sort === search.sort) return html`<span aria-current="true">${label}</span> `
      return html`<a rel="nofollow" href="${action}${searchQuery({ ...search, sort, page: 1 })}"
        >${label}</a
      > `
    })}
  </nav> `
}

/** How many listings a search finds without one of its filters. */
export type Loosened = Readonly<{ name: FilterName; total: number }>

/** @param loosened of a search that found nothing */
export function nothingFound({ edition, action, search }: Asking, loosened: readonly Loosened[]): Html {
  const { words, format } = edition
  const offers = loosened.filter(({ total }) => total > 0)
  return html`<div class="nothing">
    <p>${words.nothingFound}</p>
    ${
      offers.length === 0
        ? html`<p class="note">${words.nothingFoundHint}</p>
            <p><a class="button quiet" href="${action}">${words.clear}</a></p>`
        : html`<p class="note">${words.loosen}</p>
            <ul class="loosen">
              ${offers.map(
                ({ name, total }) =>
                  html`<li>
                    <a rel="nofollow" href="${action}${searchQuery(without(search, name))}" dir="auto"
                      >${words.loosened(labelOf(edition, search, name), format.number(total), total === 1)}</a
                    >
                  </li> `,
              )}
            </ul>`
    }
  </div>`
}

/**
 * The filters in the order in which one of them is likely to be why a search found nothing. What is typed freely matches least, then
 * bounds, of which the highest price comes first; type and operation are chosen from what the agency has.
 */
const likelyCauses: readonly FilterName[] = [
  'q',
  'city',
  'max_price',
  'min_price',
  'bedrooms',
  'bathrooms',
  'min_m2',
  'max_m2',
  'currency',
  'type',
  'operation',
]

/** The filters without which a search that found nothing may find something, the likeliest first. */
export function looseable(search: Search): FilterName[] {
  const shown = shownFilters(search)
  return likelyCauses.filter((name) => shown.includes(name))
}
