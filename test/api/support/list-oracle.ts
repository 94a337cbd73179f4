/**
 * An oracle for `GET /properties`: computes the response in memory from docs/api.md, without any code of src: filters, accents, order,
 * pages, totals, fields.
 */

import { featureNames } from '../../support/app/fields.ts'

/** A listing in the oracle's form. */
export type Known = {
  agency_id: string
  agency: { name: string; slug: string }
  id: string
  external_id: string | null
  status: 'draft' | 'published' | 'disabled'
  removed: boolean
  title: string | null
  description: string | null
  operation: 'sale' | 'rent' | 'temporary' | null
  type: string | null
  amount: number | null
  currency: 'USD' | 'ARS' | null
  period: 'month' | 'week' | 'night' | null
  on_request: boolean
  address: string | null
  city: string | null
  province: string | null
  lat: number | null
  lng: number | null
  location_status: string | null
  features: Record<string, number | string | boolean>
  photos: string[]
  published_at: string | null
  created_at: string
  updated_at: string
}

/** The parameters, as strings or numbers. */
export type Query = {
  operation?: string
  type?: string
  city?: string
  neighborhood?: string
  min_price?: number
  max_price?: number
  currency?: string
  bedrooms?: number
  bathrooms?: number
  min_m2?: number
  max_m2?: number
  q?: string
  updated_since?: string
  status?: string
  external_id?: string
  sort?: string
  page?: number
  per_page?: number
  fields?: string
}

export const base = 'https://listings.test'
const plainTexts = new Map<string, string>()

/** Removes case and accents. */
function plain(text: string): string {
  const known = plainTexts.get(text)
  if (known !== undefined) return known
  const made = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/\s+/)
    .join(' ')
    .trim()
  plainTexts.set(text, made)
  return made
}

/** The significant characters of `q`: letters, digits, space, dot, apostrophe, slash, hyphen. */
function words(q: string): string[] {
  const counted = Array.from(plain(q), (character) =>
    /[\p{L}\p{N} .'/-]/u.test(character) ? character : ' ',
  )
  return counted
    .join('')
    .split(' ')
    .filter((word) => word !== '')
}

/** The listings of an agency that match the query, in order, over all pages. */
export function found(listings: readonly Known[], agencyId: string, query: Query): Known[] {
  const status = query.status ?? 'published'
  const since = query.updated_since === undefined ? null : readMoment(query.updated_since)
  const matching = listings.filter((listing) => {
    const texts = [listing.title, listing.address, listing.city].map((text) => plain(text ?? ''))
    const area = listing.features[listing.type === 'Lote' ? 'total_m2' : 'covered_m2'] as number | undefined
    const atLeast = (value: unknown, limit: number | undefined) =>
      limit === undefined || (typeof value === 'number' && value >= limit)
    const atMost = (value: unknown, limit: number | undefined) =>
      limit === undefined || (typeof value === 'number' && value <= limit)
    return (
      listing.agency_id === agencyId &&
      !listing.removed &&
      (status === 'all' || listing.status === status) &&
      (query.operation === undefined || listing.operation === query.operation) &&
      (query.type === undefined || (listing.type !== null && plain(listing.type) === plain(query.type))) &&
      (query.city === undefined || plain(listing.city ?? '').includes(plain(query.city))) &&
      (query.neighborhood === undefined ||
        texts.some((text) => text.includes(plain(query.neighborhood ?? '')))) &&
      (query.q === undefined || words(query.q).every((word) => texts.some((text) => text.includes(word)))) &&
      (query.currency === undefined || listing.currency === query.currency) &&
      atLeast(listing.amount, query.min_price) &&
      atMost(listing.amount, query.max_price) &&
      atLeast(listing.features['bedrooms'], query.bedrooms) &&
      atLeast(listing.features['bathrooms'], query.bathrooms) &&
      atLeast(area, query.min_m2) &&
      atMost(area, query.max_m2) &&
      (since === null || Date.parse(listing.updated_at) >= since) &&
      (query.external_id === undefined || listing.external_id === query.external_id)
    )
  })
  const { sort = 'recent' } = query
  // Descending price is ascending price in reverse, codes included.
  const byCode = sort === 'price_desc' ? -1 : 1
  return matching.sort((a, b) => inOrder(a, b, sort) || (a.id < b.id ? -byCode : byCode))
}

function inOrder(a: Known, b: Known, sort: string): number {
  if (sort === 'recent')
    return Date.parse(b.published_at ?? b.created_at) - Date.parse(a.published_at ?? a.created_at)
  if (sort === 'updated') return Date.parse(b.updated_at) - Date.parse(a.updated_at)
  if (a.amount === null || b.amount === null) return Number(a.amount === null) - Number(b.amount === null)
  return sort === 'price_asc' ? a.amount - b.amount : b.amount - a.amount
}

/** Parses ISO 8601, in UTC if it has no zone. */
function readMoment(text: string): number {
  const zoned = /(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T')
  return Date.parse(zoned ? text : `${text}Z`)
}

/** The whole response to a query, except the ETag. */
export function responseTo(listings: readonly Known[], agencyId: string, query: Query) {
  const { page = 1, per_page = 20 } = query
  const all = found(listings, agencyId, query)
  const total_pages = Math.ceil(all.length / per_page)
  const link = (target: number) => ({ ...query, page: target, per_page })
  return {
    data: all.slice((page - 1) * per_page, page * per_page).map((listing) => shown(listing, query.fields)),
    meta: { page, per_page, total: all.length, total_pages },
    links: {
      self: link(page),
      next: page < total_pages && page < 200 ? link(page + 1) : null,
      prev: page > 1 ? link(page - 1) : null,
    },
  }
}

/** A listing as the API shows it. */
function shown(listing: Known, fields?: string): Record<string, unknown> {
  const { agency, operation } = listing
  const rental = operation === 'rent' || operation === 'temporary'
  const whole: Record<string, unknown> = {
    id: listing.id,
    external_id: listing.external_id,
    status: listing.status,
    url: `${base}/inmobiliarias/${agency.slug}/${listing.id}`,
    title: listing.title,
    description: listing.description,
    operation,
    type: listing.type,
    price: {
      amount: listing.amount,
      currency: listing.currency,
      on_request: listing.on_request,
      ...(rental ? { period: listing.period } : {}),
    },
    expenses: null,
    address: listing.address,
    location: {
      city: listing.city,
      province: listing.province,
      neighborhood: null,
      lat: listing.lat,
      lng: listing.lng,
    },
    location_status: listing.location_status,
    features: Object.fromEntries(featureNames.map((name) => [name, listing.features[name] ?? null])),
    amenities: [],
    photos: listing.photos.map(
      (photo) => `${base}/photos/${listing.agency_id}/${listing.id}/${photo}/large.webp`,
    ),
    video_url: null,
    video_urls: [],
    virtual_tour_url: null,
    rental: rental
      ? { period: listing.period, min_stay: null, min_lease_months: null, services_included: [] }
      : null,
    reserved: false,
    agency: { ...agency, url: `${base}/inmobiliarias/${agency.slug}` },
    published_at: listing.published_at,
    created_at: listing.created_at,
    updated_at: listing.updated_at,
    missing: missingOf(listing),
  }
  if (fields === undefined) return whole
  const wanted = new Set(['id', ...fields.split(',')])
  if (wanted.has('location')) wanted.add('location_status')
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name)))
}

function missingOf({ operation, amount, on_request, period, photos, ...listing }: Known): string[] {
  const missing = {
    title: listing.title === null,
    type: listing.type === null,
    operation: operation === null,
    address: listing.address === null,
    price: amount === null && !on_request,
    'price.period': operation === 'temporary' && period === null,
    photos: photos.length < 3,
  }
  return Object.entries(missing).flatMap(([name, isMissing]) => (isMissing ? [name] : []))
}
