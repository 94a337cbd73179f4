/** Warnings of a listing, each with its remedies: photos that failed, photos kept because of them, an unplaced address. */
import { buttonForm } from '../../../forms/forms.ts'
import { isInsideCountry, likelyPin } from '../../../../../listings/geocoding/country.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { sourceFingerprint } from '../../../../../listings/photos/names-and-urls.ts'
import { findPhotoWarnings } from '../../../../../listings/reading/warnings/attention.ts'
import {
  type FailedUrl,
  openWarnings,
  type PhotoWarnings,
  stillKept,
} from '../../../../../listings/reading/warnings/photo-warnings.ts'
import { actorText, pictureOf } from '../listing-parts.ts'
import { listingPath } from '../../../requested-listing.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { icon, type IconName } from '../../../../framework/icons.ts'
import { html, type Html, nothing, type Piece } from '../../../../../platform/web/html.ts'
import { photoFailureText } from '../../../forms/problems.ts'

/** Failures shown at once; the others are folded. */
const maxShown = 5

/** A listing, and the page that the buttons lead back to, if that is another. */
type Named = Pick<Listing, 'public_id'> & { next?: string }

export function actForm(
  request: AgencyRequest,
  listing: Named,
  act: 'retry' | 'dismiss' | 'kept' | 'place' | 'pin',
  fields: Readonly<Record<string, string | number>>,
  label: Piece,
  isMain = false,
): Html {
  const hidden = { ...fields, ...(listing.next === undefined ? {} : { next: listing.next }) }
  const path = `${listingPath(request, listing)}/warnings/${act}`
  return buttonForm(request, path, hidden, label, isMain ? '' : 'button-quiet')
}

function item(symbol: IconName, title: Piece, text: Piece, acts: Piece): Html {
  return html`<li class="warning">
    ${icon(symbol)}
    <div class="stack-s">
      <h3>${title}</h3>
      ${text}
      <div class="row">${acts}</div>
    </div>
  </li>`
}

/** The sender and the time of a failed photo, with a link to the request. */
function originText(request: AgencyRequest, { by, at, since, request_id: id }: FailedUrl): Html {
  const { t, format, base, agency } = request
  const texts = t.work.warnings
  const url = `${base}${agency.path}/requests?request_id=${id}`
  return html`<p class="small muted">
    ${texts.sent} ${actorText(request, by)},
    ${by.kind === 'key' && id !== null ? html`<a href="${url}">${format.ago(at)}</a>` : format.ago(at)}.
    ${since !== at && texts.since(format.plainMoment(since))}
  </p>`
}

function failedItem(request: AgencyRequest, listing: Named, failed: FailedUrl): Html {
  const { t } = request
  const texts = t.work.warnings
  const name = sourceFingerprint(failed.url)
  const which = html`<span class="visually-hidden"> ${failed.url}</span>`
  return item(
    'photo',
    photoFailureText(request, failed.why),
    html`<p class="mono">${failed.url}</p>
      ${originText(request, failed)}`,
    html`${actForm(request, listing, 'retry', { name }, html`${icon('rotate')}<span>${t.common.retry}${which}</span>`, true)}
    ${actForm(request, listing, 'dismiss', { name }, html`<span>${texts.dismiss}${which}</span>`)}`,
  )
}

export function failedPart(request: AgencyRequest, listing: Named, { failed }: PhotoWarnings): Html {
  if (failed.length === 0) return nothing
  const texts = request.t.work.warnings
  const items = failed.toReversed().map((one) => failedItem(request, listing, one))
  const others = items.slice(maxShown)
  return html`<div class="row-apart">
      <p class="strong">${texts.photos(failed.length)}</p>
      ${
        failed.length > 1 &&
        html`<div class="row">
          ${actForm(request, listing, 'retry', { name: 'all' }, html`${icon('rotate')}${texts.retryAll}`, true)}
          ${actForm(request, listing, 'dismiss', { name: 'failed' }, texts.dismissAll)}
        </div>`
      }
    </div>
    <ul class="warnings">
      ${items.slice(0, maxShown)}
    </ul>
    ${
      others.length > 0 &&
      html`<details class="disclosure">
        <summary>${texts.others(others.length)}</summary>
        <ul class="warnings">
          ${others}
        </ul>
      </details>`
    }`
}

function keptItem(request: AgencyRequest, listing: Listing, photos: readonly string[]): Html {
  const texts = request.t.work.warnings
  const { length: count } = photos
  const { version } = listing
  return item(
    'photo',
    texts.kept(count),
    html`<p class="small">${texts.keptText}</p>
      <div class="row kept-photos">
        ${photos.map(
          (photo) =>
            html`<img
              src="${pictureOf(request, listing, photo, 'small')}"
              alt=""
              loading="lazy"
              width="96"
              height="64"
            />`,
        )}
      </div>`,
    html`${actForm(request, listing, 'kept', { version }, texts.removeKept(count), true)}
    ${actForm(request, listing, 'dismiss', { name: 'photos_kept' }, texts.leaveKept)}`,
  )
}

export function editPlaceUrl(request: AgencyRequest, listing: Named): string {
  return `${request.base}${listingPath(request, listing)}/edit#f-address`
}

/** Rounded to about ten metres. */
const written = ({ lat, lng }: { lat: number; lng: number }) => [lat.toFixed(4), lng.toFixed(4)] as const

/** The button that moves the pin to where it was probably meant. */
export function pinForm(
  request: AgencyRequest,
  listing: Named & Pick<Listing, 'version'>,
  likely: { lat: number; lng: number },
): Html {
  const label = html`${icon('pin')}${request.t.work.page.pins.use(...written(likely))}`
  return actForm(request, listing, 'pin', { version: listing.version }, label, true)
}

function placeItem(request: AgencyRequest, listing: Listing): Html {
  const texts = request.t.work.warnings
  const { lat, lng, address, location_status: status } = listing
  const edit = (label: string) =>
    html`<a class="button button-quiet" href="${editPlaceUrl(request, listing)}">${label}</a>`
  if (lat === null || lng === null) {
    if (status !== 'unresolved' || address === null) return nothing
    return item(
      'pin',
      texts.unresolved,
      html`<p>${address}</p>
        <p class="small muted">${texts.unresolvedText}</p>`,
      html`${actForm(request, listing, 'place', {}, html`${icon('rotate')}${texts.lookUp}`, true)}
      ${edit(texts.editAddress)}`,
    )
  }
  const likely = likelyPin(lat, lng)
  if (likely !== null) {
    const where = texts.misplaced(...written({ lat, lng }))
    const text = html`<p class="small">${request.t.work.page.pins.text}</p>`
    return item('pin', where, text, html`${pinForm(request, listing, likely)} ${edit(texts.movePin)}`)
  }
  if (!isInsideCountry(lat, lng)) return item('pin', texts.abroad, nothing, edit(texts.movePin))
  if (status === 'approximate') return item('pin', texts.approximate, nothing, edit(texts.movePin))
  return nothing
}

export async function warningPart(request: AgencyRequest, listing: Listing): Promise<Html> {
  if (listing.deleted_at !== null) return nothing
  const { deps, agency, t } = request
  const warnings = openWarnings(await findPhotoWarnings(deps.db, agency.id, listing.id), listing.photos)
  const kept =
    warnings.kept === null ? nothing : keptItem(request, listing, stillKept(warnings.kept, listing.photos))
  const place = placeItem(request, listing)
  if (warnings.failed.length === 0 && kept === nothing && place === nothing) return nothing
  return html`<section class="card stack" id="warnings">
    <h2>${t.work.warnings.title}</h2>
    ${failedPart(request, listing, warnings)}
    ${
      (kept !== nothing || place !== nothing) &&
      html`<ul class="warnings">
        ${kept}${place}
      </ul>`
    }
  </section>`
}
