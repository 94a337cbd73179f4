/** The data that close a listing (api.md 11.3): their schema, the rules that a schema cannot express, and their columns. */
import Type, { type Static, type TObject } from 'typebox'
import { dateTimePattern, parseDateTime } from '../../../platform/time/date-time.ts'
import type { Problems } from '../../../platform/errors/errors.ts'
import { numberLimits } from '../../../limits/sizes.ts'
import { hasCents, type Inexact } from '../../fields/payload.ts'
import { nullable } from '../../fields/schema.ts'
import type { Listing } from '../../listing.ts'
import { currencies, type DisableReason, disableReasons } from '../../fields/vocabulary.ts'

/** Why and how a listing closed. `closed_at` is ISO 8601 with a zone. */
export type Closing = {
  reason?: DisableReason | null
  close_price?: number | { amount: number; currency: string } | null
  closed_at?: string | null
}

export const notClosed = { close_reason: null, closed_at: null, close_amount: null, close_currency: null }

const amount = { exclusiveMinimum: 0, maximum: numberLimits.amount }
const money = {
  properties: { amount: { type: 'number', ...amount }, currency: { type: 'string', enum: [...currencies] } },
  required: ['amount', 'currency'],
  additionalProperties: false,
}

/** Reason, final price and date of the closing. */
export const closingProperties = {
  reason: Type.Optional(
    nullable<DisableReason>({ type: 'string', enum: disableReasons, description: 'Why it is disabled.' }),
  ),
  close_price: Type.Optional(
    Type.Unsafe<Closing['close_price']>({
      type: ['number', 'object', 'null'],
      ...amount,
      ...money,
      // The document has one branch per type, for code generators. Validation has none, so that its errors name the exact field.
      shownAs: {
        description:
          'The real price, a number in the currency of the listing or with its own; at most 2 decimals. With `sold` or `rented` only.',
        oneOf: [{ type: 'number', ...amount }, { type: 'object', ...money }, { type: 'null' }],
      },
    }),
  ),
  closed_at: Type.Optional(
    nullable<string>({
      type: 'string',
      shownWith: { pattern: dateTimePattern },
      description:
        'A date, or a date and time, in ISO 8601; UTC without a zone; now if left out. With `sold` or `rented` only.',
      examples: ['2026-11-20'],
    }),
  ),
}

export type SentClosing = Static<TObject<typeof closingProperties>>

/**
 * Checks the decimals of the price and the date.
 * @param sent the fields, or anything sent instead: only values of the right type are checked
 * @param inexact paths of the numbers that a double cannot hold exactly
 * @param prefix put before the names in errors: `items[3].`
 */
export function checkClosing(
  sent: { readonly [field in keyof SentClosing]?: unknown },
  inexact: Inexact,
  problems: Problems,
  prefix = '',
): void {
  const { close_price: price, closed_at: closedAt } = sent
  const amount = typeof price === 'object' && price !== null && 'amount' in price ? price.amount : price
  const name = typeof price === 'number' ? 'close_price' : 'close_price.amount'
  if (typeof amount === 'number' && (!hasCents(amount) || inexact.has(prefix + name)))
    problems.add(prefix + name, `${prefix}${name} must have at most 2 decimals.`)
  if (typeof closedAt === 'string' && parseDateTime(closedAt) === null)
    problems.add(
      `${prefix}closed_at`,
      `${prefix}closed_at must be an ISO 8601 date, or date and time, such as 2026-11-20T09:30:00Z.`,
    )
}

/** The closing data that `checkClosing` has passed, with the date in UTC. */
export function readClosing(sent: SentClosing): Closing {
  return sent.closed_at == null ? sent : { ...sent, closed_at: parseDateTime(sent.closed_at) }
}

export function isClosed(reason: string | null | undefined): boolean {
  return reason === 'sold' || reason === 'rented'
}

/** Checks what depends on the listing: closing data belong to a sale or rental, and a price without a currency takes the listing's. */
export function checkClosingFits(before: Listing, closing: Closing, problems: Problems): void {
  // A suspended listing keeps its recorded reason.
  const reason = closing.reason ?? (before.status === 'disabled' ? before.close_reason : null)
  if (!isClosed(reason)) {
    for (const name of ['close_price', 'closed_at'] as const) {
      if (closing[name] != null)
        problems.add(name, `${name} is only for the reasons sold and rented.`, 'closing_apart')
    }
  }
  if (typeof closing.close_price === 'number' && before.price_currency === null) {
    problems.add('close_price', 'The listing has no currency. Send close_price as {"amount", "currency"}.')
  }
}

/** The columns of a listing that is closed by this. @param defaultClosedAt the moment if none was sent */
export function closingColumns(before: Listing, closing: Closing, defaultClosedAt: string | null) {
  const was = before.status === 'disabled' ? before : { ...before, ...notClosed }
  const reason = closing.reason ?? was.close_reason
  if (!isClosed(reason)) return { ...notClosed, close_reason: reason }
  const sent = closing.close_price ?? { amount: was.close_amount, currency: was.close_currency }
  const price = typeof sent === 'number' ? { amount: sent, currency: before.price_currency } : sent
  return {
    close_reason: reason,
    closed_at: closing.closed_at == null ? defaultClosedAt : new Date(closing.closed_at).toISOString(),
    close_amount: price.amount,
    close_currency: price.currency,
  }
}
