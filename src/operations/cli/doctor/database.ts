/** Checks of the database: its server, migrations, rights, secrets, address keys, backups, and its replica. */
import { describeChains } from '../../../access/audit-log/verify.ts'
import { loadSecretBox } from '../../../access/secrets/secret-keys.ts'
import { checkStoredSecrets, describeUnreadable } from '../../../access/secrets/stored-secrets.ts'
import { countStaleAddresses } from '../../../listings/upkeep/recompute-addresses.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import { svcCommand } from '../../../platform/program/svc-command.ts'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { checkServer } from '../../../platform/db/engine.ts'
import { newerMigrations, pendingMigrations } from '../../../platform/db/migrations/migrate.ts'
import { mayMigrate, readRights } from '../../../platform/db/migrations/rights.ts'
import { withSession } from '../../../platform/db/statements/session.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { type Context, describeError } from '../command.ts'
import { withConnection } from '../open.ts'
import { readFreshness } from '../../backup/routine/freshness.ts'
import { type Check, check, type Finding, orThrow } from './check.ts'
import { checkServers } from './servers.ts'

export async function checkDatabase(config: Config, note: Context['note']): Promise<Check[]> {
  try {
    return await withConnection(config, note, async (connection) => {
      const pending = await pendingMigrations(connection)
      const db = openDatabase({ connection, poolSize: 1, namedStatements: false })
      try {
        const server = await check('database', () => describeServer(db, config))
        if (pending.length > 0) {
          return [server, await check('migrations', () => describePending(db, pending))]
        }
        // The embedded database has a role of its own.
        const rights = config.databaseUrl === null ? [] : [await check('rights', () => describeRights(db))]
        const secrets = await check('secrets', async () => {
          const secretBox = await loadSecretBox(config)
          const problem = describeUnreadable(await checkStoredSecrets(db, secretBox))
          return orThrow(problem, `can be decrypted with ${describeKeys(config)}`)
        })
        const addresses = await check('address keys', () => describeAddressKeys(db))
        const backups = await check('backups', () => describeBackups(db, config))
        const auditLog = await check('audit log', () => describeChains(db, databaseClock))
        const newer = await newerMigrations(connection)
        const detail =
          newer.length === 0
            ? 'up to date'
            : `a newer version has added ${newer.join(', ')}; this version may run beside it`
        const migrations = { name: 'migrations', ok: true, detail }
        return [
          server,
          migrations,
          ...(await checkServers(connection)),
          ...rights,
          secrets,
          addresses,
          backups,
          auditLog,
        ]
      } finally {
        await db.destroy()
      }
    })
  } catch (error) {
    return [{ name: 'database', ok: false, detail: describeError(error) }]
  }
}

/** A missing backup is not an error: the service works. */
async function describeBackups(db: Db, config: Config): Promise<Finding> {
  const { state, ageHours, error } = await readFreshness(db, databaseClock, config)
  if (state === 'unused') {
    const none = 'BACKUP_TO is not set, and none was ever verified'
    return config.production ? { warning: none } : none
  }
  const age = ageHours === 0 ? 'less than an hour' : `${ageHours} h`
  const newest = ageHours === null ? 'none was verified yet' : `the newest verified one is ${age} old`
  if (state === 'fresh') return newest
  return { warning: error === null ? newest : `${newest}; the last backup failed: ${error}` }
}

async function describePending(db: Db, pending: readonly string[]): Promise<Finding> {
  const names = `${pending.length} pending: ${pending.join(', ')}`
  if (await mayMigrate(db)) return `${names}. The next start or \`${svcCommand} migrate\` applies them.`
  return {
    warning: `${names}. The role of DATABASE_URL may not apply them: run \`${svcCommand} migrate\` as the owner.`,
  }
}

/** @throws if the role cannot do the service's work */
async function describeRights(db: Db): Promise<string> {
  const { isOwner, lacking } = await readRights(db)
  if (lacking.length > 0)
    throw new Error(
      `the role of DATABASE_URL lacks: ${lacking.join(', ')}. Run \`${svcCommand} database grant ROLE\` as the owner.`,
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
export async function describeReplica({ databaseReadUrl }: Config): Promise<string> {
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

/** A running server recomputes stale keys. */
async function describeAddressKeys(db: Db): Promise<string> {
  const stale = await countStaleAddresses(db)
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
