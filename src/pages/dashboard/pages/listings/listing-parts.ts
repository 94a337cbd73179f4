/** Parts shared by the page of a listing and the lists of listings: state, price, cover. */
import { asSystemName } from '../../../../writing/actor.ts'
import { features } from '../../../../listings/fields/features.ts'
import type { Field } from '../../../../listings/fields/field.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { photoUrl } from '../../../../listings/photos/names-and-urls.ts'
import { fieldLabel } from '../../forms/field-labels.ts'
import { agencyCrumbs } from '../../parts/page-parts.ts'
import { listingPath } from '../../requested-listing.ts'
import type { AgencyRequest, PageRequest } from '../../serving/page.ts'
import type { Crumb } from '../../../framework/breadcrumbs.ts'
import { icon } from '../../../framework/icons.ts'
import { html, type Html, type Piece } from '../../../../platform/web/html.ts'
import { everydayLocality } from '../../../../platform/web/language/text.ts'
import type { Actor } from '../../../../writing/actor.ts'

export function statusBadges({ t }: PageRequest, listing: Listing): Html {
  const texts = t.listings
  const kinds = { published: 'badge-good', draft: '', disabled: 'badge-warn' } as const
  const status =
    listing.deleted_at === null
      ? html`<span class="badge badge-dot ${kinds[listing.status]}">${texts.statuses[listing.status]}</span>`
      : html`<span class="badge badge-dot badge-bad">${texts.statuses.removed}</span>`
  return html`<span class="row"
    >${status}${listing.reserved && html`<span class="badge badge-info">${t.listings.stateChanges.reserved}</span>`}</span
  >`
}

export function priceText(request: PageRequest, listing: Listing): string {
  const { price_amount: amount, price_currency: currency, price_period: period } = listing
  const price = priceWords(request, { amount, currency, period, on_request: listing.price_on_request })
  return price ?? request.t.listings.noPrice
}

export function priceShown(request: PageRequest, listing: Listing): Piece {
  const { price_amount: amount, price_on_request: onRequest } = listing
  const text = priceText(request, listing)
  return amount === null && !onRequest ? html`<span class="muted">${text}</span>` : text
}

type PriceParts = Readonly<{
  amount?: number | null
  currency?: string | null
  period?: string | null
  on_request?: boolean
}>

/** A price in one line; null if there is none. */
function priceWords({ format }: PageRequest, parts: PriceParts): string | null {
  const { amount = null, currency = null, period = null, on_request: onRequest = false } = parts
  const price = format.price({ amount, currency, period, onRequest })
  return price === null ? null : [price.amount, price.period].filter(Boolean).join(' ')
}

export function titleText({ t }: PageRequest, { title }: Pick<Listing, 'title'>): string {
  return title ?? t.listings.untitled
}

type Titled = Pick<Listing, 'public_id' | 'title'>

export function listingLink(request: AgencyRequest, listing: Titled, below = ''): Html {
  const url = `${request.base}${listingPath(request, listing)}${below}`
  return html`<a href="${url}">${titleText(request, listing)}</a>`
}

/** @param actor `name`: null if the person was erased */
export function actorText({ t }: PageRequest, actor: { kind: Actor['kind']; name: string | null }): string {
  const system = asSystemName(actor)
  const name = system === null ? (actor.name ?? t.common.erasedPerson) : t.listings.systems[system]
  return t.listings.by[actor.kind](name)
}

/** Breadcrumbs of a listing's further pages. @param listing null for the page of the listing itself, and for a new one */
export function listingCrumbs(request: AgencyRequest, listing: Listing | null): Crumb[] {
  const { t, agency } = request
  const list: Crumb[] = [...agencyCrumbs(request), [t.nav.listings, `${agency.path}/listings`]]
  return listing === null ? list : [...list, [titleText(request, listing), listingPath(request, listing)]]
}

type Size = 'small' | 'medium' | 'large'

/** The path of a stored picture on this host, which may not be the public one. */
export function pictureOf({ base }: PageRequest, listing: Listing, photo: string, size: Size): string {
  return photoUrl(base, listing.agency_id, listing.public_id, photo, size)
}

/** The first photo, or a placeholder. Nobody sees photos of removed listings. */
export function cover(request: PageRequest, listing: Listing, size: 'small' | 'medium'): Html {
  const [photo] = listing.deleted_at === null ? listing.photos : []
  if (photo === undefined) return html`<span class="cover cover-none">${icon('photo')}</span>`
  return html`<img
    class="cover"
    src="${pictureOf(request, listing, photo, size)}"
    alt=""
    loading="lazy"
    width="320"
    height="213"
  />`
}

const featureWords = new Map(
  Object.entries<Field>(features).flatMap(([name, { words }]) =>
    words === undefined ? [] : [[name, words]],
  ),
)

/** A value of a closed list in the reader's language; other texts unchanged. */
export function wordFor({ t, language }: PageRequest, field: string, value: string): string {
  const texts = t.listings
  if (field === 'type') return texts.types[value]?.[0] ?? value
  const words: Record<string, Record<string, string>> = {
    status: texts.statuses,
    operation: texts.operations,
    period: texts.periods,
    location_status: texts.precisions,
    close_reason: texts.closeReasons,
  }
  return words[field]?.[value] ?? featureWords.get(field)?.[value]?.[language] ?? value
}

/** The value of any field in one line; null if there is none. @param name as the contract or the history has it: `features.rooms` */
export function valueText(request: PageRequest, name: string, value: unknown): string | null {
  const { t, format } = request
  const part = name.replace(/^.*\./, '')
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no
  if (typeof value === 'number')
    return part === 'lat' || part === 'lng' ? String(value) : format.number(value)
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ')
  if (typeof value !== 'object') return wordFor(request, part, String(value))
  const price = priceWords(request, value as PriceParts)
  if (price !== null) return price
  const parts = Object.entries(value).flatMap(([key, held]: [string, unknown]) => {
    const text = held === false ? null : valueText(request, `${name}.${key}`, held)
    return text === null ? [] : [`${fieldLabel(request, `${name}.${key}`)}: ${text}`]
  })
  return parts.length === 0 ? null : parts.join(', ')
}

/** `Departamento · Venta · La Plata`. */
export function summaryText(request: PageRequest, listing: Listing): string {
  const { type, operation, city } = listing
  const words = [valueText(request, 'type', type), valueText(request, 'operation', operation)]
  return [...words, everydayLocality(city)].filter((part) => part !== null).join(' · ')
}
