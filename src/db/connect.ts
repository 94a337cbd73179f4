/** Connects to the database, whichever engine it is. */
import { type NodeAddress, openCluster, toNode } from './cluster.ts'
import { type DatabaseOptions, type Db, openDatabase } from './database.ts'
import { findEngine, settingsFor } from './engine.ts'

/**
 * Opens the pool, and those of the nodes where Citus distributes the database. `onPresence` and `onIdleError` are called for each of
 * them, with the node's address. `db.destroy()` closes them all.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Db> {
  const engine = await findEngine(options.connection)
  const { slow, ...others } = options
  const { isDistributed } = engine
  const own = { ...others, isDistributed, connection: settingsFor(options.connection, engine) }
  // Only what runs on all shards becomes slow with the number of agencies.
  const coordinator = openDatabase(isDistributed && slow !== undefined ? { ...own, slow } : own)
  if (!isDistributed) return coordinator
  const destroyCoordinator = coordinator.destroy
  const cluster = openCluster(coordinator, (address) =>
    Object.assign(openDatabase(ofNode(own, address)), { anywhere, at }),
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
  try {
    await cluster.open()
  } catch (error) {
    await coordinator.destroy()
    throw error
  }
  return coordinator
}

function ofNode(options: DatabaseOptions, address: NodeAddress): DatabaseOptions {
  const { connection, onPresence, onIdleError } = options
  const name = `${address.host}:${address.port}`
  return {
    ...options,
    connection: toNode(connection, address),
    countsLater: true,
    ...(onPresence === undefined ? {} : { onPresence: (isAway) => onPresence(isAway, name) }),
    ...(onIdleError === undefined ? {} : { onIdleError: (error) => onIdleError(error, name) }),
  }
}
