/**
 * What a listing's page shows (spec 'Property'): all of it as the agency wrote it, as plain text.
 */
import { html } from './html.ts'
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { Listing } from '../properties/listing.ts'
import { photoUrls } from '../properties/serialize.ts'
import { card } from './card.ts'
import { contactLinks, quickestContact, type Subject } from './contact.ts'
import { type Detail, details, factLine, keyFacts, rentalTerms } from './facts.ts'
import { excerpt, isWebAddress, money, offered, oneLine, placeOf, priceLine } from './format.ts'
import { gallery, photoBase } from './gallery.ts'
import type { PageLanguage } from '../web/language.ts'
import { phrases } from './language.ts'
import { layout } from './layout.ts'
import type { Phrases } from './phrases-es.ts'
import { addressIn, agencyPath, listingPath, pathIn, type Site } from './site.ts'
import { listingData } from './structured-data.ts'

/** @param more other listings of the agency */
export function listingPage(
  site: Site,
  language: PageLanguage,
  agency: PublicAgency,
  listing: Listing,
  more: readonly Listing[],
): string {
  const words = phrases(language)
  const path = listingPath(agency.slug, listing.public_id)
  const title = oneLine(listing.title ?? '')
  const [cover] = photoUrls(listing, site.deps.config.publicBaseUrl)
  return layout(site, language, {
    title: `${title} · ${agency.name}`,
    description: summary(listing, words),
    path,
    image: cover === undefined ? null : { address: cover, alt: title },
    brand: { name: agency.name, path: agencyPath(agency.slug) },
    data: [listingData(site, language, agency, listing)],
    base: photoBase(site, listing),
    withGallery: true,
    body: html`!${gallery(listing, words)}
      <article class="listing wide">
        <header class="head">
          <p class="eyebrow" dir="auto">
            ${[offered(listing, words), placeOf(listing)].filter((text) => text !== '').join(' · ')}
          </p>
          <h1 dir="auto">${title}</h1>
          !${listing.address === null ? '' : html`<p class="address" dir="auto">${oneLine(listing.address)}</p>`}
        </header>
        !${offer(site, language, agency, listing)}
        <div class="about">
          !${factTiles(listing, words)}!${description(listing, words)}!${amenities(listing, words)}!${rows(words.rentalTerms, rentalTerms(listing, words))}!${rows(words.details, details(listing, words))}!${media(listing, words)}!${map(listing, words)}
        </div>
      </article>
      !${others(site, language, agency, more)}!${bar(site, language, agency, listing)}`,
  })
}

/** What a search result or a preview says. */
function summary(listing: Listing, words: Phrases): string {
  const { amount, period } = priceLine(listing, words)
  const head = [
    offered(listing, words),
    period === null ? amount : `${amount} ${period}`,
    factLine(listing, words),
  ]
  return excerpt([...head.filter((text) => text !== ''), listing.description ?? ''].join('. '), 200)
}

function priceBlock(listing: Listing, words: Phrases): string {
  const { amount, period } = priceLine(listing, words)
  return html`<p class="price">${amount}!${period === null ? '' : html` <span>${period}</span>`}</p>`
}

/** What a visitor's message names. */
function subject(site: Site, language: PageLanguage, agency: PublicAgency, listing: Listing): Subject {
  return {
    title: excerpt(listing.title ?? '', 80),
    code: listing.public_id,
    address: addressIn(site, language, listingPath(agency.slug, listing.public_id)),
  }
}

function offer(site: Site, language: PageLanguage, agency: PublicAgency, listing: Listing): string {
  const words = phrases(language)
  const { expenses_amount: fees } = listing
  return html`<aside class="offer" aria-label="${words.price}">
    !${listing.reserved ? html`<p class="badge">${words.reserved}</p>` : ''}!${priceBlock(listing, words)}
    !${fees === null ? '' : html`<p class="expenses">${words.expenses(money(fees, listing.expenses_currency, words))}</p>`}
    <div class="agency">
      <p class="by">${words.agencyOffers}</p>
      <p class="agency-name" dir="auto">${agency.name}</p>
      !${contactLinks(agency, words, subject(site, language, agency, listing))}<a
        class="plain"
        href="${pathIn(site, language, agencyPath(agency.slug))}"
        >${words.allOfAgency}</a
      >
    </div>
  </aside>`
}

function factTiles(listing: Listing, words: Phrases): string {
  const facts = keyFacts(listing, words)
  if (facts.length === 0) return ''
  return html`<ul class="facts" aria-label="${words.mainFacts}">
    !${facts.map(({ value, label }) => html`<li><strong>${value}</strong> <span>${label}</span></li> `)}
  </ul> `
}

function description({ description: text }: Listing, words: Phrases): string {
  if (text === null) return ''
  return html`<section>
    <h2>${words.description}</h2>
    <div class="words" dir="auto">${text}</div>
  </section> `
}

function amenities({ amenities: names }: Listing, words: Phrases): string {
  if (names.length === 0) return ''
  return html`<section>
    <h2>${words.amenities}</h2>
    <ul class="amenities" dir="auto">
      !${names.map((name) => html`<li>${oneLine(name)}</li> `)}
    </ul>
  </section> `
}

function rows(title: string, list: readonly Detail[]): string {
  if (list.length === 0) return ''
  return html`<section>
    <h2>${title}</h2>
    <dl class="rows">
      !${list.map(
        ({ label, value, ownWords }) =>
          html`<div><dt>${label}</dt><dd!${ownWords === true ? ' dir="auto"' : ''}>${value}</dd></div>
`,
      )}
    </dl>
  </section> `
}

function media({ video_url, video_urls, virtual_tour_url }: Listing, words: Phrases): string {
  const videos = [...new Set([video_url, ...video_urls])].filter(isWebAddress)
  const links = videos.map((url, index) => ({ url, label: words.video(index + 1, videos.length) }))
  if (isWebAddress(virtual_tour_url)) links.push({ url: virtual_tour_url, label: words.tour })
  if (links.length === 0) return ''
  return html`<section>
    <h2>${words.media}</h2>
    <ul class="links">
      !${links.map(({ url, label }) => html`<li>!${outside(url, label)}</li> `)}
    </ul>
  </section> `
}

/** A link that leaves, and that nobody vouches for. */
function outside(url: string, label: string): string {
  return html`<a class="outside" href="${url}" target="_blank" rel="noopener nofollow">${label}</a>`
}

function map(listing: Listing, words: Phrases): string {
  const { lat, lng, address } = listing
  const place = placeOf(listing)
  if (address === null && place === '') return ''
  const link =
    lat === null || lng === null
      ? ''
      : outside(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=17/${lat}/${lng}`, words.seeOnMap)
  return html`<section>
    <h2>${words.location}</h2>
    <p class="where" dir="auto">
      ${[address === null ? '' : oneLine(address), place].filter((text) => text !== '').join(' · ')}
    </p>
    !${link === '' ? '' : html`<p>!${link}</p>`}
    !${listing.location_status === 'approximate' ? html`<p class="note">${words.approximate}</p>` : ''}
  </section> `
}

function others(site: Site, language: PageLanguage, agency: PublicAgency, more: readonly Listing[]): string {
  if (more.length === 0) return ''
  return html`<section class="more wide">
    <h2 dir="auto">${phrases(language).more(agency.name)}</h2>
    <ul class="cards">
      !${more.map((other) => card(site, language, agency.slug, other, { heading: 'h3', isUrgent: false }))}
    </ul>
  </section> `
}

/** Price and contact at hand while a small screen scrolls. */
function bar(site: Site, language: PageLanguage, agency: PublicAgency, listing: Listing): string {
  const words = phrases(language)
  const link = quickestContact(agency, words, subject(site, language, agency, listing))
  if (link === '') return ''
  return html`<aside class="bar" aria-label="${words.contact}">
    !${priceBlock(listing, words)}!${link}
  </aside> `
}
