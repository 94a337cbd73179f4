/**
 * The photos of a listing, the cover first.
 */
import { html, type Html, nothing } from '../../web/html.ts'
import type { Listing } from '../../properties/listing.ts'
import { icon } from '../icons.ts'
import type { AgencyVisit } from '../visit.ts'
import { pictureOf } from './listing-parts.ts'

export function galleryPart(visit: AgencyVisit, listing: Listing): Html {
  const { t } = visit
  const { photos } = listing
  if (listing.deleted_at !== null) return nothing
  if (photos.length === 0)
    return html`<section class="card" id="photos">
      <div class="empty">
        ${icon('photo')}
        <p>${t.listings.noPhotos}</p>
      </div>
    </section>`
  return html`<section class="card" id="photos">
    <div class="card-head">
      <h2>${t.listings.photos}</h2>
      <span class="badge">${photos.length}</span>
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

/** The photos as the form shows them. */
export async function formPhotosPart(visit: AgencyVisit, listing: Listing | null): Promise<Html> {
  const { t } = visit
  const texts = t.listingForm
  const photos = listing?.photos ?? []
  return html`<section class="card stack" id="form-photos">
    <div class="card-head">
      <h2>${texts.sections.photos}</h2>
      <span class="badge">${photos.length}</span>
    </div>
    ${
      listing === null
        ? html`<p class="muted">${texts.photosLater}</p>`
        : photos.length === 0
          ? html`<p class="muted">${texts.photosNone}</p>`
          : html`<div class="gallery">
              ${photos.map((photo, index) => html`<img src="${pictureOf(visit, listing, photo, 'small')}" alt="${t.listings.photo(index + 1, photos.length)}" loading="lazy" width="240" height="160" />`)}
            </div>`
    }
  </section>`
}
