/** Makes the application's dependencies (deps.ts) from the settings. */
import { databaseClock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Db } from './platform/db/database.ts'
import type { Replica } from './platform/db/replica.ts'
import type { Deps } from './deps.ts'
import { roughPlaces } from './listings/geocoding/rough-place.ts'
import { openGeocoder } from './listings/geocoding/services.ts'
import { admission } from './access/keys/admission.ts'
import { openVisits } from './agencies/visits.ts'
import { openRequestLog } from './access/keys/request-log.ts'
import { keylessLimit } from './limits/keyless.ts'
import { loadSecretKey, openSecretBox } from './access/keys/secret-box.ts'
import { openMailer } from './delivery/mails/mailer.ts'
import { type Marketplace, openMarketplace } from './delivery/notifications/marketplace.ts'
import { newTally } from './delivery/notifications/tally.ts'
import { openDownloader } from './listings/photos/download.ts'
import { openStorage } from './listings/photos/storage.ts'
import { openTiles } from './pages/tiles/tiles.ts'
import type { Log } from './platform/log.ts'

/** Makes the dependencies, given an open database. */
export async function composeDeps(
  config: Config,
  db: Db,
  log: Log,
  replica: Replica | null = null,
): Promise<Deps> {
  const clock = databaseClock
  const { serviceName, publicBaseUrl } = config
  const secretKey = await loadSecretKey(config)
  return {
    config,
    db,
    replica,
    clock,
    admit: admission(db, config.limits, clock),
    chargeKeyless: keylessLimit(db, config.limits, clock),
    secretBox: openSecretBox(secretKey),
    geocoder: openGeocoder(config.geocoder, {
      db,
      clock,
      log,
      url: config.geocoderUrl,
      serviceName,
      publicBaseUrl,
    }),
    roughPlace: roughPlaces(secretKey),
    photos: {
      db,
      clock,
      storage: await openStorage(config),
      download: openDownloader({ serviceName, publicBaseUrl }),
      allow: { hosts: config.photoSourceAllow, origins: config.demo ? ownOrigins(config) : [] },
      log,
    },
    tiles: openTiles(config, { clock, log }),
    requestLog: openRequestLog(db, clock, log),
    visits: openVisits(db, clock, log),
    mailer: openMailer(config),
    marketplace: configuredMarketplace(config),
    deliveryTally: newTally(),
    log,
  }
}

/** Closes the dependencies, after the last request. @param finish ends what still uses them, once nothing waits for the geocoder */
export async function closeDeps(deps: Deps, finish: () => Promise<void> = async () => {}): Promise<void> {
  await deps.geocoder.close()
  await finish()
  await deps.marketplace?.close()
  await deps.tiles?.close()
  deps.photos.storage.close()
}

/** The marketplace of MARKETPLACE_URL, or null. */
export function configuredMarketplace(config: Config): Marketplace | null {
  const { marketplaceUrl: url, marketplaceSecret: secret, serviceName, publicBaseUrl } = config
  return url === null || secret === null ? null : openMarketplace({ url, secret, serviceName, publicBaseUrl })
}

/** The URLs under which the service reaches itself in demonstration mode. */
function ownOrigins(config: Config): string[] {
  const listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  return [...new Set([new URL(config.publicBaseUrl).origin, listening])]
}
