/**
 * Money, numbers, dates and the agencies' own words as the public pages show them (spec 'Property': texts are plain text).
 */
import type { Listing } from '../properties/listing.ts'
import type { Phrases } from './phrases-es.ts'

const noBreak = '\u00a0'
const timeZone = 'America/Argentina/Buenos_Aires'

const numberFormats = new Map<string, Intl.NumberFormat>()

/** `248000` → `248.000` in Argentina; cents only where there are any. */
export function number(value: number, { locale }: Phrases, decimals = 2): string {
  const key = `${locale} ${decimals}`
  let format = numberFormats.get(key)
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, {
      minimumFractionDigits: 0,
      maximumFractionDigits: decimals,
      useGrouping: 'always',
    })
    numberFormats.set(key, format)
  }
  return format.format(value)
}

/** `USD 248.000`, `$ 285.000`: dollars and pesos as listings in Argentina write them, told apart in English too. */
export function money(amount: number, currency: string | null, words: Phrases): string {
  const sign = currency === 'ARS' && words.locale === 'es-AR' ? '$' : (currency ?? '')
  const text = number(amount, words)
  const fraction = Math.round(amount * 100) % 100
  // Half of a cent pair reads as a typing error: 1.500,5.
  return `${sign}${noBreak}${fraction !== 0 && fraction % 10 === 0 ? `${text}0` : text}`
}

/** The price as its own line; the period is told apart. */
export function priceLine(listing: Listing, words: Phrases): { amount: string; period: string | null } {
  if (listing.price_amount === null) return { amount: words.priceOnRequest, period: null }
  return {
    amount: money(listing.price_amount, listing.price_currency, words),
    period: listing.price_period === null ? null : (words.periods[listing.price_period] ?? null),
  }
}

/** The day in Argentina: `12 de noviembre de 2026`. */
export function day(moment: string, { locale }: Phrases): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }).format(new Date(moment))
}

/** Departamento en venta. */
export function offered(listing: Pick<Listing, 'type' | 'operation'>, words: Phrases): string {
  const type = words.types[listing.type ?? '']?.[0] ?? words.property
  const operation = words.operations[listing.operation ?? '']
  return operation === undefined ? type : words.offered(type, operation)
}

/** City and province, once where they are called the same. */
export function placeOf({ city, province }: Pick<Listing, 'city' | 'province'>): string {
  return [...new Set([city, province].filter((name) => name !== null))].map(oneLine).join(', ')
}

// Marks that turn the direction of what follows, and controls: in a line by itself they could reorder what is not the agency's.
const unruly = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** The agency's words where only a line of text fits: titles of windows, previews, data. */
export function oneLine(text: string): string {
  return text.replaceAll(unruly, ' ').replaceAll(/\s+/gu, ' ').trim()
}

/** The beginning of a text, cut between words. */
export function excerpt(text: string, length: number): string {
  const line = oneLine(text)
  if (line.length <= length) return line
  const cut = line.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '').replace(/[\s,.;:]+$/, '')}…`
}

/** Whether a stored address is one that a page may link to: whatever its source, never `javascript:`. */
export function isWebAddress(text: string | null): text is string {
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
