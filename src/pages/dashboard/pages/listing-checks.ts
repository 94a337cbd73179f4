/**
 * What a listing lacks to be published, by the rule that publishing applies: each thing a link to where it is filled in.
 */
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import type { Listing } from '../../../listings/listing.ts'
import { missingToPublish } from '../../../listings/warnings/missing.ts'
import { missingList } from '../listing-form/parts.ts'
import type { AgencyVisit } from '../visit.ts'

export function checkPart(visit: AgencyVisit, listing: Listing): Html {
  const { t, base, agency } = visit
  const { length } = missingToPublish(listing, listing.photos.length)
  if (length === 0) return nothing
  return html`<section class="card stack-s">
    <h2>${t.listings.lacks(length)}</h2>
    <p class="small muted">${t.listingForm.missingText}</p>
    ${missingList(visit, listing, `${base}${agency.path}/listings/${listing.public_id}/edit`)}
  </section>`
}
