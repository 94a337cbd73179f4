/** The page of one listing, with its state, facts and description. Its most important parts come first. */
import { listingUrl } from '../../../../listings/reading/shown/serialize.ts'
import { notice } from '../../forms/forms.ts'
import { lacksPart } from './form/form-parts.ts'
import { framed } from '../../parts/page-parts.ts'
import { actionPart } from './action-part.ts'
import { historyPart } from './history/history.ts'
import { listingCrumbs, priceText, statusBadges, summaryText, titleText, valueText } from './listing-parts.ts'
import { warningPart } from './warnings/warnings.ts'
import { galleryPart } from './photos/photo-grid.ts'
import { visitsPart } from './visits.ts'
import { mapPart } from '../../parts/place.ts'
import { listingOf, listingPath, mayEdit } from '../../requested-listing.ts'
import type { AgencyRequest, PageDocument, PageRequest } from '../../serving/page.ts'
import { icon } from '../../../framework/icons.ts'
import { html, type Html, joined, nothing, type Piece } from '../../../../platform/web/html.ts'
import { type Section, unitText } from '../../../../listings/fields/field.ts'
import { type Leaf, leaves } from '../../../../listings/fields/field-lists.ts'
import { leafValue } from '../../../../listings/fields/content.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { isRental } from '../../../../listings/fields/vocabulary.ts'
import { fieldLabel } from '../../forms/field-labels.ts'
import { fact } from '../../parts/tables.ts'

export async function listingPage(request: AgencyRequest): Promise<PageDocument> {
  const { t, deps, agency, format } = request
  const texts = t.listings
  const listing = await listingOf(request)
  const isRemoved = listing.deleted_at !== null
  const isPublic = listing.status === 'published' && !isRemoved
  const edit = `${request.base}${listingPath(request, listing)}/edit`
  const url = listingUrl(deps.config.publicBaseUrl, agency.slug, listing.public_id)
  return framed(
    request,
    {
      title: titleText(request, listing),
      section: 'listings',
      scripts: ['maps.js'],
      subtitle: summaryText(request, listing),
      crumbs: listingCrumbs(request, null),
      actions: html`${mayEdit(request, listing) && html`<a class="button button-primary" href="${edit}">${icon('edit')}${t.listingForm.edit}</a>`}
      ${isPublic && html`<a class="button" href="${url}">${icon('open')}${texts.publicPage}</a>`}`,
    },
    html`${isRemoved && notice('warn', texts.isRemoved(format.plainMoment(listing.deleted_at ?? '')))}
      <div class="listing-columns">
        <div class="stack-l">
          ${statePart(request, listing)} ${await warningPart(request, listing)}
          ${!isRemoved && lacksPart(request, listing)} ${actionPart(request, listing)}
        </div>
        <div class="stack-l">
          ${galleryPart(request, listing)} ${await visitsPart(request, listing)}
          ${factsPart(request, listing)} ${await mapPart(request, listing)}
          ${descriptionPart(request, listing)} ${await historyPart(request, listing)}
        </div>
      </div>`,
  )
}

function statePart(request: AgencyRequest, listing: Listing): Html {
  const { t, format, base } = request
  const texts = t.listings
  return html`<section class="card stack-s">
    ${statusBadges(request, listing)}
    <div class="row-apart">
      <p class="price">${priceText(request, listing)}</p>
      ${
        mayEdit(request, listing) &&
        html`<a class="button button-small" href="${base}${listingPath(request, listing)}/price"
          >${t.listingForm.correctPrice}</a
        >`
      }
    </div>
    <dl class="facts small">
      ${fact(texts.code, html`<code>${listing.public_id}</code>`)}
      ${fact(texts.externalId, listing.external_id)}
      ${fact(fieldLabel(request, 'close_reason'), valueText(request, 'close_reason', listing.close_reason))}
      ${fact(fieldLabel(request, 'closed_at'), listing.closed_at !== null && format.date(listing.closed_at))}
      ${fact(fieldLabel(request, 'close_price'), listing.close_amount !== null && format.money(listing.close_amount, listing.close_currency))}
      ${fact(texts.statuses.published, listing.published_at !== null && format.moment(listing.published_at))}
      ${fact(texts.sorts.updated, format.moment(listing.updated_at))}
      ${fact(t.common.created, format.moment(listing.created_at))}
    </dl>
  </section>`
}

function descriptionPart(request: PageRequest, { description }: Listing): Html {
  if (description === null) return nothing
  return html`<section class="card">
    <h2 class="card-head">${fieldLabel(request, 'description')}</h2>
    <p class="prose">${description}</p>
  </section>`
}

const factSections: readonly Section[] = ['operation', 'place', 'price', 'features', 'more', 'rental']
/** Omits fields shown elsewhere: the price above, the pin on the map, URLs last, the province beside the city, currencies with amounts. */
const isFact = ({ path, group, field: { kind } }: Leaf): boolean =>
  group !== 'price' &&
  kind !== 'coordinate' &&
  kind !== 'url' &&
  kind !== 'urls' &&
  path !== 'location.province' &&
  path !== 'expenses.currency'
const factLeaves = factSections.flatMap((section) =>
  leaves.filter((leaf) => leaf.section === section && isFact(leaf)),
)

function factsPart(request: PageRequest, listing: Listing): Html {
  const facts = html`${factLeaves.map((leaf) => fact(fieldLabel(request, leaf.path), factValue(request, listing, leaf)))}
  ${fact(request.t.listings.videos, linksOf(listing))}`
  if (facts.markup.trim() === '') return nothing
  return html`<section class="card">
    <h2 class="card-head">${request.t.listings.details}</h2>
    <dl class="facts facts-wide">${facts}</dl>
  </section>`
}

function factValue(request: PageRequest, listing: Listing, leaf: Leaf): Piece {
  const { path, group, field } = leaf
  const { operation, city, province, expenses_currency: currency } = listing
  if (path === 'location.city')
    return [...new Set([city, province].filter((part) => part !== null))].join(', ') || null
  if (group === 'rental' && !isRental(operation)) return null
  const value = leafValue(listing, leaf)
  if (field.kind === 'money') return value === null ? null : request.format.money(Number(value), currency)
  if (group === 'rental' && typeof value === 'number')
    return unitText(field, request.language, value) ?? request.format.number(value)
  if (path === 'amenities' && Array.isArray(value) && value.length > 0)
    return joined(
      value.map((one) => html`<span class="badge badge-text">${String(one)}</span>`),
      ' ',
    )
  return valueText(request, path, value)
}

function linksOf({ video_url: video, video_urls: videos, virtual_tour_url: tour }: Listing): Piece {
  const links = [video, ...videos, tour].filter((url) => url !== null)
  if (links.length === 0) return null
  return joined(
    links.map((url) => html`<a href="${url}" rel="noopener noreferrer">${url}</a>`),
    html`<br />`,
  )
}
