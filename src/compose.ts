/**
 * Puts the service together from its settings: database, storage, secrets, the gate. Used by the server and the command line.
 */
import type pg from 'pg'
import { databaseClock } from './clock.ts'
import { ConfigError } from './config/values.ts'
import type { Config } from './config/config.ts'
import { needsDataDir, openDataDir } from './config/data-dir.ts'
import { DatabaseUnreachable } from './db/database-start-error.ts'
import { openDatabase, type Db } from './db/database.ts'
import { type EmbeddedDatabase, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { openReplica, type Replica } from './db/replica.ts'
import type { Deps, Log } from './deps.ts'
import { openGeocoder } from './geocoding/geocoder.ts'
import { admission } from './keys/admission.ts'
import { openRequestLog } from './keys/request-log.ts'
import { keylessLimit } from './limits/keyless.ts'
import { loadSecretKey, openSecretBox } from './keys/secret-box.ts'
import { openMailer } from './notifications/mailer.ts'
import { type Marketplace, openMarketplace } from './notifications/marketplace.ts'
import { newTally } from './notifications/tally.ts'
import { openSource } from './photos/source.ts'
import { openStorage } from './photos/storage.ts'

/** The database, migrated. */
export type OpenedDatabase = {
  db: Db
  /** That of DATABASE_READ_URL, or null. */
  replica: Replica | null
  connection: pg.ClientConfig
  /** Null with an external database. */
  embedded: EmbeddedDatabase | null
  close(): Promise<void>
}

/**
 * Starts or adopts the embedded database where no other is set, migrates, and opens the pool.
 * @param tell hears what the operator should know, a line at a time
 * @param isServer whether it is for the server, of which an embedded database has one
 */
export async function openServiceDatabase(
  config: Config,
  log: Log,
  tell: (line: string) => void,
  isServer = false,
): Promise<OpenedDatabase> {
  if (needsDataDir(config)) openDataDir(config.dataDir)
  const embedded =
    config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log: tell, isServer }) : null
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' }
  try {
    await migrate(connection, tell)
    const pool = openPool(config, connection, log)
    return {
      db: pool.db,
      replica: pool.replica,
      connection,
      embedded,
      async close() {
        await pool.close()
        await embedded?.release()
      },
    }
  } catch (error) {
    await embedded?.release()
    if (embedded === null && error instanceof DatabaseUnreachable)
      throw new ConfigError(`DATABASE_URL cannot be used. ${error.message}`)
    throw error
  }
}

/** Nobody waits for it: reads go to the primary until it is there. */
function replicaAt(connectionString: string, config: Config, log: Log): Replica {
  const db = openDatabase({
    connection: { connectionString },
    poolSize: config.databasePoolSize,
    namedStatements: config.preparedStatements,
  })
  return openReplica(db, (reason) => log.warn({ reason }, 'the replica rests: reads go to the primary'))
}

/** Connections to a database that was started and migrated already, and to its replica, if there is one. */
export function openPool(
  config: Config,
  connection: pg.ClientConfig,
  log: Log,
): { db: Db; replica: Replica | null; close(): Promise<void> } {
  // Connections say goodbye without waiting to be heard, so the database may close them first.
  let closing = false
  const db = openDatabase({
    connection,
    poolSize: config.databasePoolSize,
    namedStatements: config.preparedStatements,
    onIdleError: (error) => {
      if (!closing) log.warn({ reason: error.message }, 'an idle connection to the database broke')
    },
    onPresence: (isAway) => {
      if (isAway) log.error({}, 'the database is away: requests are refused with 503 until it is back')
      else log.warn({}, 'the database is back')
    },
  })
  const replica = config.databaseReadUrl === null ? null : replicaAt(config.databaseReadUrl, config, log)
  return {
    db,
    replica,
    async close() {
      closing = true
      await Promise.all([db.destroy(), replica?.close()])
    },
  }
}

/** Everything the application touches, on an opened database. */
export async function composeDeps(
  config: Config,
  db: Db,
  log: Log,
  replica: Replica | null = null,
): Promise<Deps> {
  const clock = databaseClock
  const { serviceName, publicBaseUrl } = config
  return {
    config,
    db,
    replica,
    clock,
    admit: admission(db, config.limits, clock),
    chargeKeyless: keylessLimit(db, config.limits, clock),
    secretBox: openSecretBox(await loadSecretKey(config)),
    geocoder: openGeocoder(config.geocoder, {
      db,
      clock,
      log,
      url: config.geocoderUrl,
      serviceName,
      publicBaseUrl,
    }),
    photos: {
      db,
      clock,
      storage: openStorage(config),
      source: openSource({ serviceName, publicBaseUrl }),
      allow: { hosts: config.photoSourceAllow, origins: config.demo ? ownOrigins(config) : [] },
      log,
    },
    requestLog: openRequestLog(db, clock, log),
    mailer: openMailer(config),
    marketplace: configuredMarketplace(config),
    deliveryTally: newTally(),
    log,
  }
}

/** Closes what was composed, when no request runs any more. @param finish what still uses it, once nobody waits for the geocoder */
export async function closeDeps(deps: Deps, finish: () => Promise<void> = async () => {}): Promise<void> {
  await deps.geocoder.close()
  await finish()
  await deps.marketplace?.close()
  deps.photos.storage.close()
}

/** The marketplace of MARKETPLACE_URL, or null where there is none. */
export function configuredMarketplace(config: Config): Marketplace | null {
  const { marketplaceUrl: url, marketplaceSecret: secret, serviceName, publicBaseUrl } = config
  return url === null || secret === null ? null : openMarketplace({ url, secret, serviceName, publicBaseUrl })
}

/** The addresses under which the service reaches itself in demonstration mode. */
function ownOrigins(config: Config): string[] {
  const listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`
  return [...new Set([new URL(config.publicBaseUrl).origin, listening])]
}
