/**
 * The photos of a listing, the cover first.
 */
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import type { Listing } from '../../../listings/listing.ts'
import { icon } from '../icons.ts'
import { listingPath } from '../requested-listing.ts'
import type { AgencyVisit } from '../visit.ts'
import { pictureOf } from './listing-parts.ts'
import { mayEdit } from './listing-state.ts'

export function galleryPart(visit: AgencyVisit, listing: Listing): Html {
  const { t } = visit
  const { photos } = listing
  if (listing.deleted_at !== null) return nothing
  if (photos.length === 0)
    return html`<section class="card" id="photos">
      <div class="empty">
        ${icon('photo')}
        <p>${t.listings.noPhotos}</p>
        ${managePart(visit, listing)}
      </div>
    </section>`
  return html`<section class="card" id="photos">
    <div class="card-head">
      <h2>${t.listings.photos}</h2>
      <div class="row"><span class="badge">${photos.length}</span>${managePart(visit, listing)}</div>
    </div>
    <div class="gallery">
      ${photos.map(
        (photo, index) =>
          html`<a href="${pictureOf(visit, listing, photo, 'large')}"
            ><img
              src="${pictureOf(visit, listing, photo, index === 0 ? 'medium' : 'small')}"
              alt="${t.listings.photo(index + 1, photos.length)}"
              loading="lazy"
              width="480"
              height="320"
          /></a>`,
      )}
    </div>
  </section>`
}

/** Link to the page where photos are added and ordered. */
function managePart(visit: AgencyVisit, listing: Listing): Html {
  if (!mayEdit(visit, listing)) return nothing
  const { t, base } = visit
  const path = `${base}${listingPath(visit, listing)}/photos`
  return html`<a class="button button-small" href="${path}"
    >${listing.photos.length === 0 ? t.listingForm.addPhotos : t.listingForm.managePhotos}</a
  >`
}
