/** Connects to the database, whichever engine it is. */
import { type NodeAddress, openCluster, toNode } from './cluster.ts'
import { type DatabaseOptions, type Db, openDatabase } from './database.ts'
import { findEngine, settingsFor } from './engine.ts'
import { stuckStatements } from './stuck-statements.ts'

/**
 * Opens the pool, and those of the nodes where Citus distributes the database. `onPresence` and `onIdleError` are called for each of
 * them, with the node's address. `db.destroy()` closes them all.
 */
export async function connectDatabase(options: DatabaseOptions): Promise<Db> {
  const engine = await findEngine(options.connection)
  const { slow, ...others } = options
  const { isDistributed } = engine
  const own = { ...others, isDistributed, connection: settingsFor(options.connection, engine) }
  if (!isDistributed) return openDatabase(own)
  const stuck = stuckStatements()
  // Only what runs on all shards becomes slow with the number of agencies.
  const coordinator = openDatabase({ ...own, stuck, ...(slow === undefined ? {} : { slow }) })
  const destroyCoordinator = coordinator.destroy
  const cluster = openCluster(coordinator, (address) =>
    Object.assign(openDatabase(ofNode(own, address, () => stuck.watch(cluster.isAnyAway))), { anywhere, at }),
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

/** @param onAway called when it goes away */
function ofNode(options: DatabaseOptions, address: NodeAddress, onAway: () => void): DatabaseOptions {
  const { connection, onPresence, onIdleError } = options
  const name = `${address.host}:${address.port}`
  return {
    ...options,
    connection: toNode(connection, address),
    countsLater: true,
    onPresence: (isAway) => {
      if (isAway) onAway()
      onPresence?.(isAway, name)
    },
    ...(onIdleError === undefined ? {} : { onIdleError: (error) => onIdleError(error, name) }),
  }
}
