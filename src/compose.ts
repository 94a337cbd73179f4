/** Makes the application's dependencies (deps.ts) from the settings. */
import { databaseClock } from './platform/time/clock.ts'
import type { Config } from './platform/config/config.ts'
import type { Db } from './platform/db/database.ts'
import type { Deps } from './deps.ts'
import { firstPlaceSecret, placeSecretName, blurredPlaces } from './listings/geocoding/blurred-place.ts'
import { openGeocoder } from './listings/geocoding/open-geocoder.ts'
import { admission } from './access/keys/admission.ts'
import { openVisits } from './agencies/visits.ts'
import { openRequestLog } from './access/request-log/request-log.ts'
import { keylessLimit } from './limits/keyless.ts'
import { openSecretBox, type SecretBox } from './access/secrets/secret-box.ts'
import { loadSecretKeys } from './access/secrets/secret-keys.ts'
import { getOrCreateSecret } from './access/secrets/service-secrets.ts'
import { checkStoredSecrets, opensNothing, type StoredSecrets } from './access/secrets/stored-secrets.ts'
import { openMailer } from './delivery/mails/mailer.ts'
import { type Marketplace, openMarketplace } from './delivery/notifications/courier/marketplace.ts'
import { openDownloader } from './listings/photos/download.ts'
import { openStorage } from './listings/photos/storage.ts'
import { openTiles } from './pages/tiles/tiles.ts'
import { withOwnSamples } from './samples/pictures.ts'
import type { Log } from './platform/log/log.ts'

/** The outside world that is open already, or that tests replace. */
type OutsideWorld = Partial<
  Pick<Deps, 'replica' | 'clock' | 'geocoder' | 'mailer' | 'marketplace'> & Pick<Deps['photos'], 'download'>
>

/** Makes the dependencies, given an open database. The settings decide about the outside world that is not given. */
export async function composeDeps(
  config: Config,
  db: Db,
  log: Log,
  outside: OutsideWorld = {},
): Promise<Deps> {
  const { replica = null, clock = databaseClock } = outside
  const { limits, serviceName, publicBaseUrl } = config
  const secretKeys = await loadSecretKeys(config)
  const secretBox = openSecretBox(secretKeys.current, secretKeys.previous)
  const storedSecrets = await checkStoredSecrets(db, secretBox)
  const origins = config.demo ? ownOrigins(config) : []
  return {
    config,
    db,
    replica,
    clock,
    limits,
    admit: admission(db, limits, clock),
    chargeKeyless: keylessLimit(db, limits, clock),
    secretBox,
    storedSecrets,
    geocoder:
      outside.geocoder ??
      openGeocoder(config.geocoder, {
        db,
        clock,
        log,
        url: config.geocoderUrl,
        serviceName,
        publicBaseUrl,
      }),
    blurredPlace: blurredPlaces(
      await placeSecret(db, secretBox, storedSecrets, firstPlaceSecret(secretKeys.current)),
    ),
    photos: {
      db,
      clock,
      storage: await openStorage(config),
      download: withOwnSamples(
        outside.download ?? openDownloader({ clock, serviceName, publicBaseUrl }),
        origins,
      ),
      allow: { hosts: config.photoSourceAllow, origins },
      log,
    },
    tiles: openTiles(config, { clock, log }),
    requestLog: openRequestLog(db, clock, log),
    visits: openVisits(db, clock, log),
    mailer: outside.mailer ?? openMailer(config),
    marketplace: outside.marketplace ?? configuredMarketplace(config),
    log,
  }
}

/**
 * The secret of blurred places. While the secret key is wrong, this is `first`, and nothing is stored.
 * @param first the secret of a new installation
 */
async function placeSecret(
  db: Db,
  secretBox: SecretBox,
  found: StoredSecrets,
  first: string,
): Promise<string> {
  if (opensNothing(found)) return first
  return await getOrCreateSecret(db, secretBox, placeSecretName, first)
}

/**
 * Closes the dependencies, after the last request.
 * @param finish stops anything that still uses them. Runs after the geocoder has closed, so that nothing waits for a lookup
 */
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

/** The URLs under which the service is reached in demonstration mode. */
function ownOrigins({ host, port, publicBaseUrl }: Config): string[] {
  // People often try a demonstration on its own machine, where its URL differs from the public one.
  const isReachedHere = ['0.0.0.0', '::', '127.0.0.1', 'localhost'].includes(host)
  const hosts = isReachedHere ? [host, '127.0.0.1', 'localhost'] : [host]
  const listening = hosts.map((name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}`)
  return [...new Set([publicBaseUrl, ...listening].map((url) => new URL(url).origin))]
}
