/**
 * A listing in a list: cover, price, what and where.
 */
import { photoFile } from '../photos/names-and-urls.ts'
import type { Listing } from '../properties/listing.ts'
import { flag, html, type Html } from '../web/html.ts'
import { oneLine } from '../web/text.ts'
import { factLine, priceLine, whatAndWhere } from './facts.ts'
import { photoBase, sourceSet } from './gallery.ts'
import { type Edition, listingPath } from './site.ts'

/** How wide the stylesheet shows a cover. */
const widths = '(min-width:62em) 24rem,(min-width:40em) 50vw,100vw'

/** A list of cards. @param heading one level below that of the list @param urgent how many covers are in sight at once */
export function cards(
  edition: Edition,
  agencySlug: string,
  listings: readonly Listing[],
  heading: 'h2' | 'h3',
  urgent = 0,
): Html {
  return html`<ul class="cards">
    ${listings.map((listing, place) => card(edition, agencySlug, listing, heading, place < urgent))}
  </ul>`
}

function card(
  edition: Edition,
  agencySlug: string,
  listing: Listing,
  heading: 'h2' | 'h3',
  isUrgent: boolean,
): Html {
  const [cover] = listing.photos
  const base = photoBase(edition.site, listing)
  const { amount, period } = priceLine(listing, edition)
  return html`<li class="card">
    <div class="cover">
      ${cover !== undefined && html`<img${flag('loading="lazy"', !isUrgent)} src="${base}${photoFile(cover, 'medium')}" srcset="${sourceSet(cover, base, ['small', 'medium'])}" sizes="${widths}" alt="">`}${listing.reserved && html`<span class="badge">${edition.words.reserved}</span>`}
    </div>
    <p class="card-price">${amount}${period !== null && html` <span>${period}</span>`}</p>
    <${heading} class="card-title" dir="auto">
      <a href="${edition.path(listingPath(agencySlug, listing.public_id))}"
        >${oneLine(listing.title ?? '')}</a
      >
    </${heading}>
    <p class="card-facts">${factLine(listing, edition)}</p>
    <p class="card-place" dir="auto">
      ${whatAndWhere(listing, edition)}
    </p>
  </li> `
}
