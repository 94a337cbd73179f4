/**
 * What a listing says of the property: its fields and its description.
 */
import { html, type Html, joined, nothing } from '../../../platform/web/html.ts'
import type { Listing } from '../../../listings/listing.ts'
import { featureNames, isRental } from '../../../listings/vocabulary.ts'
import { fact } from '../tables.ts'
import type { Visit } from '../visit.ts'
import { typeText, wordFor } from './listing-parts.ts'

export function descriptionPart({ t }: Visit, { description }: Listing): Html {
  if (description === null) return nothing
  return html`<section class="card">
    <h2 class="card-head">${t.listings.description}</h2>
    <p class="prose">${description}</p>
  </section>`
}

export function factsPart(visit: Visit, listing: Listing): Html {
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
  const facts = html`${fact(texts.operation, listing.operation !== null && texts.operations[listing.operation])}
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
  )}`
  if (facts.markup.trim() === '') return nothing
  return html`<section class="card">
    <h2 class="card-head">${texts.details}</h2>
    <dl class="facts facts-wide">${facts}</dl>
  </section>`
}
