/**
 * State and price of a listing, what it lacks, and who may change it.
 */
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import type { Listing } from '../../../listings/listing.ts'
import { missingToPublish } from '../../../listings/warnings/missing.ts'
import { missingList } from '../listing-form/parts.ts'
import { listingPath } from '../requested-listing.ts'
import { fact } from '../tables.ts'
import type { AgencyVisit } from '../visit.ts'
import { priceText, statusBadges } from './listing-parts.ts'

export function statePart(visit: AgencyVisit, listing: Listing): Html {
  const { t, format, base } = visit
  const texts = t.listings
  const { close_reason: reason } = listing
  return html`<section class="card stack-s">
    ${statusBadges(visit, listing)}
    <div class="row-apart">
      <p class="price">${priceText(visit, listing)}</p>
      ${
        mayEdit(visit, listing) &&
        html`<a class="button button-small" href="${base}${listingPath(visit, listing)}/price"
          >${t.listingForm.correctPrice}</a
        >`
      }
    </div>
    <dl class="facts small">
      ${fact(texts.code, html`<code>${listing.public_id}</code>`)}
      ${fact(texts.externalId, listing.external_id)}
      ${fact(texts.closeReason, reason !== null && (texts.closeReasons[reason as keyof typeof texts.closeReasons] ?? reason))}
      ${fact(texts.closedAt, listing.closed_at !== null && format.date(listing.closed_at))}
      ${fact(texts.closePrice, listing.close_amount !== null && format.money(listing.close_amount, listing.close_currency))}
      ${fact(texts.statuses.published, listing.published_at !== null && format.moment(listing.published_at))}
      ${fact(texts.updated, format.moment(listing.updated_at))}
      ${fact(t.common.created, format.moment(listing.created_at))}
    </dl>
  </section>`
}

/** Links to the fields that a listing lacks to be published. */
export function checkPart(visit: AgencyVisit, listing: Listing): Html {
  const { t, base } = visit
  const { length } = missingToPublish(listing, listing.photos.length)
  if (length === 0) return nothing
  return html`<section class="card stack-s">
    <h2>${t.listings.lacks(length)}</h2>
    <p class="small muted">${t.listingForm.missingText}</p>
    ${missingList(visit, listing, `${base}${listingPath(visit, listing)}/edit`)}
  </section>`
}

/** Whether somebody can change listings here: people of a deactivated agency cannot. */
export function mayWrite({ agency, session }: AgencyVisit): boolean {
  return agency.active || session.account.role === 'operator'
}

/** Whether this listing can be edited. */
export function mayEdit(visit: AgencyVisit, listing: Listing): boolean {
  return listing.deleted_at === null && mayWrite(visit)
}
