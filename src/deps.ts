/** The service's dependencies on the outside world. Created once by compose.ts; tests pass fakes. */
import type { Visits } from './agencies/visits.ts'
import type { Clock } from './platform/time/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Db } from './platform/db/database.ts'
import type { Replica } from './platform/db/replica.ts'
import type { Geocoder } from './listings/geocoding/geocoder.ts'
import type { BlurredPlaceOf } from './listings/geocoding/blurred-place.ts'
import type { Admit } from './access/keys/admission.ts'
import type { RequestLog } from './access/request-log/request-log.ts'
import type { ChargeKeyless } from './limits/keyless.ts'
import type { Limits } from './limits/table.ts'
import type { SecretBox } from './access/secrets/secret-box.ts'
import type { StoredSecrets } from './access/secrets/stored-secrets.ts'
import type { Mailer } from './delivery/mails/mailer.ts'
import type { Marketplace } from './delivery/notifications/courier/marketplace.ts'
import type { IngestDeps } from './listings/photos/ingest.ts'
import type { Tiles } from './pages/tiles/tiles.ts'
import type { Log } from './platform/log/log.ts'

export type Deps = {
  config: Config
  db: Db
  /** Null: all reads use `db`. */
  replica: Replica | null
  clock: Clock
  /** The defaults, from `config`; an agency's own limits take precedence. */
  limits: Limits
  /** Identifies the key of a request and charges its limits. */
  admit: Admit
  /** Counts a request without a valid key. */
  chargeKeyless: ChargeKeyless
  /** Encrypts secrets kept in the database. */
  secretBox: SecretBox
  /** Whether it decrypts the secrets that were stored when the process started. */
  storedSecrets: StoredSecrets
  geocoder: Geocoder
  /** Blurs a place for public pages. */
  blurredPlace: BlurredPlaceOf
  photos: IngestDeps
  /** Null if no tile service is configured: maps are outlines. */
  tiles: Tiles | null
  /** The request log of each key. */
  requestLog: RequestLog
  /** Visits of public pages. */
  visits: Visits
  /** Null if mail is not configured. */
  mailer: Mailer | null
  /** Null if no marketplace is configured. */
  marketplace: Marketplace | null
  log: Log
}
