/**
 * What an agency's page shows (spec 'Property', `agency.url`): its published listings, a form to search them, and pages.
 */
import { html } from './html.ts'
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { Listing } from '../properties/listing.ts'
import { photoUrls } from '../properties/serialize.ts'
import { currencies, operations, types } from '../properties/vocabulary.ts'
import { card } from './card.ts'
import { contactLinks, websiteLink } from './contact.ts'
import { isFiltered, type Search, searchQuery, sorts } from './filters.ts'
import { number } from './format.ts'
import type { PageLanguage } from '../web/language.ts'
import { phrases } from './language.ts'
import { layout } from './layout.ts'
import type { Phrases } from './phrases-es.ts'
import { agencyPath, pathIn, type Site } from './site.ts'
import { agencyData } from './structured-data.ts'

export type Found = { listings: readonly Listing[]; total: number; totalPages: number }

export function agencyPage(
  site: Site,
  language: PageLanguage,
  agency: PublicAgency,
  search: Search,
  found: Found,
): string {
  const words = phrases(language)
  const path = agencyPath(agency.slug)
  const filtered = isFiltered(search)
  const { page, sort } = search
  const cover = found.listings.map((listing) => photoUrls(listing, site.deps.config.publicBaseUrl)[0])[0]
  const count = number(found.total, words)
  const counted = filtered
    ? words.found(count, found.total === 1)
    : words.agencyTagline(count, found.total === 1)
  const paged = found.totalPages > 1 ? ` · ${words.page(page, found.totalPages)}` : ''
  return layout(site, language, {
    title: `${agency.name}${page > 1 ? paged : ''}`,
    description: `${words.agencySummary(agency.name)} ${words.agencyTagline(count, found.total === 1)}.`,
    // A search is a view of the same listings: engines keep the whole.
    path: filtered || sort !== 'recent' ? path : path + searchQuery(search),
    switchPath: path + searchQuery(search),
    indexed: !filtered && sort === 'recent' && found.listings.length > 0,
    image: cover === undefined ? null : { address: cover, alt: agency.name },
    brand: { name: agency.name, path },
    data: agencyData(site, language, agency, found.listings),
    body: html`<div class="wide">
      <header class="agency-head">
        <h1 dir="auto">${agency.name}</h1>
        <div class="reach">!${contactLinks(agency, words, null)}!${websiteLink(agency, words)}</div>
      </header>
      !${form(pathIn(site, language, path), search, words)}
      <p class="count" role="status">
        ${counted}${paged}!${filtered ? html` <a href="${pathIn(site, language, path)}">${words.clear}</a>` : ''}
      </p>
      !${
        found.listings.length === 0
          ? nothing(filtered, words)
          : html`<ul class="cards">
              !${found.listings.map((listing, place) => card(site, language, agency.slug, listing, { heading: 'h2', isUrgent: place < 3 }))}
            </ul>`
      }
      !${pages(pathIn(site, language, path), search, found, words)}
    </div> `,
  })
}

function form(action: string, { filters, sort }: Search, words: Phrases): string {
  const option = (value: string, label: string, chosen: string | undefined) =>
    html`<option value="${value}" !${value === (chosen ?? '') ? ' selected' : ''}>${label}</option>`
  const operationOptions = operations.map((name) =>
    option(name, words.operations[name] ?? name, filters.operation),
  )
  const typeOptions = types.map((name) => option(name, words.types[name]?.[1] ?? name, filters.type))
  const isOpen =
    filters.city !== undefined || filters.currency !== undefined || sort !== 'recent' ? ' open' : ''
  return html`<form class="search" role="search" aria-label="${words.filters}" action="${action}" method="get">
<div class="fields">
<label class="grow">${words.words}<input type="search" name="q" maxlength="80" placeholder="${words.wordsHint}" value="${filters.q ?? ''}"></label>
<label>${words.operation}<select name="operation">!${option('', words.any, filters.operation)}!${operationOptions}</select></label>
<label>${words.type}<select name="type">!${option('', words.anyType, filters.type)}!${typeOptions}</select></label>
<button class="button">${words.search}</button>
</div>
<details!${isOpen}><summary>${words.moreFilters}</summary>
<div class="fields">
<label class="grow">${words.city}<input name="city" maxlength="80" autocomplete="address-level2" value="${filters.city ?? ''}"></label>
<label>${words.currency}<select name="currency">!${option('', words.any, filters.currency)}!${currencies.map((name) => option(name, name, filters.currency))}</select></label>
<label>${words.minPrice}<input name="min_price" inputmode="numeric" pattern="[0-9]*" maxlength="13" value="${filters.min_price ?? ''}"></label>
<label>${words.maxPrice}<input name="max_price" inputmode="numeric" pattern="[0-9]*" maxlength="13" value="${filters.max_price ?? ''}"></label>
<label>${words.sort}<select name="sort">!${sorts.map((name) => option(name, words.sorts[name] ?? name, sort))}</select></label>
</div>
</details>
</form>`
}

function nothing(filtered: boolean, words: Phrases): string {
  if (!filtered) return html`<p class="nothing">${words.nothingPublished}</p>`
  return html`<div class="nothing">
    <p>${words.nothingFound}</p>
    <p class="note">${words.nothingFoundHint}</p>
  </div>`
}

function pages(path: string, search: Search, { totalPages }: Found, words: Phrases): string {
  if (totalPages < 2) return ''
  const { page } = search
  const link = (target: number, label: string, rel: string) =>
    html`<a class="button quiet" rel="${rel}" href="${path}${searchQuery({ ...search, page: target })}"
      >${label}</a
    >`
  return html`<nav class="pages" aria-label="${words.pages}">
    !${page > 1 ? link(page - 1, words.previous, 'prev') : '<span></span>'}
    <span>${words.page(page, totalPages)}</span>
    !${page < totalPages ? link(page + 1, words.next, 'next') : '<span></span>'}
  </nav> `
}
