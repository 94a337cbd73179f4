/** `migrate` and `database …`: applies migrations, adopts older databases, grants rights, and distributes over Citus. */
import { svcCommand } from '../../../platform/program/svc-command.ts'
import { adopt as adoptSchema, NotAdopted } from '../../../platform/db/migrations/adopt.ts'
import {
  distribute as distributeTables,
  findUndistributed,
  isHalfDistributed,
} from '../../../platform/db/citus/distribute.ts'
import { usualShardCount } from '../../../platform/db/citus/distribution.ts'
import {
  describeVersion,
  examineNodes,
  findFaults,
  findHoldings,
  findObstacles,
} from '../../../platform/db/citus/distribution-checks.ts'
import { migrate as applyMigrations, pendingMigrations } from '../../../platform/db/migrations/migrate.ts'
import { grantRows, readRights } from '../../../platform/db/migrations/rights.ts'
import { withSession } from '../../../platform/db/statements/session.ts'
import { CommandError, type Output, type Run } from '../command.ts'
import { withConnection } from '../open.ts'
import { bytesText, listed } from '../output.ts'

export const migrate: Run = async (_input, { settings, note }) =>
  await withConnection(await settings(), note, async (connection) => {
    const applied = await applyMigrations(connection, note)
    const text =
      applied.length === 0 ? 'The database is up to date.' : `Migrations applied: ${applied.length}.`
    return { json: { applied }, text }
  })

export const adopt: Run = async (_input, { settings, note }) =>
  await withConnection(await settings(), note, async (connection): Promise<Output> => {
    try {
      const isAdopted = await adoptSchema(connection, note)
      return {
        json: { adopted: isAdopted, problems: [] },
        text: isAdopted
          ? 'The database has the migrations of 1.0.0.'
          : 'Nothing to adopt: no version before 1.0.0 made this database.',
      }
    } catch (error) {
      if (!(error instanceof NotAdopted)) throw error
      return {
        json: { adopted: false, problems: error.reasons },
        text: `Nothing was changed.\n${error.reasons.map((reason) => `  ${reason}`).join('\n')}`,
        failure: 'The database was not adopted.',
      }
    }
  })

export const grant: Run = async ({ positionals: [role = ''] }, { settings, note }) =>
  await withConnection(await settings(), note, async (connection) => {
    const tables = await withSession(connection, async (session) => {
      // PostgreSQL only warns when a role may not grant.
      if (!(await readRights(session)).isOwner)
        throw new CommandError(
          "Only the owner of the tables can grant rights: run this with the owner's DATABASE_URL.",
        )
      return await session.transaction(() => grantRows(session, role))
    })
    return {
      json: { role, tables },
      text: `The role ${role} can read and write the rows of ${tables} tables, and of those that later migrations add.`,
    }
  })

/** Distributes the agencies' tables over the nodes of Citus. A distributed database is only checked. */
export const distribute: Run = async (input, { settings, note }) => {
  const shards = Number(input.optional('shards') ?? usualShardCount)
  const { databaseUrl } = await settings()
  if (databaseUrl === null)
    throw new CommandError(
      'The embedded database cannot be distributed: move it into a PostgreSQL with Citus first, as docs/operations/distribute.md says.',
    )
  const connection = { connectionString: databaseUrl }
  return await withSession(connection, async (session): Promise<Output> => {
    const nodes = await examineNodes(session, connection)
    if (nodes === null)
      throw new CommandError(
        'This database has no Citus: run "create extension citus" on each node, in the database of this name; see docs/operations/distribute.md.',
      )
    const isHalfDone = await isHalfDistributed(session)
    const pending = isHalfDone ? [] : await pendingMigrations(connection)
    const isDone = pending.length === 0 && !isHalfDone && (await findUndistributed(session)).length === 0
    const version = nodes.find(({ state }) => state !== null)?.state?.citus ?? ''
    const warning = describeVersion(version)
    if (warning !== null) note(warning)
    if (!isDone) {
      const obstacles = [
        ...(pending.length === 0 ? [] : [`Migrations are pending: ${svcCommand} migrate`]),
        ...(await findObstacles(session, nodes)),
      ]
      if (obstacles.length > 0) return refusal(version, obstacles)
    }
    const distributed = await distributeTables(session, { shards, log: note })
    const faults = await findFaults(session)
    const holdings = await findHoldings(session)
    const columns = {
      NODE: 'node',
      SHARDS: 'shards',
      SIZE: ({ bytes }: { bytes: number }) => bytesText(bytes),
    } as const
    return {
      json: { citus: version, warning, distributed, nodes: holdings, problems: faults },
      text: [
        distributed.length === 0 ? 'The database was already distributed.' : 'The database is distributed.',
        listed(holdings, columns).text,
        ...faults,
      ].join('\n\n'),
      ...(faults.length === 0 ? {} : { failure: `Not in order: ${faults.join(' ')}` }),
    }
  })
}

function refusal(citus: string, obstacles: readonly string[]): Output {
  return {
    json: { citus, distributed: [], problems: obstacles },
    text: `Nothing was changed.\n${obstacles.map((one) => `  ${one}`).join('\n')}`,
    failure: `The database was not distributed: ${obstacles.length} ${obstacles.length === 1 ? 'problem' : 'problems'} to fix first.`,
  }
}
