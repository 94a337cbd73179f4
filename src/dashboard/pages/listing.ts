/**
 * One listing: its content, what is missing for publication, its place, its actions and its history.
 */
import { ApiError } from '../../errors.ts'
import { html, type Html, joined, nothing } from '../../web/html.ts'
import { findAnyListing } from '../../properties/find.ts'
import { findDeliveredHistory } from '../../properties/delivered-history.ts'
import type { Listing } from '../../properties/listing.ts'
import { listingUrl } from '../../properties/serialize.ts'
import { featureNames, isRental } from '../../properties/vocabulary.ts'
import { notice, notRefused, problemSummary, type Refusal } from '../forms.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, pageHead, sectionOf } from '../layout.ts'
import { mapPart } from '../map.ts'
import { fact } from '../tables.ts'
import type { AgencyVisit, PageAnswer } from '../visit.ts'
import { checkPart } from './listing-checks.ts'
import { actionPart } from './listing-forms.ts'
import { historyPart } from './listing-history.ts'
import {
  pictureOf,
  priceText,
  statusBadges,
  summaryText,
  titleText,
  typeText,
  wordFor,
} from './listing-parts.ts'

/** The listing that the path names, removed or not. @throws ApiError `not_found` */
export async function listingOf({ deps, agency, params }: AgencyVisit): Promise<Listing> {
  const listing = await findAnyListing(deps.db, agency.id, { id: params['listing'] ?? '' })
  if (listing === null) throw new ApiError('not_found', { message: 'There is no such listing.' })
  return listing
}

export async function listingPage(
  visit: AgencyVisit,
  { problems, status }: Refusal = notRefused,
): Promise<PageAnswer> {
  const { t, deps, agency, format } = visit
  const texts = t.listings
  const listing = await listingOf(visit)
  const history = await findDeliveredHistory(deps.db, agency.id, listing.id)
  const isRemoved = listing.deleted_at !== null
  const isOut = listing.status === 'published' && !isRemoved
  const title = titleText(visit, listing)
  const url = listingUrl(deps.config.publicBaseUrl, agency.slug, listing.public_id)
  return {
    title,
    section: sectionOf(visit, 'listings'),
    status,
    body: html`${pageHead(visit, {
        title,
        subtitle: summaryText(visit, listing),
        crumbs: [...agencyCrumbs(visit), [texts.title, `${agency.path}/listings`]],
        actions: isOut && html`<a class="button" href="${url}">${icon('open')}${texts.publicPage}</a>`,
      })}
      <div class="stack-l">
        ${problemSummary(visit, problems)}
        ${isRemoved && notice('warn', texts.isRemoved(format.plainMoment(listing.deleted_at ?? '')))}
        <div class="columns">
          <div class="stack-l">
            ${gallery(visit, listing)}
            ${
              listing.description !== null &&
              html`<section class="card">
                <h2 class="card-head">${texts.description}</h2>
                <p class="prose">${listing.description}</p>
              </section>`
            }
            ${fieldsPart(visit, listing)} ${historyPart(visit, history)}
          </div>
          <div class="stack-l">
            <section class="card stack-s">
              ${statusBadges(visit, listing)}
              <p class="price">${priceText(visit, listing)}</p>
              <dl class="facts small">
                ${fact(texts.code, html`<code>${listing.public_id}</code>`)}
                ${fact(texts.externalId, listing.external_id)}
                ${fact(texts.createdAt, format.moment(listing.created_at))}
                ${fact(texts.publishedAt, listing.published_at !== null && format.moment(listing.published_at))}
                ${fact(texts.updatedAt, format.moment(listing.updated_at))}
                ${fact(texts.closeReason, listing.close_reason !== null && (texts.reasons[listing.close_reason as keyof typeof texts.reasons] ?? listing.close_reason))}
                ${fact(texts.closedAt, listing.closed_at !== null && format.date(listing.closed_at))}
                ${fact(texts.closePrice, listing.close_amount !== null && format.money(listing.close_amount, listing.close_currency))}
              </dl>
            </section>
            ${actionPart(visit, listing, problems)} ${!isRemoved && checkPart(visit, listing)}
            ${mapPart(visit, listing)}
          </div>
        </div>
      </div>`,
  }
}

function gallery(visit: AgencyVisit, listing: Listing): Html {
  const { t } = visit
  const { photos } = listing
  if (listing.deleted_at !== null) return nothing
  if (photos.length === 0)
    return html`<section class="card">
      <div class="empty">
        ${icon('photo')}
        <p>${t.listings.noPhotos}</p>
      </div>
    </section>`
  return html`<section class="card">
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

function fieldsPart(visit: AgencyVisit, listing: Listing): Html {
  const { t, format } = visit
  const texts = t.listings
  const yesOrNo = (name: string, value: unknown) =>
    value === true
      ? t.common.yes
      : value === false
        ? t.common.no
        : typeof value === 'number'
          ? format.number(value)
          : wordFor(visit, name, String(value))
  const features = featureNames.map((name) => {
    const value = listing.features[name]
    return fact(texts.features[name], value == null ? null : yesOrNo(name, value))
  })
  const links = [listing.video_url, ...listing.video_urls, listing.virtual_tour_url].filter(
    (url): url is string => url !== null,
  )
  const { rental } = listing
  return html`<section class="card">
    <h2 class="card-head">${texts.details}</h2>
    <dl class="facts">
      ${fact(texts.operation, listing.operation !== null && texts.operations[listing.operation])}
      ${fact(texts.type, typeText(visit, listing))} ${fact(texts.address, listing.address)}
      ${fact(texts.city, [...new Set([listing.city, listing.province].filter((part) => part !== null))].join(', ') || null)}
      ${fact(texts.expenses, listing.expenses_amount !== null && format.money(listing.expenses_amount, listing.expenses_currency))}
      ${features}
      ${fact(
        texts.amenities,
        listing.amenities.length > 0 &&
          joined(
            listing.amenities.map((one) => html`<span class="badge badge-text">${one}</span>`),
            ' ',
          ),
      )}
      ${isRental(listing.operation) && rental !== null && html`${fact(texts.minStay, rental.min_stay === null ? null : texts.nights(rental.min_stay))}${fact(texts.minLease, rental.min_lease_months === null ? null : texts.months(rental.min_lease_months))}${fact(texts.services, rental.services_included.length > 0 && rental.services_included.join(', '))}`}
      ${fact(
        texts.videos,
        links.length > 0 &&
          joined(
            links.map((url) => html`<a href="${url}" rel="noopener noreferrer">${url}</a>`),
            html`<br />`,
          ),
      )}
    </dl>
  </section>`
}
