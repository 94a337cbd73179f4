/** A listing's photos and the ways to add more, as a page and as a part of the listing's form. */
import { sizeLimits, uploadBudgets } from '../../../../../limits/sizes.ts'
import type { PhotoResult } from '../../../../../listings/gallery/uploads.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { maxPhotos } from '../../../../../listings/fields/publishable.ts'
import { fieldLabel } from '../../../forms/field-labels.ts'
import { postForm } from '../../../forms/forms.ts'
import { framed } from '../../../parts/page-parts.ts'
import { listingCrumbs, titleText } from '../listing-parts.ts'
import { galleryPart, photoGrid } from './photo-grid.ts'
import { listingPath, mayChangeListings, presentListing } from '../../../requested-listing.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { textareaField } from '../../../../framework/fields.ts'
import { icon } from '../../../../framework/icons.ts'
import { html, type Html, nothing } from '../../../../../platform/web/html.ts'
import { photoFailureText } from '../../../forms/problems.ts'

/** The scripts that a page with `photosPart` loads. */
export const photoScripts = ['photos-order.js', 'photos-drag.js', 'photos-upload.js'] as const

/** Longest side, in pixels, of the pictures that browsers send: enough for the largest stored size, and a tenth of a camera's bytes. */
const sentSide = 2_560
const megabytes = sizeLimits.photo_bytes / 1_048_576

/** @param results of the URLs that were sent */
export async function photosPage(request: AgencyRequest, results: readonly PhotoResult[] = []) {
  const listing = await presentListing(request)
  return framed(
    request,
    {
      title: fieldLabel(request, 'photos'),
      section: 'listings',
      subtitle: titleText(request, listing),
      crumbs: listingCrumbs(request, listing),
      scripts: photoScripts,
    },
    html`${resultsPart(request, results)} ${photosPart(request, listing, results)}`,
  )
}

/**
 * A listing's photos with everything to change them, or read-only if nothing may be changed. It has forms, so it must not be inside one;
 * its page loads `photoScripts`.
 * @param results of the URLs that were sent; null on a page that is about other things too, which needs a heading for the photos
 */
export function photosPart(
  request: AgencyRequest,
  listing: Listing,
  results: readonly PhotoResult[] | null = null,
): Html {
  const { t } = request
  const texts = t.photos
  if (!mayChangeListings(request)) return galleryPart(request, listing)
  const rules = html`<p class="small muted">${texts.rules(megabytes)}</p>`
  return html`<section
    class="card stack photos"
    id="photos"
    data-photos
    data-side="${sentSide}"
    data-bytes="${sizeLimits.photo_bytes}"
    data-parallel="${uploadBudgets.slotsEach}"
    data-conflict="${texts.conflict}"
    data-not-saved="${texts.notSaved}"
    data-session-over="${texts.sessionOver}"
  >
    <div class="card-head">
      ${results === null ? html`<h2>${fieldLabel(request, 'photos')}</h2>` : rules}
      <span class="badge" data-photo-count>${texts.of(listing.photos.length, maxPhotos)}</span>
    </div>
    ${results === null && rules}
    <div class="notice notice-warn" role="alert" data-trouble hidden>
      ${icon('alert')}
      <div data-trouble-text></div>
    </div>
    ${uploadPart(request, listing)} ${photoGrid(request, listing)}
    ${urlsPart(request, listing, results ?? [])}
    <p class="visually-hidden" role="status" data-announcement></p>
  </section>`
}

/** Without scripts, the form takes one file. With scripts, it takes as many as fit, and lists them. */
function uploadPart(request: AgencyRequest, listing: Listing): Html {
  const texts = request.t.photos
  const attributes = html`enctype="multipart/form-data" data-upload`
  return html`<div class="stack-s">
    ${postForm(
      request,
      `${listingPath(request, listing)}/photos`,
      html`<div class="photo-drop" data-drop>
        <div class="stack-s" data-plain>
          <label class="strong" for="photo-file">${texts.addOne}</label>
          <input
            class="photo-input"
            type="file"
            id="photo-file"
            name="photo"
            accept="image/jpeg,image/png,image/webp"
            required
          />
          <div><button class="button button-primary">${icon('upload')}${texts.upload}</button></div>
        </div>
        <div class="photo-choices" data-choices hidden>
          <button type="button" class="button button-primary" data-choose>
            ${icon('plus')}${texts.choose}
          </button>
          <button type="button" class="button" data-camera hidden>
            ${icon('camera')}${texts.takePicture}
          </button>
          <p class="small muted" data-drop-hint>${texts.drop}</p>
        </div>
      </div>`,
      attributes,
    )}
    <p class="small strong" data-summary hidden></p>
    <ul class="photo-queue" data-queue hidden></ul>
    ${queueItem(request)}
  </div>`
}

/** A script's template for each file, with its texts. */
function queueItem({ t }: AgencyRequest): Html {
  const texts = t.photos
  return html`<template
    data-queued
    data-waiting="${texts.waiting}"
    data-preparing="${texts.preparing}"
    data-sending="${texts.sending('{percent}')}"
    data-storing="${t.listingForm.saving}"
    data-failed="${texts.statuses.failed}"
    data-no-room="${texts.noRoom(maxPhotos)}"
    data-too-large="${t.photoWhy.too_large(megabytes)}"
    data-not-a-picture="${t.photoWhy.no_picture}"
    data-heic="${texts.heic}"
    data-offline="${texts.offline}"
    data-summary="${texts.summary('{stored}', '{all}')}"
  >
    <li class="photo-queued">
      <span class="photo-queued-name" data-name></span>
      <span class="small" data-state></span>
      <progress max="1" value="0" hidden></progress>
      <span class="photo-after" data-after hidden
        ><button type="button" class="button button-small" data-retry>
          ${icon('rotate')}${t.common.retry}</button
        ><button
          type="button"
          class="button button-small"
          data-dismiss
          aria-label="${texts.dismiss}"
          title="${texts.dismiss}"
        >
          ${icon('cross')}
        </button></span
      >
    </li>
  </template>`
}

/** The form that adds photos by URL. If some URLs failed, it contains those again. */
function urlsPart(request: AgencyRequest, listing: Listing, results: readonly PhotoResult[]): Html {
  const texts = request.t.photos
  const { problems } = request.refusal
  const failed = results.flatMap(({ url, status }) => (status === 'failed' ? [url] : []))
  const typed = results.length === 0 ? (request.form.get('urls') ?? '') : failed.join('\n')
  const isOpen = typed !== '' || problems['urls'] !== undefined
  return html`<details class="disclosure" ${isOpen && html` open`}>
    <summary>${texts.byUrl}</summary>
    ${postForm(
      request,
      `${listingPath(request, listing)}/photos/urls`,
      html`<div class="stack-s photo-urls">
        ${textareaField({
          name: 'urls',
          label: texts.urls,
          hint: texts.urlsHint,
          value: typed,
          placeholder: 'https://',
          problems,
          rows: 4,
        })}
        <div><button class="button">${texts.urlsAdd}</button></div>
      </div>`,
    )}
  </details>`
}

function resultsPart(request: AgencyRequest, results: readonly PhotoResult[]): Html {
  const { t } = request
  if (results.length === 0) return nothing
  const kinds = { stored: 'badge-good', duplicate: 'badge-info', failed: 'badge-bad' } as const
  return html`<section class="card" aria-labelledby="verdicts">
    <h2 class="card-head" id="verdicts">${t.common.result}</h2>
    <ul class="stack-s">
      ${results.map(
        ({ url, status, why }) =>
          html`<li>
            <span class="badge badge-dot ${kinds[status]}">${t.photos.statuses[status]}</span>
            <span class="mono">${url}</span>
            ${why !== null && html`<p class="small">${photoFailureText(request, why)}</p>`}
          </li>`,
      )}
    </ul>
  </section>`
}
