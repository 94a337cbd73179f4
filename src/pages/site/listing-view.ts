/**
 * A listing's page (api.md 9.1): all of it as the agency wrote it, as plain text.
 */
import type { PublicAgency } from '../../agencies/public-agency.ts'
import type { Listing } from '../../listings/listing.ts'
import type { PublicListing } from '../../listings/public.ts'
import { flag, html, type Html } from '../../platform/web/html.ts'
import { excerpt, isWebUrl, oneLine } from '../../platform/web/text.ts'
import { licenceFoot } from './about-agency.ts'
import { breadcrumbs, type Crumb } from '../framework/breadcrumbs.ts'
import { cards } from './card.ts'
import { contactPart, outsideLink, quickestContact, type Subject } from './contact.ts'
import {
  type Detail,
  details,
  factLine,
  keyFacts,
  offered,
  kindOf,
  priceLine,
  pricePerArea,
  rentalTerms,
  whatAndWhere,
} from './facts.ts'
import { gallery, photoBase } from './gallery.ts'
import { siteDocument } from './site-document.ts'
import { hasMap, placeSection } from './place-view.ts'
import type { Phrases } from './phrases-es.ts'
import { previewOf } from './preview.ts'
import { sharePart } from './share.ts'
import { agencyPath, type Edition, listingPath } from './site.ts'
import { breadcrumbData, listingData } from './structured-data.ts'

/** @param similar other listings of the agency */
export function listingPage(
  edition: Edition,
  agency: PublicAgency,
  listing: PublicListing,
  similar: readonly PublicListing[],
): Html {
  const { site, words, format, path } = edition
  const title = oneLine(listing.title ?? '')
  const crumbs = crumbsOf(edition, agency, listing)
  const about = subject(edition, agency, listing)
  return siteDocument(edition, {
    title: `${title} · ${agency.name}`,
    description: summary(edition, listing),
    path: listingPath(agency.slug, listing.public_id),
    image: previewOf(site, listing, title),
    isTest: agency.test,
    brand: { name: agency.name, path: agencyPath(agency.slug) },
    data: [listingData(edition, agency, listing), breadcrumbData(edition, crumbs)],
    accent: agency.accent,
    foot: licenceFoot(agency, words),
    base: photoBase(site, listing),
    scripts: ['first.js', 'gallery.js', 'share.js', 'contact.js'],
    hasMap: hasMap(edition, listing),
    body: html`${gallery(listing, edition)}
      <article class="listing wide">
        <header class="head">
          ${breadcrumbs(words.breadcrumbs, crumbs.slice(0, -1), path, title)}
          <p class="eyebrow" dir="auto">${whatAndWhere(listing, edition)}</p>
          <h1 dir="auto">${title}</h1>
          ${listing.address !== null && html`<p class="address" dir="auto">${oneLine(listing.address)}</p>`}
          <p class="note">
            ${words.code(listing.public_id)}${listing.published_at !== null && ` · ${words.publishedOn(format.longDate(listing.published_at))}`}
          </p>
          ${sharePart(edition, about)}
        </header>
        ${offer(edition, agency, listing, about)}
        <div class="about">
          ${factTiles(edition, listing)}${description(listing, words)}${amenities(listing, words)}${rows(words.rentalTerms, rentalTerms(listing, edition))}${rows(words.details, details(listing, edition))}${media(listing, words)}${placeSection(edition, listing)}
        </div>
      </article>
      ${others(edition, agency, listing, similar)}${bar(edition, agency, listing, about)}`,
  })
}

/** The text of a search result or preview. */
function summary(edition: Edition, listing: Listing): string {
  const { amount, period } = priceLine(listing, edition)
  const head = [
    offered(listing, edition),
    period === null ? amount : `${amount} ${period}`,
    factLine(listing, edition),
  ]
  return excerpt([...head.filter((text) => text !== ''), listing.description ?? ''].join('. '), 200)
}

function priceBlock(edition: Edition, listing: Listing): Html {
  const { amount, period } = priceLine(listing, edition)
  return html`<p class="price">${amount}${period !== null && html` <span>${period}</span>`}</p>`
}

function subject({ url }: Edition, agency: PublicAgency, listing: Listing): Subject {
  return {
    title: excerpt(listing.title ?? '', 80),
    code: listing.public_id,
    url: url(listingPath(agency.slug, listing.public_id)),
  }
}

/** From the agency to the listing, by what others of its kind are found by. */
function crumbsOf({ words }: Edition, agency: PublicAgency, listing: Listing): Crumb[] {
  const path = agencyPath(agency.slug)
  const kind = kindPath(agency, listing, words)
  return [
    [agency.name, path],
    ...(kind === null ? [] : [kind]),
    [oneLine(listing.title ?? ''), listingPath(agency.slug, listing.public_id)],
  ]
}

/** The agency's listings of the same type and operation. */
function kindPath(agency: PublicAgency, listing: Listing, words: Phrases): Crumb | null {
  const { operation, type } = listing
  const name = kindOf(listing, words)
  if (name === null) return null
  const query = new URLSearchParams({ operation: operation ?? '', type: type ?? '' })
  return [name, `${agencyPath(agency.slug)}?${query}`]
}

function offer(edition: Edition, agency: PublicAgency, listing: Listing, about: Subject): Html {
  const { words, format } = edition
  const { expenses_amount: fees, expenses_currency: currency } = listing
  const perArea = pricePerArea(listing, edition)
  return html`<aside class="offer" aria-label="${words.price}">
    ${listing.reserved && html`<p class="badge">${words.reserved}</p>`}${priceBlock(edition, listing)}
    ${perArea !== null && html`<p class="expenses">${perArea}</p>`}${fees !== null && html`<p class="expenses">${words.expenses(format.money(fees, currency))}</p>`}
    ${contactPart(edition, agency, about)}
  </aside>`
}

function factTiles(edition: Edition, listing: Listing): Html | null {
  const facts = keyFacts(listing, edition)
  if (facts.length === 0) return null
  return html`<ul class="facts" aria-label="${edition.words.mainFacts}">
    ${facts.map(({ value, label }) => html`<li><strong>${value}</strong> <span>${label}</span></li> `)}
  </ul> `
}

function description({ description: text }: Listing, words: Phrases): Html | null {
  if (text === null) return null
  return html`<section>
    <h2>${words.description}</h2>
    <div class="words" dir="auto">${text}</div>
  </section> `
}

function amenities({ amenities: names }: Listing, words: Phrases): Html | null {
  if (names.length === 0) return null
  return html`<section>
    <h2>${words.amenities}</h2>
    <ul class="amenities" dir="auto">
      ${names.map((name) => html`<li>${oneLine(name)}</li>`)}
    </ul>
  </section> `
}

function rows(title: string, list: readonly Detail[]): Html | null {
  if (list.length === 0) return null
  return html`<section>
    <h2>${title}</h2>
    <dl class="rows">
      ${list.map(
        ({ label, value, ownWords }) =>
          html`<div><dt>${label}</dt><dd${flag('dir="auto"', ownWords === true)}>${value}</dd></div>
`,
      )}
    </dl>
  </section> `
}

function media({ video_url, video_urls, virtual_tour_url }: Listing, words: Phrases): Html | null {
  const videos = [...new Set([video_url, ...video_urls])].filter(isWebUrl)
  const links = videos.map((url, index) => ({ url, label: words.video(index + 1, videos.length) }))
  if (isWebUrl(virtual_tour_url)) links.push({ url: virtual_tour_url, label: words.tour })
  if (links.length === 0) return null
  return html`<section>
    <h2>${words.media}</h2>
    <ul class="links">
      ${links.map(({ url, label }) => html`<li>${outsideLink(url, label)}</li> `)}
    </ul>
  </section> `
}

function others(
  edition: Edition,
  agency: PublicAgency,
  listing: PublicListing,
  similar: readonly PublicListing[],
): Html | null {
  if (similar.length === 0) return null
  const { words, path } = edition
  const kind = kindPath(agency, listing, words)
  return html`<section class="more wide">
    <h2>${words.similar}</h2>
    ${cards(edition, agency.slug, similar, 'below')}
    <p class="onward">
      ${kind !== null && html`<a class="button quiet" href="${path(kind[1])}">${kind[0]}</a> `}<a
        class="button quiet"
        href="${path(agencyPath(agency.slug))}"
        >${words.allOfAgency}</a
      >
    </p>
  </section> `
}

/** Price and contact, in sight while a small screen scrolls. */
function bar(edition: Edition, agency: PublicAgency, listing: Listing, about: Subject): Html | null {
  const { words } = edition
  const link = quickestContact(agency, words, about)
  if (link === null) return null
  return html`<aside class="bar" aria-label="${words.contact}">
    ${priceBlock(edition, listing)}${link}
  </aside> `
}
