/**
 * Everything the service touches outside itself. Made once by the composition root; tests pass others.
 */
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Db } from './db/database.ts'
import type { Replica } from './db/replica.ts'
import type { Geocoder } from './geocoding/geocoder.ts'
import type { Admit } from './keys/admission.ts'
import type { RequestLog } from './keys/request-log.ts'
import type { ChargeKeyless } from './limits/keyless.ts'
import type { SecretBox } from './keys/secret-box.ts'
import type { Mailer } from './mails/mailer.ts'
import type { Marketplace } from './notifications/marketplace.ts'
import type { Tally } from './notifications/tally.ts'
import type { IngestDeps } from './photos/ingest.ts'

export type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export type Deps = {
  config: Config
  db: Db
  /** Null: everything is read from `db`. */
  replica: Replica | null
  clock: Clock
  /** Who asks, and whether the limits let it pass. */
  admit: Admit
  /** Counts a request without a valid key. */
  chargeKeyless: ChargeKeyless
  /** Seals what must be kept but not be readable in the database. */
  secretBox: SecretBox
  geocoder: Geocoder
  photos: IngestDeps
  /** The API requests of each key. */
  requestLog: RequestLog
  /** Null where mail is not configured. */
  mailer: Mailer | null
  /** Null where no marketplace is told. */
  marketplace: Marketplace | null
  /** What this process has delivered. */
  deliveryTally: Tally
  log: Log
}
