/** The photos of a listing in order: a grid with buttons to change them, and a read-only gallery. Scripts get the same markup. */
import type { Listing } from '../../../../../listings/listing.ts'
import { maxPhotos, minPhotos } from '../../../../../listings/fields/publishable.ts'
import { fieldLabel } from '../../../forms/field-labels.ts'
import { buttonForm, hiddenField, postForm } from '../../../forms/forms.ts'
import { pictureOf } from '../listing-parts.ts'
import { listingPath, mayEdit } from '../../../requested-listing.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { icon, type IconName } from '../../../../framework/icons.ts'
import { flag, html, type Html, nothing } from '../../../../../platform/web/html.ts'

/** The number of photos that may be removed. */
function removable({ status, photos }: Listing): number {
  return status === 'published' ? Math.max(0, photos.length - minPhotos) : photos.length
}

export function photoGrid(request: AgencyRequest, listing: Listing): Html {
  const texts = request.t.photos
  const { photos } = listing
  const lacking = minPhotos - photos.length
  return html`<div
    class="stack-s"
    data-grid
    data-version="${listing.version}"
    data-room="${maxPhotos - photos.length}"
    data-count="${texts.of(photos.length, maxPhotos)}"
  >
    ${lacking > 0 && html`<p class="small muted">${texts.toPublish(lacking)}</p>`}
    ${removable(listing) === 0 && photos.length > 0 && html`<p class="small">${texts.fewest(minPhotos)}</p>`}
    ${photos.length === maxPhotos && html`<p class="small">${texts.full(maxPhotos)}</p>`}
    ${
      photos.length === 0
        ? html`<div class="empty">
            ${icon('photo')}
            <p>${texts.none}</p>
          </div>`
        : html`<p class="visually-hidden" id="photo-keys">${texts.keys}</p>
            <ol class="photo-list">
              ${photos.map((_photo, index) => photoItem(request, listing, index))}
            </ol>`
    }
  </div>`
}

function photoItem(request: AgencyRequest, listing: Listing, index: number): Html {
  const texts = request.t.photos
  const { photos, version } = listing
  const photo = photos[index] ?? ''
  const position = index + 1
  const path = `${listingPath(request, listing)}/photos`
  const named = html`${hiddenField('version', version)}${hiddenField('photo', photo)}`
  const button = (move: string, symbol: IconName, label: string, isOff: boolean): Html =>
    html`<button
      class="button photo-button"
      name="move"
      value="${move}"
      aria-label="${label}"
      title="${label}"
      ${flag('disabled', isOff)}
    >
      ${icon(symbol)}
    </button>`
  return html`<li class="photo" data-photo="${photo}">
    <a class="photo-picture" href="${pictureOf(request, listing, photo, 'large')}" draggable="false"
      ><img
        src="${pictureOf(request, listing, photo, 'small')}"
        alt="${request.t.listings.photoOf(position, photos.length)}"
        width="320"
        height="213"
        draggable="false"
        loading="${index < 8 ? 'eager' : 'lazy'}"
    /></a>
    <span class="photo-position">${index === 0 ? texts.cover : position}</span>
    <button
      type="button"
      class="photo-handle"
      data-handle
      aria-label="${texts.move(position, photos.length)}"
      aria-describedby="photo-keys"
      hidden
    >
      ${icon('grip')}
    </button>
    <div class="photo-acts">
      ${postForm(
        request,
        `${path}/order`,
        html`${named}${button('earlier', 'before', texts.earlier(position), index === 0)}${button('later', 'after', texts.later(position), position === photos.length)}${button('first', 'star', texts.makeCover(position), index === 0)}`,
      )}
      ${
        removable(listing) === 0
          ? nothing
          : html`<details class="photo-remove" name="photo-remove">
              <summary
                class="button photo-button"
                aria-label="${texts.remove(position)}"
                title="${texts.remove(position)}"
              >
                ${icon('bin')}
              </summary>
              ${buttonForm(request, `${path}/remove`, { version, photo }, texts.removeNow, 'button-danger button-wide')}
            </details>`
      }
    </div>
  </li>`
}

export function galleryPart(request: AgencyRequest, listing: Listing): Html {
  const { t } = request
  const { photos } = listing
  if (listing.deleted_at !== null) return nothing
  if (photos.length === 0)
    return html`<section class="card" id="photos">
      <div class="empty">
        ${icon('photo')}
        <p>${t.listings.noPhotos}</p>
        ${managePart(request, listing)}
      </div>
    </section>`
  return html`<section class="card" id="photos">
    <div class="card-head">
      <h2>${fieldLabel(request, 'photos')}</h2>
      <div class="row"><span class="badge">${photos.length}</span>${managePart(request, listing)}</div>
    </div>
    <div class="gallery">
      ${photos.map(
        (photo, index) =>
          html`<a href="${pictureOf(request, listing, photo, 'large')}"
            ><img
              src="${pictureOf(request, listing, photo, index === 0 ? 'medium' : 'small')}"
              alt="${t.listings.photoOf(index + 1, photos.length)}"
              loading="lazy"
              width="480"
              height="320"
          /></a>`,
      )}
    </div>
  </section>`
}

function managePart(request: AgencyRequest, listing: Listing): Html {
  if (!mayEdit(request, listing)) return nothing
  const { t, base } = request
  const path = `${base}${listingPath(request, listing)}/photos`
  return html`<a class="button button-small" href="${path}"
    >${listing.photos.length === 0 ? t.listingForm.addPhotos : t.listingForm.managePhotos}</a
  >`
}
