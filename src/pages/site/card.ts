/**
 * A listing in a list: cover, price, what and where.
 */
import { photoFile } from '../../listings/photos/names-and-urls.ts'
import type { PublicListing } from '../../listings/public.ts'
import { html, type Html, raw } from '../../platform/web/html.ts'
import { oneLine } from '../../platform/web/text.ts'
import { factLine, priceLine, whatAndWhere } from './facts.ts'
import { photoBase, sourceSet } from './gallery.ts'
import { type Edition, listingPath } from './site.ts'

/** Where cards stand: as what a search found, beside its form, or below a page's own content. */
type Place = 'found' | 'below'

/** How wide the stylesheet shows a cover. */
const widths: Readonly<Record<Place, string>> = {
  found: '(min-width:62em) 18rem,(min-width:40em) 50vw,100vw',
  below: '(min-width:62em) 24rem,(min-width:40em) 50vw,100vw',
}

/** A list of cards. */
export function cards(
  edition: Edition,
  agencySlug: string,
  listings: readonly PublicListing[],
  place: Place,
): Html {
  return html`<ul class="cards">
    ${listings.map((listing, index) => card(edition, agencySlug, listing, place, index))}
  </ul>`
}

function card(
  edition: Edition,
  agencySlug: string,
  listing: PublicListing,
  place: Place,
  index: number,
): Html {
  const heading = place === 'found' ? 'h2' : 'h3'
  // On a phone it is the only one in sight; on a slow line two more at once would make it half a second later.
  const isFirst = place === 'found' && index === 0
  const urgency = raw(isFirst ? ' fetchpriority="high"' : ' loading="lazy"')
  const [cover] = listing.photos
  const base = photoBase(edition.site, listing)
  const { amount, period } = priceLine(listing, edition)
  return html`<li class="card">
    <div class="cover">
      ${cover !== undefined && html`<img${urgency} src="${base}${photoFile(cover, 'medium')}" srcset="${sourceSet(cover, base, ['small', 'medium'])}" sizes="${widths[place]}" alt="">`}${listing.reserved && html`<span class="badge">${edition.label('reserved')}</span>`}
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
