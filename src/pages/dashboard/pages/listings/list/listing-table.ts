/** Listings as a table, with quick actions in each row. */
import { buttonForm } from '../../../forms/forms.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { missingToPublish } from '../../../../../listings/fields/publishable.ts'
import { fieldLabel } from '../../../forms/field-labels.ts'
import { cover, priceShown, statusBadges, summaryText, titleText } from '../listing-parts.ts'
import { listingPath, mayEdit } from '../../../requested-listing.ts'
import { atEnd, type Column, table } from '../../../parts/tables.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { html, type Html, nothing } from '../../../../../platform/web/html.ts'

export function listingTable(request: AgencyRequest, listings: readonly Listing[]): Html {
  const { t, format, base, agency } = request
  const texts = t.listings
  const path = `${base}${agency.path}/listings`
  const columns: Column<Listing>[] = [
    {
      title: t.common.listing,
      cell: (listing) =>
        html`<div class="listing-cell">
          ${cover(request, listing, 'small')}
          <div>
            <p><a class="row-link" href="${path}/${listing.public_id}">${titleText(request, listing)}</a></p>
            <p class="small muted">${summaryText(request, listing)}</p>
          </div>
        </div>`,
      className: 'wide-cell',
    },
    {
      title: t.common.status,
      cell: (listing) =>
        html`<div class="row">${statusBadges(request, listing)}${missingBadge(request, listing)}</div>`,
    },
    {
      title: fieldLabel(request, 'price'),
      cell: (listing) => priceShown(request, listing),
      className: `${atEnd} nowrap strong`,
    },
    {
      title: texts.code,
      cell: ({ public_id: code }) => html`<code>${code}</code>`,
      className: 'nowrap detail',
    },
    {
      title: texts.sorts.updated,
      cell: (listing) => format.ago(listing.deleted_at ?? listing.updated_at),
      className: 'nowrap detail',
    },
    {
      title: t.common.actions,
      cell: (listing) => quickActions(request, listing),
      className: 'quick',
      hidesTitle: true,
    },
  ]
  return table(columns, listings, { caption: t.nav.listings, className: 'table-brief' })
}

/** The number of fields that a draft lacks; nothing for other listings. */
function missingBadge({ t }: AgencyRequest, listing: Listing): Html {
  if (listing.status !== 'draft' || listing.deleted_at !== null) return nothing
  const { length } = missingToPublish(listing, listing.photos.length)
  return length === 0 ? nothing : html`<span class="badge badge-warn">${t.listings.lacks(length)}</span>`
}

function quickActions(request: AgencyRequest, listing: Listing): Html {
  if (!mayEdit(request, listing)) return nothing
  const { t, base } = request
  const path = listingPath(request, listing)
  const isReady = missingToPublish(listing, listing.photos.length).length === 0
  const title = titleText(request, listing)
  const named = (text: string) => html`${text}<span class="visually-hidden">: ${title}</span>`
  return html`<div class="row">
    <a class="button button-small" href="${base}${path}/edit">${named(t.listingForm.edit)}</a>
    <a class="button button-small" href="${base}${path}/price">${named(fieldLabel(request, 'price'))}</a>
    ${
      listing.status !== 'published' &&
      isReady &&
      buttonForm(
        request,
        `${path}/publish`,
        { version: listing.version },
        named(t.listings.publish),
        'button-small',
      )
    }
  </div>`
}
