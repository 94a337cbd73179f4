/** The tables whose rows expire: the worker deletes the rows, and the metrics show what is overdue. */
import { reapNetworks } from '../../access/accounts/sign-in/attempts.ts'
import { reapAudit } from '../../access/audit-log/entries.ts'
import { reapBrowsers } from '../../access/accounts/sign-in/browsers.ts'
import { reapLinks } from '../../access/accounts/mails/links.ts'
import { reapNotices } from '../../access/accounts/mails/notices.ts'
import { reapChallenges } from '../../access/accounts/passkeys/passkey-challenges.ts'
import { reapSessions } from '../../access/accounts/sign-in/sessions.ts'
import { reapLogged, reapRequestLog } from '../../access/request-log/request-log.ts'
import { reapEnquiries } from '../../agencies/enquiries.ts'
import { reapVisits } from '../../agencies/visits.ts'
import { expiringDeliveries, reapNotifications } from '../../delivery/notifications/reap.ts'
import { reapGeocodingCache } from '../../listings/geocoding/geocoding-cache.ts'
import { reapIdempotencyKeys } from '../../http/writes/idempotency.ts'
import { reapSignatures } from '../../http/admission/signature.ts'
import { reapSubjects } from '../../limits/counters.ts'
import { reapBackups } from '../backup/routine/records.ts'
import { reapPhotoWarnings } from '../../listings/store/photo-sources.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Expiring } from '../../platform/db/upkeep/reaper.ts'

const reapers = [
  reapIdempotencyKeys,
  reapSignatures,
  reapSubjects,
  reapGeocodingCache,
  reapSessions,
  reapLinks,
  reapNotices,
  reapAudit,
  reapNetworks,
  reapBrowsers,
  reapChallenges,
  reapPhotoWarnings,
  reapEnquiries,
  reapVisits,
  reapBackups,
] as const

/** A table, and the function that deletes up to `limit` of its expired rows and returns how many. */
type Reaping = Readonly<{
  expiring: Expiring
  reap: (db: Db, limit: number, clock: Clock) => Promise<number>
}>

/** Without pictures, whose files take a chore of their own. */
export function allReaping({
  notificationsKeptDays: days,
}: Pick<Config, 'notificationsKeptDays'>): Reaping[] {
  return [
    ...reapers.map((reap) => ({ expiring: reap.expiring, reap })),
    { expiring: reapLogged.expiring, reap: reapRequestLog },
    ...(days === null ? [] : [reapingNotifications(days)]),
  ]
}

const reapingNotifications = (keptDays: number): Reaping => ({
  expiring: expiringDeliveries(keptDays),
  reap: (db, limit, clock) => reapNotifications(db, limit, clock, keptDays),
})
