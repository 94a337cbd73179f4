/** The search on an agency's page: form, filters in use, order, and suggestions if nothing is found. It works without scripts. */
import { textLimits } from '../../../limits/sizes.ts'
import type { PublishedKinds } from '../../../listings/reading/public.ts'
import { currencies, operations, types } from '../../../listings/fields/vocabulary.ts'
import { attributes, flag, html, type Html, nothing } from '../../../platform/web/html.ts'
import { oneLine } from '../../../platform/web/language/text.ts'
import {
  filterLabel,
  type FilterName,
  type Search,
  searchQuery,
  shownFilters,
  sorts,
  withoutFilter,
} from './filters.ts'
import type { Edition } from '../frame/site.ts'

/** A search, and the path of its page. */
export type ShownSearch = Readonly<{ edition: Edition; action: string; search: Search }>

/** A filter in use, in a few words. */
function chipLabel({ words, format }: Edition, { filters }: Search, name: FilterName): string {
  const value = filters[name] ?? ''
  const text = typeof value === 'number' ? format.number(value) : oneLine(value)
  const money = format.money(Number(value), filters.currency ?? null)
  const { chips } = words
  const labels: Partial<Record<FilterName, string | undefined>> = {
    operation: words.operations[text],
    type: words.types[text]?.[1],
    q: chips.q(text),
    bedrooms: chips.bedrooms(text),
    bathrooms: chips.bathrooms(text),
    min_m2: chips.from(`${text} m²`),
    max_m2: chips.to(`${text} m²`),
    currency: chips.currency(text),
    min_price: chips.from(money),
    max_price: chips.to(money),
  }
  return labels[name] ?? text
}

/** All filters of a search as a line, for a title. */
export function searchLine(edition: Edition, search: Search): string {
  return shownFilters(search)
    .map((name) => chipLabel(edition, search, name))
    .join(', ')
}

/** @param kinds what the agency publishes: other operations and types are not offered */
export function searchForm({ edition, action, search }: ShownSearch, kinds: PublishedKinds): Html {
  const { words, format, label } = edition
  const { filters, sort, refused } = search
  const invalid = (name: FilterName) => flag('aria-invalid="true"', refused.has(name))
  const labelled = (text: string, control: Html, className?: string) =>
    html`<label ${attributes({ class: className })}>${text}${control}</label>`
  const input = (name: FilterName, text: string, more: Html, className?: string) => {
    const value = filters[name] ?? refused.get(name) ?? ''
    return labelled(text, html`<input name="${name}" ${more} value="${value}" />`, className)
  }
  const amount = (name: FilterName, text: string) =>
    input(name, text, html`inputmode="decimal" maxlength="20" autocomplete="off" ${invalid(name)}`)
  const select = (
    name: FilterName,
    any: string,
    values: readonly string[],
    textOf: (value: string) => string | undefined,
    className?: string,
  ) => {
    const chosen = String(filters[name] ?? '')
    const option = (value: string, text = value) =>
      html`<option value="${value}" ${flag('selected', value === chosen)}>${text}</option>`
    const control = html`<select name="${name}" ${invalid(name)}>
      ${option('', any)}${values.map((value) => option(value, textOf(value)))}
    </select>`
    return labelled(filterLabel(edition, name), control, className)
  }
  const published = (name: 'operation' | 'type', all: readonly string[]) =>
    all.filter((value) => value === filters[name] || kinds.some((kind) => kind[name] === value))
  const atLeast = (name: 'bedrooms' | 'bathrooms', max: number) => {
    const offered = Array.from({ length: max }, (_, index) => index + 1)
    const counts = new Set([...offered, ...(filters[name] === undefined ? [] : [filters[name]])])
    const textOf = (count: string) => words.orMore(format.number(Number(count)))
    return select(name, words.anyOne, [...counts].map(String), textOf)
  }
  const range = (title: string, min: FilterName, max: FilterName, before: Html = nothing) =>
    html`<fieldset class="row">
      <legend>${title}</legend>
      ${before}${amount(min, words.from)}${amount(max, words.to)}
    </fieldset>`
  const currency = select('currency', words.any, currencies, (name) => name, 'row')
  const chosen = shownFilters(search).filter((name) => name !== 'q').length
  return html`<form
    class="search"
    role="search"
    aria-label="${words.filters}"
    action="${action}"
    method="get"
  >
    <div class="ask">
      ${input('q', filterLabel(edition, 'q'), html`type="search" maxlength="${textLimits.locality}" placeholder="${words.wordsHint}"`)}
      <button class="button">${words.search}</button>
    </div>
    <details class="filters">
      <summary>${words.moreFilters}${chosen > 0 && html` <span class="tally">${chosen}</span>`}</summary>
      <div class="fields">
        ${select('operation', words.any, published('operation', operations), (name) => words.operations[name])}
        ${select('type', words.anyOne, published('type', types), (name) => words.types[name]?.[1])}
        ${input('city', label('location.city'), html`maxlength="${textLimits.locality}" autocomplete="address-level2"`, 'row')}
        ${atLeast('bedrooms', 5)} ${atLeast('bathrooms', 4)}
        ${range(label('price'), 'min_price', 'max_price', currency)} ${range(words.area, 'min_m2', 'max_m2')}
        <button class="button row">${words.show}</button>
      </div>
    </details>
    ${sort !== 'recent' && html`<input type="hidden" name="sort" value="${sort}" />`}
  </form>`
}

/** Notes on filters that were ignored or contradict each other. */
export function searchNotes({ edition, search }: ShownSearch): Html | null {
  const { words } = edition
  const { min_price: cheapest, max_price: dearest, min_m2: min, max_m2: max } = search.filters
  const notes = [...search.refused].map(([name, value]) =>
    words.filterRefused(filterLabel(edition, name), oneLine(value)),
  )
  if (cheapest !== undefined && dearest !== undefined && cheapest > dearest) notes.push(words.pricesCrossed)
  if (min !== undefined && max !== undefined && min > max) notes.push(words.areasCrossed)
  if (notes.length === 0) return null
  return html`<div class="notes" role="status">${notes.map((text) => html`<p dir="auto">${text}</p> `)}</div>`
}

/** The filters in use, each a link to the search without it. */
export function searchChips({ edition, action, search }: ShownSearch): Html | null {
  const names = shownFilters(search)
  if (names.length === 0) return null
  const { words } = edition
  return html`<ul class="chips" aria-label="${words.chips.chosen}">
    ${names.map((name) => {
      const label = chipLabel(edition, search, name)
      return html`<li>
        <a
          class="chip"
          rel="nofollow"
          href="${action}${searchQuery(withoutFilter(search, name))}"
          aria-label="${words.chips.remove(label)}"
          ><span dir="auto">${label}</span></a
        >
      </li> `
    })}
    ${names.length > 1 && html`<li><a class="clear" href="${action}">${words.clear}</a></li>`}
  </ul> `
}

/** The order, as links. */
export function searchOrder({ edition, action, search }: ShownSearch): Html {
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
export type Relaxed = Readonly<{ name: FilterName; total: number }>

/** @param relaxed of a search that found nothing */
export function nothingFound({ edition, action, search }: ShownSearch, relaxed: readonly Relaxed[]): Html {
  const { words, format } = edition
  const offers = relaxed.filter(({ total }) => total > 0)
  return html`<div class="nothing">
    <p>${words.nothingFound}</p>
    ${
      offers.length === 0
        ? html`<p class="note">${words.nothingFoundHint}</p>
            <p><a class="button quiet" href="${action}">${words.clear}</a></p>`
        : html`<p class="note">${words.relax}</p>
            <ul class="relax">
              ${offers.map(
                ({ name, total }) =>
                  html`<li>
                    <a rel="nofollow" href="${action}${searchQuery(withoutFilter(search, name))}" dir="auto"
                      >${words.relaxed(chipLabel(edition, search, name), format.number(total))}</a
                    >
                  </li> `,
              )}
            </ul>`
    }
  </div>`
}
