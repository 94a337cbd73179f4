/** A listing's page (api.md 9.1): all its data as the agency wrote it, as plain text. */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import type { PublicListing } from '../../../listings/reading/public.ts'
import { breadcrumbs, type Crumb } from '../../framework/breadcrumbs.ts'
import { licenceFoot } from '../agency/about-agency.ts'
import { similarListings } from '../agency/card.ts'
import { contactPart, outsideLink, quickestContact, type Subject } from '../agency/contact.ts'
import {
  type Detail,
  details,
  factLine,
  keyFacts,
  kindOf,
  offered,
  priceLine,
  pricePerArea,
  rentalTerms,
  whatAndWhere,
} from './facts.ts'
import { gallery, photoBase } from './gallery.ts'
import { hasMap, placeSection } from './place-view.ts'
import { previewOf } from './preview.ts'
import { sharePart } from './share.ts'
import { siteDocument } from '../frame/site-document.ts'
import { agencyPath, type Edition, listingPath } from '../frame/site.ts'
import { breadcrumbData, listingData } from './structured-data.ts'
import { flag, html, type Html, type Piece } from '../../../platform/web/html.ts'
import { excerpt, isWebUrl, oneLine } from '../../../platform/web/language/text.ts'

/** @param similar other listings of the agency */
export function listingView(
  edition: Edition,
  agency: PublicAgency,
  listing: PublicListing,
  similar: readonly PublicListing[],
): Html {
  const { site, words, format, label } = edition
  const title = oneLine(listing.title ?? '')
  const path = listingPath(agency.slug, listing.public_id)
  const home: Crumb = [agency.name, agencyPath(agency.slug)]
  const kind = kindCrumb(edition, agency, listing)
  const links = [...kind, [words.allOfAgency, agencyPath(agency.slug)] as const].map(
    ([name, to]) => html`<a class="button quiet" href="${edition.path(to)}">${name}</a> `,
  )
  const onward = html`<p class="onward">${links}</p>`
  const crumbs: Crumb[] = [home, ...kind, [title, path]]
  const about: Subject = {
    title: excerpt(listing.title ?? '', 80),
    code: listing.public_id,
    url: edition.url(path),
  }
  const { description, amenities } = listing
  return siteDocument(edition, {
    title: `${title} · ${agency.name}`,
    description: summary(edition, listing),
    path,
    image: previewOf(site, listing, title),
    agency,
    data: [listingData(edition, agency, listing), breadcrumbData(edition, crumbs)],
    foot: licenceFoot(agency, words),
    base: photoBase(site, listing),
    scripts: ['first.js', 'gallery.js', 'share.js', 'contact.js'],
    hasMap: hasMap(edition, listing),
    body: html`${gallery(listing, edition)}
      <article class="listing wide">
        <header class="head">
          ${breadcrumbs(words.breadcrumbs, crumbs.slice(0, -1), edition.path, title)}
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
          ${factTiles(edition, listing)}${
            description !== null &&
            section(label('description'), html`<div class="words" dir="auto">${description}</div>`)
          }${
            amenities.length > 0 &&
            section(
              label('amenities'),
              html`<ul class="amenities" dir="auto">
                ${amenities.map((name) => html`<li>${oneLine(name)}</li>`)}
              </ul>`,
            )
          }${rows(words.rentalTerms, rentalTerms(listing, edition))}${rows(words.details, details(listing, edition))}${media(edition, listing)}${placeSection(edition, listing)}
        </div>
      </article>
      ${similarListings(edition, agency.slug, similar, onward)}${bar(edition, agency, listing, about)}`,
  })
}

function section(title: string, body: Html): Html {
  return html`<section>
    <h2>${title}</h2>
    ${body}
  </section> `
}

/** The text of a search result or preview. */
function summary(edition: Edition, listing: PublicListing): string {
  const { amount, period } = priceLine(listing, edition)
  const head = [
    offered(listing, edition),
    period === null ? amount : `${amount} ${period}`,
    factLine(listing, edition),
  ]
  return excerpt([...head.filter((text) => text !== ''), listing.description ?? ''].join('. '), 200)
}

function priceBlock(edition: Edition, listing: PublicListing): Html {
  const { amount, period } = priceLine(listing, edition)
  return html`<p class="price">${amount}${period !== null && html` <span>${period}</span>`}</p>`
}

/** The agency's listings of the same type and operation; none if either is unknown. */
function kindCrumb({ words }: Edition, agency: PublicAgency, listing: PublicListing): Crumb[] {
  const { operation, type } = listing
  const name = kindOf(listing, words)
  const query = new URLSearchParams({ operation: operation ?? '', type: type ?? '' })
  return name === null ? [] : [[name, `${agencyPath(agency.slug)}?${query}`]]
}

function offer(edition: Edition, agency: PublicAgency, listing: PublicListing, about: Subject): Html {
  const { words, format, label } = edition
  const { expenses_amount: fees, expenses_currency: currency } = listing
  const perArea = pricePerArea(listing, edition)
  return html`<aside class="offer" aria-label="${label('price')}">
    ${listing.reserved && html`<p class="badge">${label('reserved')}</p>`}${priceBlock(edition, listing)}
    ${perArea !== null && html`<p class="expenses">${perArea}</p>`}${fees !== null && html`<p class="expenses">${words.expenses(format.money(fees, currency))}</p>`}
    ${contactPart(edition, agency, about)}
  </aside>`
}

function factTiles(edition: Edition, listing: PublicListing): Piece {
  const facts = keyFacts(listing, edition).map(
    ({ value, label }) => html`<li><strong>${value}</strong> <span>${label}</span></li> `,
  )
  return (
    facts.length > 0 &&
    html`<ul class="facts" aria-label="${edition.words.mainFacts}">
      ${facts}
    </ul> `
  )
}

function rows(title: string, list: readonly Detail[]): Piece {
  const items = list.map(
    ({ label, value, ownWords }) =>
      html`<div><dt>${label}</dt><dd${flag('dir="auto"', ownWords === true)}>${value}</dd></div>
`,
  )
  return list.length > 0 && section(title, html`<dl class="rows">${items}</dl>`)
}

function media({ words, label }: Edition, listing: PublicListing): Piece {
  const { video_url, video_urls, virtual_tour_url: tour } = listing
  const videos = [...new Set([video_url, ...video_urls])].filter(isWebUrl)
  const links = videos.map((url, index) => outsideLink(url, words.video(index + 1, videos.length)))
  if (isWebUrl(tour)) links.push(outsideLink(tour, label('virtual_tour_url')))
  const items = links.map((link) => html`<li>${link}</li> `)
  return (
    links.length > 0 &&
    section(
      words.media,
      html`<ul class="links">
        ${items}
      </ul>`,
    )
  )
}

/** Price and contact, visible while a small screen scrolls. */
function bar(edition: Edition, agency: PublicAgency, listing: PublicListing, about: Subject): Html | null {
  const link = quickestContact(agency, edition.words, about)
  if (link === null) return null
  return html`<aside class="bar" aria-label="${edition.words.contact}">
    ${priceBlock(edition, listing)}${link}
  </aside> `
}
