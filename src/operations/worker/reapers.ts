/** The tables whose rows expire: the worker deletes them, and the metrics count what is overdue. */
import { reapNetworks } from '../../access/accounts/attempts.ts'
import { reapAudit } from '../../access/accounts/audit.ts'
import { reapBrowsers } from '../../access/accounts/browsers.ts'
import { reapLinks } from '../../access/accounts/links.ts'
import { reapNotices } from '../../access/accounts/notices.ts'
import { reapChallenges } from '../../access/accounts/passkey-challenges.ts'
import { reapSessions } from '../../access/accounts/sessions.ts'
import { reapEnquiries } from '../../agencies/enquiries.ts'
import { reapVisits } from '../../agencies/visits.ts'
import { reapGeocodingCache } from '../../listings/geocoding/storage.ts'
import { reapIdempotencyKeys } from '../../http/writes/idempotency.ts'
import { reapSignatures } from '../../http/admission/signature.ts'
import { reapSubjects } from '../../limits/counters.ts'
import { reapBackups } from '../backup/records.ts'
import { reapPhotoWarnings } from '../../listings/gallery/photo-sources.ts'

export const reapers = [
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
