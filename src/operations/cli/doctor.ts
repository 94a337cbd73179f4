/** `doctor`: checks each component on its own, so that one run shows every problem. */
import { configuredMarketplace } from '../../compose.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Db, openDatabase } from '../../platform/db/database.ts'
import { needsDataDir, openDataDir } from '../../platform/config/data-dir.ts'
import { checkServer } from '../../platform/db/engine.ts'
import { newerMigrations, pendingMigrations } from '../../platform/db/migrate.ts'
import { readRights } from '../../platform/db/rights.ts'
import { withSession } from '../../platform/db/session.ts'
import { statement } from '../../platform/db/statement.ts'
import { checkGeocoder } from '../../listings/geocoding/services.ts'
import { loadSecretBox } from '../../access/secrets/secret-keys.ts'
import { checkStoredSecrets, describeUnreadable } from '../../access/secrets/stored-secrets.ts'
import { openMailer } from '../../delivery/mails/mailer.ts'
import { checkStorage, openStorage } from '../../listings/photos/storage.ts'
import { countStaleAddressKeys } from '../../listings/readdress.ts'
import { checkTiles } from '../../pages/tiles/tiles.ts'
import { type Context, describeError, type Run } from './command.ts'
import { withConnection } from './open.ts'
import { table } from './output.ts'

type Check = { name: string; ok: boolean; detail: string }

export const doctor: Run = async (_input, context) => {
  const config = await readSettings(context)
  const checks =
    typeof config === 'string'
      ? [{ name: 'settings', ok: false, detail: config }]
      : await checkAll(config, context)
  const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  const rows = checks.map(({ name, ok, detail }) => [ok ? 'ok' : 'WRONG', name, detail])
  const inForce = typeof config === 'string' ? null : settingsInForce(config)
  return {
    json: { ok: wrong.length === 0, checks, ...inForce },
    text: [
      table(['', 'CHECK', 'RESULT'], rows, ''),
      ...(inForce === null ? [] : describeInForce(inForce)),
    ].join('\n\n'),
    ...(wrong.length === 0 ? {} : { failure: `Not working: ${wrong.join(', ')}.` }),
  }
}

/** The settings, or their first problem. */
async function readSettings({ settings }: Context): Promise<Config | string> {
  try {
    return await settings()
  } catch (error) {
    return describeError(error)
  }
}

async function checkAll(config: Config, { note }: Context): Promise<Check[]> {
  const detail = config.production ? 'for production' : 'for development'
  const settings = { name: 'settings', ok: true, detail }
  try {
    if (needsDataDir(config)) openDataDir(config.dataDir)
  } catch (error) {
    // Without it, its contents cannot be checked.
    return [settings, { name: 'data directory', ok: false, detail: describeError(error) }]
  }
  return [
    settings,
    ...(await checkDatabase(config, note)),
    ...(config.databaseReadUrl === null ? [] : [await check('replica', () => describeReplica(config))]),
    await check('photo storage', async () => {
      const storage = await openStorage(config)
      const problem = await checkStorage(storage).finally(() => storage.close())
      return orThrow(
        problem,
        `writes, reads and deletes ${config.s3 === null ? 'files in DATA_DIR' : `in ${config.s3.bucket}`}`,
      )
    }),
    await check('geocoder', () => describeGeocoder(config)),
    await check('map tiles', () => describeTiles(config)),
    await check('mail', () => describeMail(config)),
    await check('marketplace', () => describeMarketplace(config)),
  ]
}

/** The values in force, set or default; nothing secret. */
function settingsInForce(config: Config) {
  const {
    databaseUrl,
    databaseReadUrl,
    secretKey,
    secretKeyPrevious,
    s3,
    limits,
    smtpUrl,
    marketplaceUrl,
    marketplaceSecret,
    otlpEndpoint,
    mapTiles,
    ...plain
  } = config
  const settings = {
    ...plain,
    database: databaseUrl === null ? 'embedded' : 'DATABASE_URL',
    replica: databaseReadUrl === null ? 'not configured' : 'DATABASE_READ_URL',
    secretKey: secretKey === null ? 'kept in DATA_DIR' : 'SECRET_KEY',
    secretKeyPrevious: secretKeyPrevious === null ? 'not configured' : 'SECRET_KEY_PREVIOUS',
    photoStorage: s3 === null ? 'DATA_DIR' : `bucket ${s3.bucket}`,
    mail: smtpUrl === null ? 'not configured' : 'SMTP_URL',
    marketplace: marketplaceUrl === null ? 'not configured' : new URL(marketplaceUrl).origin,
    // Its path may hold a key.
    mapTiles: mapTiles === null ? 'not configured' : new URL(mapTiles.url).origin,
    traces: otlpEndpoint === null ? 'not sent' : 'OTEL_EXPORTER_OTLP_ENDPOINT',
    marketplaceSecret: marketplaceSecret === null ? 'not configured' : 'MARKETPLACE_SECRET',
  }
  const named = Object.entries(limits).map(
    ([name, { max, windowSeconds }]) => [name, { max, window_seconds: windowSeconds }] as const,
  )
  return { settings, limits: Object.fromEntries(named) }
}

function describeInForce({ settings, limits }: ReturnType<typeof settingsInForce>): string[] {
  const shown = (value: unknown) => (Array.isArray(value) ? value.join(', ') || 'none' : String(value))
  const settingRows = Object.entries(settings).map(([name, value]) => [name, shown(value)])
  const limitRows = Object.entries(limits).map(([name, { max, window_seconds: seconds }]) => [
    name,
    String(max),
    `${seconds} s`,
  ])
  return [table(['SETTING', 'IN FORCE'], settingRows, ''), table(['LIMIT', 'MAX', 'IN'], limitRows, '')]
}

async function checkDatabase(config: Config, note: Context['note']): Promise<Check[]> {
  try {
    return await withConnection(config, note, async (connection) => {
      const pending = await pendingMigrations(connection)
      const db = openDatabase({ connection, poolSize: 1, namedStatements: false })
      try {
        const server = await check('database', () => describeServer(db, config))
        if (pending.length > 0) {
          const detail = `${pending.length} pending; the next start or \`migrate\` applies them: ${pending.join(', ')}`
          return [server, { name: 'migrations', ok: true, detail }]
        }
        // The embedded database has a role of its own.
        const rights = config.databaseUrl === null ? [] : [await check('rights', () => describeRights(db))]
        const secrets = await check('secrets', async () => {
          const secretBox = await loadSecretBox(config)
          const problem = describeUnreadable(await checkStoredSecrets(db, secretBox))
          return orThrow(problem, `can be decrypted with ${describeKeys(config)}`)
        })
        const addresses = await check('address keys', () => describeAddressKeys(db))
        const newer = await newerMigrations(connection)
        const detail =
          newer.length === 0
            ? 'up to date'
            : `a newer version has added ${newer.join(', ')}; this version may run beside it`
        return [server, { name: 'migrations', ok: true, detail }, ...rights, secrets, addresses]
      } finally {
        await db.destroy()
      }
    })
  } catch (error) {
    return [{ name: 'database', ok: false, detail: describeError(error) }]
  }
}

/** @throws if the role cannot do the service's work */
async function describeRights(db: Db): Promise<string> {
  const { isOwner, lacking } = await readRights(db)
  if (lacking.length > 0)
    throw new Error(
      `the role of DATABASE_URL lacks: ${lacking.join(', ')}. Run \`svc database grant\` as the owner.`,
    )
  return isOwner
    ? 'the role owns the tables; the service only needs to read and write rows'
    : 'the role reads and writes rows; only the owner of the tables can migrate'
}

function describeKeys({ secretKeyPrevious }: Config): string {
  return secretKeyPrevious === null ? 'SECRET_KEY' : 'SECRET_KEY or SECRET_KEY_PREVIOUS'
}

/** Whether the server is a replica, and how far its replay lags. */
const readLag = statement<{ isReplica: boolean; version: string; secondsBehind: number | null }>(`
  select pg_is_in_recovery() as "isReplica", current_setting('server_version') as version,
    case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
      else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
    end as "secondsBehind"`)

/**
 * The replica's lag. The service works without a replica, but an operator who configured one wants to know.
 * @throws if reads cannot use it
 */
async function describeReplica({ databaseReadUrl }: Config): Promise<string> {
  const connection = { connectionString: databaseReadUrl ?? '' }
  try {
    const pending = await pendingMigrations(connection)
    if (pending.length > 0) throw new Error(`the replica lacks migrations: ${pending.join(', ')}`)
    const [row] = await withSession(connection, (session) => readLag(session, []))
    const { isReplica = false, version = '', secondsBehind = null } = row ?? {}
    if (!isReplica) return `PostgreSQL ${version}; not a streaming replica, so its lag is unknown`
    const lag = secondsBehind === null ? 'unknown' : `${secondsBehind.toFixed(1)} s`
    return `PostgreSQL ${version}, replay lag ${lag}`
  } catch (error) {
    throw new Error(`reads go to the primary: ${describeError(error)}`, { cause: error })
  }
}

/** Stale keys are not an error: a running server recomputes them. */
async function describeAddressKeys(db: Db): Promise<string> {
  const stale = await countStaleAddressKeys(db)
  return stale === 0
    ? 'up to date'
    : `${stale} made by older rules; a running server or \`address recompute\` updates them`
}

const readVersion = statement<{ version: string }>(`select current_setting('server_version') as version`)

async function describeServer(db: Db, config: Config): Promise<string> {
  await checkServer(db)
  const [row] = await readVersion(db, [])
  return `${config.databaseUrl === null ? 'embedded ' : ''}PostgreSQL ${row?.version}`
}

/** A geocoder that is down is not an error: the service stores listings without pins. */
async function describeGeocoder(config: Config): Promise<string> {
  const { geocoder } = config
  if (geocoder === 'none') return 'none is configured: addresses have no pin'
  const problem = await checkGeocoder(config)
  return problem === null
    ? `${geocoder} answers`
    : `${geocoder} does not answer, so new addresses have no pin: ${problem.message}`
}

/** A tile service that is down is not an error: maps show cached tiles, or links. */
async function describeTiles(config: Config): Promise<string> {
  if (config.mapTiles === null) return 'none are configured: maps are an outline with a link'
  const problem = await checkTiles(config)
  const { host } = new URL(config.mapTiles.url)
  if (problem === null) return `${host} answers`
  return problem.kind === 'refused'
    ? `${host} answers. ${problem.message}`
    : `${host} gives no tiles, so maps show only cached ones: ${problem.message}`
}

async function describeMail(config: Config): Promise<string> {
  const mailer = openMailer(config)
  if (mailer === null) return 'not configured: agencies are not notified of state changes'
  await mailer.check()
  return 'the server answers and accepts the credentials'
}

/** Sends no event. Any response shows that the marketplace is reachable. */
async function describeMarketplace(config: Config): Promise<string> {
  const marketplace = configuredMarketplace(config)
  if (marketplace === null) return 'not configured: no marketplace is notified of state changes'
  const status = await marketplace.check().finally(() => marketplace.close())
  return `answers (to HEAD, with ${status})`
}

async function check(name: string, look: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await look() }
  } catch (error) {
    return { name, ok: false, detail: describeError(error) }
  }
}

function orThrow(problem: string | null, sound: string): string {
  if (problem !== null) throw new Error(problem)
  return sound
}
