/** Opens the database for a command, writes to the audit log in its name, and finds the agency that an option names. */
import { userInfo } from 'node:os'
import type { ClientConfig } from 'pg'
import { audit, type AuditAction } from '../../access/audit-log/entries.ts'
import { type Agency, getAgency } from '../../agencies/agencies.ts'
import { findTwin, followsText, realSlug } from '../../agencies/twins.ts'
import type { Log } from '../../platform/log/log.ts'
import { databaseClock, inTime } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { openDataDir } from '../../platform/config/data-dir.ts'
import { svcCommand } from '../../platform/program/svc-command.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { refuseHalfRestored } from '../../platform/db/engine.ts'
import { withSession } from '../../platform/db/statements/session.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { openServiceDatabase } from '../open-database.ts'
import { CommandError, type Context, type Input, type Output, type Run } from './command.ts'

export type Open = Readonly<{ db: Db; config: Config; log: Log } & Pick<Context, 'note' | 'printRow'>>

type Work = (input: Input, open: Open) => Promise<Output | null>

/**
 * A command that changes something in a migrated database: DATABASE_URL, or the embedded one, started if needed and stopped by its last
 * user. It applies pending migrations.
 */
export function onDatabase(work: Work): Run {
  return open(work, () => true)
}

/** A command that only reads, and so never migrates. */
export function readingDatabase(work: Work): Run {
  return readingUnless([], work)
}

/** A command that only reads, unless one of these options is given. */
export function readingUnless(options: readonly string[], work: Work): Run {
  return open(work, (input) => options.some((name) => input.isSet(name) || input.optional(name) !== null))
}

function open(work: Work, migrates: (input: Input) => boolean): Run {
  return async (input, { settings, note, printRow }) => {
    const config = await settings()
    const print = (_details: object, message: string): void => note(message)
    const log: Log = { info: () => {}, warn: print, error: print }
    const { db, close } = await openServiceDatabase(config, log, note, { migrates: migrates(input) })
    return await closingAfter(() => work(input, { db, config, log, note, printRow }), close)
  }
}

/**
 * Runs `work` with the connection settings of a running database, migrated or not.
 * @param work gets a signal that is aborted when the command is interrupted
 */
export async function withConnection<T>(
  config: Config,
  note: Context['note'],
  work: (connection: ClientConfig, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const whole = async (connection: ClientConfig, signal: AbortSignal): Promise<T> => {
    await withSession(connection, refuseHalfRestored)
    return await work(connection, signal)
  }
  const { databaseUrl } = config
  if (databaseUrl !== null)
    return await closingAfter(
      (signal) => whole({ connectionString: databaseUrl }, signal),
      async () => {},
    )
  openDataDir(config.dataDir)
  const { connection, release } = await startEmbedded({ dataDir: config.dataDir, log: note })
  return await closingAfter((signal) => whole(connection, signal), release)
}

/** Work that is interrupted may take this long to clean up. */
const graceMs = 5_000

/** Closes on Ctrl-C too. Otherwise an embedded PostgreSQL would keep running. */
async function closingAfter<T>(
  work: (signal: AbortSignal) => Promise<T>,
  close: () => Promise<void>,
): Promise<T> {
  const interruption = new AbortController()
  const working = work(interruption.signal)
  const interrupted = (): void => {
    interruption.abort(new CommandError('The command was interrupted.'))
    void inTime(graceMs, working, null)
      .catch(() => {})
      .then(close)
      .finally(() => process.exit(1))
  }
  process.once('SIGINT', interrupted)
  process.once('SIGTERM', interrupted)
  try {
    return await working
  } finally {
    process.off('SIGINT', interrupted)
    process.off('SIGTERM', interrupted)
    if (!interruption.signal.aborted) await close()
  }
}

/**
 * Writes an entry of the audit log, like those of the console. Anyone with command line access is the operator; the entry names the
 * system's user.
 * @param subject in readable form; never a secret
 */
export async function auditCommand(
  db: Db | Tx,
  action: AuditAction,
  agencyId: string | null,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const by = { kind: 'system', id: null, name: `command line (${systemUser()})`, requestId: null } as const
  await audit(db, by, { action, agencyId, subject, details }, databaseClock)
}

/** In a container the user may have a number but no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * The agency that --agency names, for commands that cannot be about a test environment.
 * @throws ApiError 404 when no agency has the slug; CommandError when it is a twin's
 */
export async function getNamedAgency(db: Db, slug: string): Promise<Agency> {
  const agency = await getAgency(db, slug)
  if (agency.test_of === null) return agency
  throw new CommandError(`${followsText(slug)} Use --agency ${realSlug(slug)}.`)
}

/** The agency's test environment. @throws ApiError 404 when there is none */
export async function getTwin(db: Db, { id, slug }: Agency): Promise<Agency> {
  const twin = await findTwin(db, id)
  if (twin !== null) return twin
  throw new ApiError('not_found', {
    message: `"${slug}" has no test environment yet. Its first test key creates it: ${svcCommand} key create --agency ${slug} --test …`,
  })
}
