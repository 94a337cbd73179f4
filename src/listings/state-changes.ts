/**
 * Limits how often a listing may change state (api.md 6.1). Counts the changes of the last 24 hours in its history, by any key or by the
 * dashboard. The agency must be locked.
 */
import { statement } from '../platform/db/statement.ts'
import type { LimitName } from '../limits/table.ts'
import { blockingLimit, rateLimited } from '../limits/refusal.ts'
import type { Action } from './history/history.ts'
import type { Listing } from './listing.ts'
import type { WriteContext } from './store.ts'

const counted: readonly Action[] = ['published', 'disabled', 'reserved', 'released', 'deleted']

const recent = statement<{ action: Action; leaves: number }>(`
  select action, ceil(extract(epoch from at + $4 * interval '1 second' - now))::int as leaves
  from listing_history, (select clock_timestamp() + $5::float8 * interval '1 ms' as now) moment
  where agency_id = $1 and property_id = $2 and action = any ($3) and at > now - $4 * interval '1 second'
  order by at desc`)

/** A dry run only notes the change. @throws ApiError `rate_limited` if the listing has no change of this kind left */
export async function checkStateChanges(
  context: WriteContext,
  listing: Listing,
  action: Action,
): Promise<void> {
  const { tx, clock, limits, writes, dryRun } = context
  if (writes.holds(listing.id)) await writes.send()
  const all: LimitName = 'state_changes_per_day'
  const { windowSeconds } = limits[all]
  const changes = await recent(tx, [listing.agency_id, listing.id, counted, windowSeconds, clock.offsetMs])
  const own = { published: 'enables_per_day', disabled: 'disables_per_day' } as const
  const kinds: { name: LimitName; leaves: number[] }[] = [
    { name: all, leaves: changes.map(({ leaves }) => leaves) },
  ]
  if (action === 'published' || action === 'disabled') {
    const same = changes.filter((change) => change.action === action)
    kinds.push({ name: own[action], leaves: same.map(({ leaves }) => leaves) })
  }
  const exhausted = kinds.flatMap(({ name, leaves }) => {
    const { max } = limits[name]
    if (leaves.length < max) return []
    // The limit has room again when the oldest of the latest `max` changes leaves the window.
    const resets = leaves[max - 1] ?? windowSeconds
    return [blockingLimit(name, limits[name], { used: leaves.length, resets })]
  })
  if (dryRun !== null) {
    dryRun.cost.state_changes += 1
    for (const { name, resets } of exhausted)
      dryRun.exhausted.set(name, Math.max(resets, dryRun.exhausted.get(name) ?? 0))
  } else if (exhausted.length > 0) throw rateLimited(exhausted)
}
