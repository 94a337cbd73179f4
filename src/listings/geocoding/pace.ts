/**
 * Spaces the requests to a service over all instances and restarts: each request reserves its own time slot in the database (api.md 12.2).
 */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'

const reserve = statement<{ wait_ms: number }>(`
  insert into geocoding_pace as pace (provider, free_at)
  select $1::text, at + $2::float8 * interval '1 ms'
  from (select clock_timestamp() + $4::float8 * interval '1 ms' as at) as moment
  on conflict (provider) do update
    set free_at = greatest(pace.free_at, excluded.free_at - $2::float8 * interval '1 ms') + $2::float8 * interval '1 ms'
    where pace.free_at <= excluded.free_at - $2::float8 * interval '1 ms' + $3::float8 * interval '1 ms'
  returning extract(epoch from free_at - $2::float8 * interval '1 ms'
    - (clock_timestamp() + $4::float8 * interval '1 ms'))::float8 * 1000 as wait_ms`)

/**
 * Reserves the next free time slot.
 * @returns the wait until then, in milliseconds; null, with nothing reserved, when it is longer than `maxWaitMs`
 */
export async function reserveMoment(
  db: Db,
  clock: Clock,
  { provider, intervalMs, maxWaitMs }: { provider: string; intervalMs: number; maxWaitMs: number },
): Promise<number | null> {
  const [row] = await reserve(db, [provider, intervalMs, maxWaitMs, clock.offsetMs])
  return row === undefined ? null : Math.max(0, Math.round(row.wait_ms))
}
