/**
 * The rows of a list of listings.
 */
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import type { Listing } from '../../../listings/listing.ts'
import { missingToPublish } from '../../../listings/warnings/missing.ts'
import { postForm } from '../forms.ts'
import { tableHead } from '../tables.ts'
import type { AgencyVisit } from '../visit.ts'
import { cover, priceShown, statusBadges, summaryText, titleText } from './listing-parts.ts'
import { mayEdit } from './listing-state.ts'

/** Listings as a table, with what is done most often in each row. */
export function listingTable(visit: AgencyVisit, listings: readonly Listing[]): Html {
  const { t, format, base, agency } = visit
  const texts = t.listings
  return html`<table class="table table-fold table-brief">
    ${tableHead(texts.title, [{ label: texts.listing, className: 'wide-cell' }, t.common.status, { label: texts.price, className: 'end' }, { label: texts.code, className: 'detail' }, { label: texts.updated, className: 'detail' }, { label: t.common.actions, isHidden: true }])}
    <tbody>
      ${listings.map(
        (listing) =>
          html`<tr>
            <td class="lead">
              <div class="listing-cell">
                ${cover(visit, listing, 'small')}
                <div>
                  <p>
                    <a class="row-link" href="${base}${agency.path}/listings/${listing.public_id}"
                      >${titleText(visit, listing)}</a
                    >
                  </p>
                  <p class="small muted">${summaryText(visit, listing)}</p>
                </div>
              </div>
            </td>
            <td data-label="${t.common.status}">
              <div class="row">${statusBadges(visit, listing)}${missingBadge(visit, listing)}</div>
            </td>
            <td data-label="${texts.price}" class="end number nowrap strong">
              ${priceShown(visit, listing)}
            </td>
            <td data-label="${texts.code}" class="nowrap detail"><code>${listing.public_id}</code></td>
            <td data-label="${texts.updated}" class="nowrap detail">
              ${format.ago(listing.deleted_at ?? listing.updated_at)}
            </td>
            <td class="plain quick">${quickActions(visit, listing)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** How much a draft lacks; of others that is of no interest. */
function missingBadge({ t }: AgencyVisit, listing: Listing): Html {
  if (listing.status !== 'draft' || listing.deleted_at !== null) return nothing
  const { length } = missingToPublish(listing, listing.photos.length)
  return length === 0 ? nothing : html`<span class="badge badge-warn">${t.listings.lacks(length)}</span>`
}

function quickActions(visit: AgencyVisit, listing: Listing): Html {
  if (!mayEdit(visit, listing)) return nothing
  const { t, base, agency } = visit
  const path = `${agency.path}/listings/${listing.public_id}`
  const isReady = missingToPublish(listing, listing.photos.length).length === 0
  const title = titleText(visit, listing)
  const named = (text: string) => html`${text}<span class="visually-hidden">: ${title}</span>`
  return html`<div class="row">
    <a class="button button-small" href="${base}${path}/edit">${named(t.listingForm.edit)}</a>
    <a class="button button-small" href="${base}${path}/price">${named(t.listings.price)}</a>
    ${
      listing.status !== 'published' &&
      isReady &&
      postForm(
        visit,
        `${path}/publish`,
        html`<input type="hidden" name="version" value="${listing.version}" /><button
            class="button button-small"
          >
            ${named(t.listings.publish)}
          </button>`,
      )
    }
  </div>`
}
