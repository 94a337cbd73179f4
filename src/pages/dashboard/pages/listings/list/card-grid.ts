/** Listings as cards, in the agency's list and on its home page. */
import type { Listing } from '../../../../../listings/listing.ts'
import { html, type Html } from '../../../../../platform/web/html.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { cover, priceShown, statusBadges, summaryText, titleText } from '../listing-parts.ts'

/** @param isSmall on a page that also shows other things */
export function cardGrid(request: AgencyRequest, listings: readonly Listing[], isSmall = false): Html {
  const { base, agency } = request
  return html`<ul class="cards ${isSmall && 'cards-small'}">
    ${listings.map(
      (listing) =>
        html`<li class="card listing-card">
          ${cover(request, listing, 'medium')}
          <div class="listing-card-body">
            ${statusBadges(request, listing)}
            <p class="price">${priceShown(request, listing)}</p>
            <p>
              <a href="${base}${agency.path}/listings/${listing.public_id}">${titleText(request, listing)}</a>
            </p>
            <p class="small muted">${summaryText(request, listing)}</p>
          </div>
        </li>`,
    )}
  </ul>`
}
