/** Connects to the database, whichever engine it is. */
import { openCluster, toNode } from './citus/cluster.ts'
import { DatabaseStartError } from './presence/database-start-error.ts'
import { type DatabaseOptions, type Db, openDatabase } from './database.ts'
import { getEngine, settingsFor } from './engine.ts'
import { rethrowAfter } from '../errors/errors.ts'
import { stuckStatements } from './presence/stuck-statements.ts'

/** Names the coordinator in logs and metrics, where a node has its host and port. */
export const coordinatorName = 'coordinator'

/**
 * Opens the pool, and those of the nodes where Citus distributes the database. `onPresence` and `onIdleError` are then called for each of
 * them, with the node's host and port or `coordinatorName`. `db.destroy()` closes them all.
 * @param options.hasReplica whether a replica answers reads
 * @throws DatabaseStartError for a replica of a distributed database
 */
export async function connectDatabase({
  hasReplica = false,
  slow,
  ...options
}: DatabaseOptions & { hasReplica?: boolean }): Promise<Db> {
  const engine = await getEngine(options.connection)
  const { isDistributed } = engine
  const own = { ...options, isDistributed, connection: settingsFor(options.connection, engine) }
  if (!isDistributed) return openDatabase(own)
  if (hasReplica)
    throw new DatabaseStartError(
      'DATABASE_READ_URL cannot be used with Citus: remove it. Each node answers for its own agencies.',
    )
  const stuck = stuckStatements()
  // `slow` for the coordinator alone: only statements on all shards get slower with the number of agencies.
  const coordinator = openDatabase({ ...own, node: coordinatorName, stuck, slow })
  const destroyCoordinator = coordinator.destroy
  const cluster = openCluster(coordinator, (node) =>
    Object.assign(
      openDatabase({
        ...own,
        node: `${node.host}:${node.port}`,
        connection: toNode(own.connection, node),
        countsLater: true,
        onPresence(isAway, name) {
          if (isAway) stuck.watch(cluster.isAnyAway)
          own.onPresence?.(isAway, name)
        },
      }),
      { anywhere, at },
    ),
  )
  const { anywhere, at, nodes } = cluster
  Object.assign(coordinator, {
    anywhere,
    at,
    nodes,
    destroy: async () => {
      await Promise.all([cluster.close(), destroyCoordinator()])
    },
  })
  await cluster.open().catch(rethrowAfter(() => coordinator.destroy()))
  return coordinator
}
