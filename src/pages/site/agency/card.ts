/** A listing in a list: cover, price, facts and location. */
import { photoFile } from '../../../listings/photos/names-and-urls.ts'
import type { PublicListing } from '../../../listings/reading/public.ts'
import { html, type Html, raw } from '../../../platform/web/html.ts'
import { oneLine } from '../../../platform/web/language/text.ts'
import { factLine, priceLine, whatAndWhere } from '../listing/facts.ts'
import { photoBase, sourceSet } from '../listing/gallery.ts'
import { type Edition, listingPath } from '../frame/site.ts'

/** Cards are the results of a search, beside its form, or below the content of a page. */
type Position = 'found' | 'below'

/** The width of a cover in the stylesheet. */
const widths: Readonly<Record<Position, string>> = {
  found: '(min-width:62em) 18rem,(min-width:40em) 50vw,100vw',
  below: '(min-width:62em) 24rem,(min-width:40em) 50vw,100vw',
}

export function cards(
  edition: Edition,
  agencySlug: string,
  listings: readonly PublicListing[],
  position: Position,
): Html {
  const isFound = position === 'found'
  const heading = isFound ? 'h2' : 'h3'
  const card = (listing: PublicListing, index: number) => {
    // The first cover is the only one visible on a phone. Two more at once would delay it by half a second on a slow connection.
    const urgency = raw(isFound && index === 0 ? ' fetchpriority="high"' : ' loading="lazy"')
    const [cover] = listing.photos
    const base = photoBase(edition.site, listing)
    const { amount, period } = priceLine(listing, edition)
    return html`<li class="card">
    <div class="cover">
      ${cover !== undefined && html`<img${urgency} src="${base}${photoFile(cover, 'medium')}" srcset="${sourceSet(cover, base, ['small', 'medium'])}" sizes="${widths[position]}" alt="">`}${listing.reserved && html`<span class="badge">${edition.label('reserved')}</span>`}
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
  return html`<ul class="cards">
    ${listings.map(card)}
  </ul>`
}

/** Similar listings of the agency; null without any. @param onward links below them */
export function similarListings(
  edition: Edition,
  agencySlug: string,
  similar: readonly PublicListing[],
  onward?: Html,
): Html | null {
  if (similar.length === 0) return null
  return html`<section class="more wide">
    <h2>${edition.words.similar}</h2>
    ${cards(edition, agencySlug, similar, 'below')} ${onward}
  </section> `
}
