/** An agency's page (api.md 18.1): its published listings, a form to search them, and links to further pages. */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import type { PublicListing, PublishedKinds } from '../../../listings/reading/public.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { isWebUrl } from '../../../platform/web/language/text.ts'
import { aboutAgency, leadOf, licenceFoot, logo } from './about-agency.ts'
import { cards } from './card.ts'
import { contactLinks, enquiryLink, outsideLink } from './contact.ts'
import { isFiltered, type Search, searchQuery } from './filters.ts'
import { siteDocument } from '../frame/site-document.ts'
import { listingsMap } from './listings-map.ts'
import type { Phrases } from '../phrases/phrases.ts'
import { logoPreview, previewOf } from '../listing/preview.ts'
import {
  type ShownSearch,
  type Relaxed,
  nothingFound,
  searchChips,
  searchForm,
  searchLine,
  searchNotes,
  searchOrder,
} from './search-view.ts'
import { agencyPath, type Edition } from '../frame/site.ts'
import { agencyData } from '../listing/structured-data.ts'

type SearchResult = Readonly<{
  listings: readonly PublicListing[]
  total: number
  totalPages: number
  kinds: PublishedKinds
  /** For a search that found nothing. */
  relaxed: readonly Relaxed[]
}>

export function agencyPage(
  edition: Edition,
  agency: PublicAgency,
  search: Search,
  found: SearchResult,
): Html {
  const { words, format } = edition
  const { listings, total, totalPages } = found
  const path = agencyPath(agency.slug)
  const lead = leadOf(agency)
  const shown = { edition, action: edition.path(path), search }
  const filtered = isFiltered(search)
  // Without any published listing there is nothing to search.
  const hasAny = found.kinds.length > 0 || filtered || search.refused.size > 0
  const isWhole = !filtered && search.refused.size === 0 && search.sort === 'recent'
  const count = format.number(total)
  const tagline = words.publishedCount(count)
  const paged = totalPages > 1 ? ` · ${words.page(search.page, totalPages)}` : ''
  const cover = previewOf(edition.site, listings[0], agency.name)
  const ownLogo = logoPreview(edition.site, agency)
  const titles = [searchLine(edition, search), agency.name].filter((text) => text !== '')
  const nothing = () =>
    filtered ? nothingFound(shown, found.relaxed) : html`<p class="nothing">${words.nothingPublished}</p>`
  const results = listings.length > 0 ? cards(edition, agency.slug, listings, 'found') : nothing()
  return siteDocument(edition, {
    title: `${titles.join(' · ')}${search.page > 1 ? paged : ''}`,
    description: `${words.agencySummary(agency.name)} ${filtered ? words.found(count) : tagline}.`,
    path: path + searchQuery(search),
    // A search shows a part of the same listings: search engines keep the pages of the whole list.
    indexed: isWhole && listings.length > 0,
    // A shared search shows its results, the shared page the agency.
    image: filtered ? (cover ?? ownLogo) : (ownLogo ?? cover),
    agency,
    data: agencyData(edition, agency, listings),
    scripts: [
      'first.js',
      'search.js',
      ...(edition.site.deps.config.mapTiles === null ? [] : ['listings-map.js']),
    ],
    foot: licenceFoot(agency, words),
    heading: html`<div class="agency-title">
      ${logo(edition, agency)}
      <h1 dir="auto">${agency.name}</h1>
    </div>`,
    body: html`<div class="wide">
      <div class="agency-head">
        ${lead !== null && html`<p class="lead" dir="auto">${lead}</p>`}
        <div class="reach">
          ${contactLinks(agency, words, null)}${enquiryLink(edition, agency, null)}${isWebUrl(agency.website) && outsideLink(agency.website, words.website)}
        </div>
      </div>
      <div class="${hasAny && 'find'}">
        ${hasAny && searchForm(shown, found.kinds)}
        <div class="found">
          ${searchNotes(shown)}
          <div class="found-head">
            ${hasAny && html`<p class="count" role="status">${filtered ? words.found(count) : tagline}${paged}</p>`}
            ${total > 1 && searchOrder(shown)}
          </div>
          ${searchChips(shown)}${listings.length > 0 && listingsMap(edition, agency, search)}${results}${totalPages > 1 && pageLinks(shown, totalPages, words)}
        </div>
      </div>
      ${aboutAgency(agency, words)}
    </div> `,
  })
}

function pageLinks({ action, search }: ShownSearch, totalPages: number, words: Phrases): Html {
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
