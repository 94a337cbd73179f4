/**
 * Caches geocoders' answers in the database, for all agencies and instances (api.md 12.2): pins for half a year, unknown addresses for a
 * week. Also reserves time slots, so that all instances together keep a geocoder's pace.
 */
import type { Clock } from '../../platform/time/clock.ts'
import { dayMs } from '../../platform/time/days.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { reaper } from '../../platform/db/upkeep/reaper.ts'
import type { Pin } from './geocoder.ts'

const foundMs = 180 * dayMs
const noneMs = 7 * dayMs

/** `question`: the key of the lookup. */
type CachedAnswer = { question: string; lat: number | null; lng: number | null; status: Pin['status'] | null }

/** A row without coordinates: the geocoder does not know the address. Values: provider, keys of lookups, the clock's offset. */
const selectAnswers = statement<CachedAnswer>(`
  select question, lat, lng, status from geocoding_cache
  where provider = $1 and question = any ($2::text[])
    and kept_until > clock_timestamp() + $3::float8 * interval '1 ms'`)

/**
 * Locks the rows in the order of the lookups, so that writers never wait for each other in a circle. Values: provider; keys,
 * latitudes, longitudes and statuses; the clock's offset; how long to keep a found address and an unknown one. Times are in ms.
 */
const upsertAnswers = statement(`
  insert into geocoding_cache (provider, question, lat, lng, status, kept_until)
  select $1, question, lat, lng, status, clock_timestamp()
    + ($6::float8 + case when status is null then $8::float8 else $7::float8 end) * interval '1 ms'
  from unnest($2::text[], $3::float8[], $4::float8[], $5::text[]) as answer (question, lat, lng, status)
  order by question
  on conflict (provider, question) do update
    set lat = excluded.lat, lng = excluded.lng, status = excluded.status, kept_until = excluded.kept_until`)

export function openCache(db: Db, clock: Clock, provider: string) {
  return {
    /** The cached answers by the lookup's key; null for an unknown address. */
    async read(keys: readonly string[]) {
      const rows = await selectAnswers(db, [provider, keys, clock.offsetMs])
      return new Map(rows.map((row) => [row.question, toPin(row)]))
    },
    /** Replaces older answers. */
    async write(answers: ReadonlyMap<string, Pin | null>) {
      const pins = [...answers.values()]
      await upsertAnswers(db, [
        provider,
        [...answers.keys()],
        pins.map((pin) => pin?.lat ?? null),
        pins.map((pin) => pin?.lng ?? null),
        pins.map((pin) => pin?.status ?? null),
        clock.offsetMs,
        foundMs,
        noneMs,
      ])
    },
  }
}

function toPin({ lat, lng, status }: CachedAnswer): Pin | null {
  return lat === null || lng === null || status === null ? null : { lat, lng, status }
}

export const reapGeocodingCache = reaper({
  table: 'geocoding_cache',
  key: 'provider, question',
  column: 'kept_until',
})

/**
 * Takes the provider's next slot and moves `free_at` behind it. Empty, with nothing changed, if the slot is too far off. Values: provider,
 * interval, maximum wait, the clock's offset. Times are in ms.
 */
const reserve = statement<{ wait_ms: number }>(`
  insert into geocoding_pace as pace (provider, free_at)
  select $1::text, now + $2::float8 * interval '1 ms'
  from (select clock_timestamp() + $4::float8 * interval '1 ms' as now) as moment
  on conflict (provider) do update
    set free_at = greatest(pace.free_at, excluded.free_at - $2::float8 * interval '1 ms') + $2::float8 * interval '1 ms'
    where pace.free_at <= excluded.free_at - $2::float8 * interval '1 ms' + $3::float8 * interval '1 ms'
  returning extract(epoch from free_at - $2::float8 * interval '1 ms'
    - (clock_timestamp() + $4::float8 * interval '1 ms'))::float8 * 1000 as wait_ms`)

/**
 * Reserves the next free time slot.
 * @returns the wait until then, in milliseconds; null, with nothing reserved, when it is longer than `maxWaitMs`
 */
export async function reserveSlot(
  db: Db,
  clock: Clock,
  { provider, intervalMs, maxWaitMs }: { provider: string; intervalMs: number; maxWaitMs: number },
): Promise<number | null> {
  const [row] = await reserve(db, [provider, intervalMs, maxWaitMs, clock.offsetMs])
  return row === undefined ? null : Math.max(0, Math.round(row.wait_ms))
}
