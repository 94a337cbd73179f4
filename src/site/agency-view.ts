/**
 * An agency's page (api.md 18.1): its published listings, a form to search them, and links to further pages.
 */
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { Listing } from '../properties/listing.ts'
import { photoUrls } from '../properties/serialize.ts'
import { currencies, operations, types } from '../properties/vocabulary.ts'
import { flag, html, type Html } from '../web/html.ts'
import { aboutAgency, licenceFoot } from './about-agency.ts'
import { card } from './card.ts'
import { contactLinks, websiteLink } from './contact.ts'
import { isFiltered, type Search, searchQuery, sorts } from './filters.ts'
import { layout } from './layout.ts'
import type { Phrases } from './phrases-es.ts'
import { agencyPath, type Edition } from './site.ts'
import { agencyData } from './structured-data.ts'

type SearchResult = { listings: readonly Listing[]; total: number; totalPages: number }

export function agencyPage(
  edition: Edition,
  agency: PublicAgency,
  search: Search,
  { listings, total, totalPages }: SearchResult,
): Html {
  const { site, words, format } = edition
  const path = agencyPath(agency.slug)
  const action = edition.path(path)
  const filtered = isFiltered(search)
  const { page, sort } = search
  const [cover] = listings.map((listing) => photoUrls(listing, site.deps.config.publicBaseUrl)[0])
  const count = format.number(total)
  const tagline = words.agencyTagline(count, total === 1)
  const paged = totalPages > 1 ? ` · ${words.page(page, totalPages)}` : ''
  return layout(edition, {
    title: `${agency.name}${page > 1 ? paged : ''}`,
    description: `${words.agencySummary(agency.name)} ${tagline}.`,
    // A search shows some of the same listings: engines keep the whole list.
    path: filtered || sort !== 'recent' ? path : path + searchQuery(search),
    switchPath: path + searchQuery(search),
    indexed: !filtered && sort === 'recent' && listings.length > 0,
    image: cover === undefined ? null : { url: cover, alt: agency.name },
    isTest: agency.test,
    brand: { name: agency.name, path },
    data: agencyData(edition, agency, listings),
    accent: agency.accent,
    foot: licenceFoot(agency, words),
    body: html`<div class="wide">
      <header class="agency-head">
        <h1 dir="auto">${agency.name}</h1>
        <div class="reach">${contactLinks(agency, words, null)}${websiteLink(agency, words)}</div>
      </header>
      ${form(action, search, words)}
      <p class="count" role="status">
        ${filtered ? words.found(count, total === 1) : tagline}${paged}${filtered && html` <a href="${action}">${words.clear}</a>`}
      </p>
      ${
        listings.length === 0
          ? nothingShown(filtered, words)
          : html`<ul class="cards">
              ${listings.map((listing, place) => card(edition, agency.slug, listing, { heading: 'h2', isUrgent: place < 3 }))}
            </ul>`
      }
      ${totalPages > 1 && pageLinks(action, search, totalPages, words)} ${aboutAgency(agency, words)}
    </div> `,
  })
}

function form(action: string, { filters, sort }: Search, words: Phrases): Html {
  const option = (value: string, label: string, chosen: string | undefined) =>
    html`<option value="${value}" ${flag('selected', value === (chosen ?? ''))}>${label}</option>`
  const operationOptions = operations.map((name) =>
    option(name, words.operations[name] ?? name, filters.operation),
  )
  const typeOptions = types.map((name) => option(name, words.types[name]?.[1] ?? name, filters.type))
  const isOpen = filters.city !== undefined || filters.currency !== undefined || sort !== 'recent'
  return html`<form class="search" role="search" aria-label="${words.filters}" action="${action}" method="get">
<div class="fields">
<label class="grow">${words.words}<input type="search" name="q" maxlength="80" placeholder="${words.wordsHint}" value="${filters.q ?? ''}"></label>
<label>${words.operation}<select name="operation">${option('', words.any, filters.operation)}${operationOptions}</select></label>
<label>${words.type}<select name="type">${option('', words.anyType, filters.type)}${typeOptions}</select></label>
<button class="button">${words.search}</button>
</div>
<details${flag('open', isOpen)}><summary>${words.moreFilters}</summary>
<div class="fields">
<label class="grow">${words.city}<input name="city" maxlength="80" autocomplete="address-level2" value="${filters.city ?? ''}"></label>
<label>${words.currency}<select name="currency">${option('', words.any, filters.currency)}${currencies.map((name) => option(name, name, filters.currency))}</select></label>
<label>${words.minPrice}<input name="min_price" inputmode="numeric" pattern="[0-9]*" maxlength="13" value="${filters.min_price ?? ''}"></label>
<label>${words.maxPrice}<input name="max_price" inputmode="numeric" pattern="[0-9]*" maxlength="13" value="${filters.max_price ?? ''}"></label>
<label>${words.sort}<select name="sort">${sorts.map((name) => option(name, words.sorts[name] ?? name, sort))}</select></label>
</div>
</details>
</form>`
}

function nothingShown(filtered: boolean, words: Phrases): Html {
  if (!filtered) return html`<p class="nothing">${words.nothingPublished}</p>`
  return html`<div class="nothing">
    <p>${words.nothingFound}</p>
    <p class="note">${words.nothingFoundHint}</p>
  </div>`
}

function pageLinks(action: string, search: Search, totalPages: number, words: Phrases): Html {
  const { page } = search
  const link = (target: number, label: string, rel: string) =>
    html`<a class="button quiet" rel="${rel}" href="${action}${searchQuery({ ...search, page: target })}"
      >${label}</a
    >`
  return html`<nav class="pages" aria-label="${words.pages}">
    ${page > 1 ? link(page - 1, words.previous, 'prev') : html`<span></span>`}
    <span>${words.page(page, totalPages)}</span>
    ${page < totalPages ? link(page + 1, words.next, 'next') : html`<span></span>`}
  </nav> `
}
