/** Runs the statements of a migration, and explains to the operator what stops one. */
import { DatabaseError, type ClientConfig } from 'pg'
import type { Connection } from './connection.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import type { Migration } from './migration-files.ts'
import { LockedOut, type LockWaits, watchHolders } from './migration-locks.ts'
import { oneOff, statement } from './statement.ts'

/** A run of migrations. `connection`: the same database, to look on while `session` waits. */
export type Run = Readonly<{
  connection: ClientConfig
  session: Connection
  log: (line: string) => void
  waits: LockWaits
  /** Whether the database is distributed over the nodes of Citus. */
  isDistributed: boolean
}>

const lockNotAvailable = '55P03'

/** A statement ends with `;` at the end of a line that is not within `$$`. */
const statements = /(?:\$\$[^]*?\$\$|(?!;\n)[^])+(?:;\n)?/g

export function splitStatements(text: string): string[] {
  return text.match(statements) ?? []
}

/** One by one: Citus sends some to its nodes as text, and accepts only one at a time. @throws DatabaseStartError, LockedOut */
export async function applyStatements(run: Run, migration: Pick<Migration, 'name' | 'text'>): Promise<void> {
  let before = 0
  for (const text of splitStatements(migration.text)) {
    if (text.trim() !== '') await apply(run, migration, text, before)
    before += text.length
  }
}

const readPid = statement<{ pid: number }>('select pg_backend_pid() as pid')

/** @param before offset of `text` in the migration's text, in characters */
async function apply(
  { connection, session, log, waits, isDistributed }: Run,
  migration: Pick<Migration, 'name' | 'text'>,
  text: string,
  before: number,
): Promise<void> {
  const [backend] = await readPid(session, [])
  const holders = watchHolders(
    connection,
    backend?.pid ?? 0,
    waits.lockMs,
    (blockers) => log(`Migration ${migration.name} waits: a lock that it needs is held by ${blockers}.`),
    isDistributed,
  )
  try {
    await session.run(oneOff(text))
  } catch (error) {
    if ((error as Partial<DatabaseError>).code !== lockNotAvailable)
      throw new DatabaseStartError(explain(migration, error, before), { cause: error })
    throw new LockedOut(
      `migrations/${migration.name} could not be applied: a lock that it needs is held by ${holders.read() ?? 'somebody'}. End that, and start again.`,
      { cause: error },
    )
  } finally {
    await holders.stop()
  }
}

function explain({ name, text }: Pick<Migration, 'name' | 'text'>, error: unknown, before: number): string {
  const failed = `migrations/${name} could not be applied`
  if (!(error instanceof DatabaseError))
    return `${failed}: ${error instanceof Error ? error.message : String(error)}`
  const line =
    error.position === undefined
      ? ''
      : ` (line ${text.slice(0, before + Number(error.position) - 1).split('\n').length})`
  return `${failed}${line}: ${error.message}`
}
