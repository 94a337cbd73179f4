/**
 * The changes of state (api.md 11.1): publish, suspend, reserve, release and remove. Each takes the listing as the transaction read
 * it under the agency's lock, and counts toward the listing's limits (api.md 6.1).
 */
import { checked, invalid } from '../../../platform/errors/errors.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { blockingLimit, rateLimited } from '../../../limits/refusal.ts'
import type { LimitName } from '../../../limits/table.ts'
import type { Action } from '../../history/history.ts'
import type { Listing } from '../../listing.ts'
import { checkPublishable } from '../../fields/publishable.ts'
import { collectChange, type WriteContext } from '../../store/write-context.ts'
import { checkClosingFits, type Closing, closingColumns, isClosed, notClosed } from './closing.ts'

/** Publishes a draft or a suspended listing. Leaves a published one unchanged. @throws ApiError the 422s of publishing */
export async function enableListing(context: WriteContext, before: Listing): Promise<Listing> {
  if (before.status === 'published') return before
  checkPublishable(before, before.photos.length, 'has')
  await checkStateChanges(context, before, 'published')
  return collectChange(context, before, 'published', (at) => ({
    ...notClosed,
    status: 'published',
    published_at: at,
  }))
}

/**
 * Suspends a published listing. If it is suspended already, only records the closing data that was sent.
 * @throws ApiError `invalid_parameter` for a draft (`status`), and for closing data without `sold` or `rented`
 */
export async function disableListing(context: WriteContext, before: Listing, closing: Closing) {
  if (before.status === 'draft') {
    throw invalid(
      'status',
      'A draft is not shown, so it cannot be disabled. Publish it with /enable, or remove it with DELETE.',
    )
  }
  checked((problems) => checkClosingFits(before, closing, problems))
  if (before.status === 'published') {
    await checkStateChanges(context, before, 'disabled')
    return collectChange(context, before, 'disabled', (at) => ({
      status: 'disabled',
      ...closingColumns(before, closing, at),
    }))
  }
  const recorded = closingColumns(before, closing, before.closed_at ?? null)
  if (closing.reason == null && closing.close_price == null && closing.closed_at == null) return before
  if (recorded.closed_at === null && isClosed(recorded.close_reason)) {
    return collectChange(context, before, 'closing_recorded', (at) => ({ ...recorded, closed_at: at }))
  }
  return collectChange(context, before, 'closing_recorded', recorded)
}

/** Marks a listing as reserved. Leaves a reserved one unchanged. */
export async function reserveListing(context: WriteContext, before: Listing): Promise<Listing> {
  if (before.reserved) return before
  await checkStateChanges(context, before, 'reserved')
  return collectChange(context, before, 'reserved', { reserved: true })
}

/** Removes the reservation. Leaves a listing without one unchanged. */
export async function releaseListing(context: WriteContext, before: Listing): Promise<Listing> {
  if (!before.reserved) return before
  await checkStateChanges(context, before, 'released')
  return collectChange(context, before, 'released', { reserved: false })
}

/** Marks a listing as removed: the API no longer shows it, its external id is free again, and the operator can restore it. */
export async function deleteListing(context: WriteContext, before: Listing): Promise<Listing> {
  await checkStateChanges(context, before, 'deleted')
  return collectChange(context, before, 'deleted', (at) => ({ deleted_at: at }))
}

const counted: readonly Action[] = ['published', 'disabled', 'reserved', 'released', 'deleted']

/**
 * The latest changes first. `leaves`: seconds until the change leaves the window. Values: agency, listing, actions, window in seconds, the
 * clock's offset.
 */
const recent = statement<{ action: Action; leaves: number }>(`
  select action, ceil(extract(epoch from at + $4 * interval '1 second' - now))::int as leaves
  from listing_history, (select clock_timestamp() + $5::float8 * interval '1 ms' as now) moment
  where agency_id = $1 and property_id = $2 and action = any ($3) and at > now - $4 * interval '1 second'
  order by at desc`)

/**
 * Counts the changes of the limit's window in the history, by any key or by the dashboard. The window slides, unlike those of other limits,
 * because the history has the time of each change. A dry run is not refused, but notes the limits.
 * @throws ApiError `rate_limited` if the listing has no change of this kind left
 */
async function checkStateChanges(context: WriteContext, listing: Listing, action: Action): Promise<void> {
  const { tx, clock, limits, writes, dryRun } = context
  if (writes.holds(listing.id)) await writes.send()
  const all: LimitName = 'state_changes_per_day'
  const { windowSeconds } = limits[all]
  const changes = await recent(tx, [listing.agency_id, listing.id, counted, windowSeconds, clock.offsetMs])
  const own: Partial<Record<Action, LimitName>> = {
    published: 'enables_per_day',
    disabled: 'disables_per_day',
  }
  const exhausted = [all, own[action] ?? []].flat().flatMap((name) => {
    const counting = name === all ? changes : changes.filter((change) => change.action === action)
    const { max } = limits[name]
    if (counting.length < max) return []
    // The limit has room again when the oldest of the latest `max` changes leaves the window.
    const resets = counting[max - 1]?.leaves ?? windowSeconds
    return [blockingLimit(name, limits[name], { used: counting.length, resets })]
  })
  dryRun?.addCost({ state_changes: 1 })
  if (exhausted.length === 0) return
  if (dryRun === null) throw rateLimited(exhausted)
  dryRun.addExhausted(exhausted)
}
