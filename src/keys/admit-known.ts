/**
 * Admits one demand of a key that passed a moment ago, the usual case: a plain update in place of admit-sql.ts's statement, at two fifths
 * of its cost.
 */
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { shortStatement } from '../db/statement.ts'
import type { Limits } from '../limits/table.ts'
import { secondsLeft, windowStart } from '../limits/window.ts'
import { type Admission, admissionOf, type Demand } from './admit.ts'
import type { Row } from './admit-sql.ts'

/** What never changes of a key. */
export type KnownKey = Readonly<{ agencyId: string; keyId: string }>

type KnownRow = Omit<
  Row,
  | 'position'
  | 'key_id'
  | 'agency_id'
  | 'revoked'
  | 'expired'
  | 'active'
  | 'own_limits'
  | 'judged_at'
  | 'granted_reads'
  | 'granted_writes'
>

/*
 * Updates nothing unless all of the demand may pass: key and agency are as they must be, there are no limits of the agency's own, the
 * counters are of the current windows and have room. While it waits for another's update of the row, PostgreSQL holds it against the
 * row's new counters. Committed asynchronously, as the other statement.
 */
const charge = shortStatement<KnownRow>(
  `
  update key_usage u set
    minute_reads = minute_reads + $3::int, day_reads = day_reads + $3,
    minute_writes = minute_writes + $4::int, day_writes = day_writes + $4
  from api_keys k, agencies a, agency_revisions r,
    (select clock_timestamp() + $5::float8 * interval '1 ms' as now) moment
  where u.agency_id = $1 and u.key_id = $2 and a.id = $1 and r.agency_id = $1 and k.id = $2 and k.agency_id = $1
    and u.minute = ${windowStart(`interval '1 minute'`, 'now')} and u.day = ${windowStart(`interval '1 day'`, 'now')}
    and u.minute_reads + $3 <= $6::int and u.day_reads + $3 <= $7::int
    and u.minute_writes + $4 <= $8::int and u.day_writes + $4 <= $9::int
    and k.revoked_at is null and (k.revokes_at is null or k.revokes_at > now) and (k.expires_at is null or k.expires_at > now)
    and a.active and r.limits is null
    and k.scopes && $10::text[]
    and ($11::text is null or $11 = any (k.allowed_origins) or ($12::bool and a.test_of is not null))
    and ($13::bool or not k.signature_required)
  returning k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.signature_required, k.signing_secret, k.allowed_origins,
    a.name as agency_name, a.slug, a.profile_version, a.test_of is not null as test, r.revision,
    u.minute_reads, u.minute_writes, u.day_reads, u.day_writes,
    ${secondsLeft('u.minute', `interval '1 minute'`, 'now')} as minute_resets,
    ${secondsLeft('u.day', `interval '1 day'`, 'now')} as day_resets,
    set_config('synchronous_commit', 'off', true)`,
  'plain',
)

const anyScope = ['properties:read', 'properties:write']

/** @returns null where not all of the demand passes, for whatever reason; then nothing was charged, and `admit` tells */
export async function admitKnown(
  db: Db,
  demand: Demand,
  { agencyId, keyId }: KnownKey,
  limits: Limits,
  clock: Clock,
): Promise<Admission | null> {
  const { scope, origin, isOwnOrigin, signed, reads, writes } = demand
  const [row] = await charge(db, [
    agencyId,
    keyId,
    reads,
    writes,
    clock.offsetMs,
    limits.reads_per_minute.max,
    limits.reads_per_day.max,
    limits.writes_per_minute.max,
    limits.writes_per_day.max,
    scope === 'any' ? anyScope : [scope],
    origin,
    isOwnOrigin,
    signed,
  ])
  if (row === undefined) return null
  const known = {
    position: 1,
    key_id: keyId,
    agency_id: agencyId,
    revoked: false,
    expired: false,
    active: true,
  }
  const granted = { own_limits: null, judged_at: null, granted_reads: reads, granted_writes: writes }
  return admissionOf({ ...row, ...known, ...granted }, limits)
}
