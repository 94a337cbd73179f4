/** `database distribute`: distributes the agencies' tables over the nodes of Citus. On a distributed database it only checks them. */
import { distribute, findUndistributed, isHalfDistributed } from '../../platform/db/citus/distribute.ts'
import { usualShardCount } from '../../platform/db/citus/distribution.ts'
import {
  describeVersion,
  findFaults,
  findHoldings,
  findNodes,
  findObstacles,
} from '../../platform/db/citus/distribution-checks.ts'
import { pendingMigrations } from '../../platform/db/migrate.ts'
import { withSession } from '../../platform/db/session.ts'
import { CommandError, type Output, type Run } from './command.ts'
import { table } from './layout.ts'

const mostShards = 1_024

export const distributeDatabase: Run = async (input, { settings, note }) => {
  const shards = readShards(input.optional('shards'))
  const { databaseUrl } = await settings()
  if (databaseUrl === null)
    throw new CommandError(
      'The embedded database cannot be distributed: move it into a PostgreSQL with Citus first, as docs/operations/distribute.md says.',
    )
  const connection = { connectionString: databaseUrl }
  return await withSession(connection, async (session): Promise<Output> => {
    const nodes = await findNodes(session, connection)
    if (nodes === null)
      throw new CommandError(
        'This database has no Citus: on each node, in a database of this name, create extension citus; see docs/operations/distribute.md.',
      )
    const isHalfDone = await isHalfDistributed(session)
    const pending = isHalfDone ? [] : await pendingMigrations(connection)
    const isDone = pending.length === 0 && !isHalfDone && (await findUndistributed(session)).length === 0
    const version = nodes.find(({ said }) => said !== null)?.said?.citus ?? ''
    const warning = describeVersion(version)
    if (warning !== null) note(warning)
    if (!isDone) {
      const obstacles = [
        ...(pending.length === 0 ? [] : ['Migrations are pending: npm run -s svc -- migrate']),
        ...(await findObstacles(session, nodes)),
      ]
      if (obstacles.length > 0) return refusal(version, obstacles)
    }
    const distributed = await distribute(session, { shards, log: note })
    const faults = await findFaults(session)
    const holdings = await findHoldings(session)
    const rows = holdings.map((one) => [one.node, String(one.shards), megabytes(one.bytes)])
    return {
      json: { citus: version, warning, distributed, nodes: holdings, problems: faults },
      text: [
        distributed.length === 0 ? 'The database was distributed already.' : 'The database is distributed.',
        table(['NODE', 'SHARDS', 'SIZE'], rows, ''),
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

function readShards(text: string | null): number {
  const shards = Number(text ?? usualShardCount)
  if (Number.isInteger(shards) && shards >= 1 && shards <= mostShards) return shards
  throw new CommandError(`--shards takes a number from 1 to ${mostShards}.`)
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
