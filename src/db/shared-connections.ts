/**
 * Connections that short statements share: each leaves without waiting for the answers of those before it, which costs half of what a
 * connection a statement does. They run one after the other, so only statements that take next to no time belong here.
 */
import pg from 'pg'
import { Connection } from './connection.ts'
import { DatabaseAway, type Presence } from './presence.ts'
import type { SharingExecutor } from './statement.ts'

type SharedConnections = SharingExecutor & { end(): Promise<void> }

/** A connection while anybody uses it. */
type Lane = { connection: Promise<Connection>; users: number; isBroken: boolean }

/** At most `count` connections, made when they are needed and closed when they have been idle for long. */
export function shareConnections(
  config: pg.PoolConfig,
  count: number,
  presence: Presence,
): SharedConnections {
  const pool = new pg.Pool({ ...config, max: count })
  presence.watch(pool)
  // Broken connections are replaced at their next use; a statement under way fails.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let lanes: Lane[] = []

  /** The least busy one, or a new one while none is free. */
  const choose = (): Lane => {
    let chosen: Lane | undefined
    for (const lane of lanes) if (chosen === undefined || lane.users < chosen.users) chosen = lane
    if (chosen !== undefined && (chosen.users === 0 || lanes.length === count)) return chosen
    const connection = presence.connect(pool).then((client) => new Connection(client, presence, true))
    chosen = { connection, users: 0, isBroken: false }
    lanes.push(chosen)
    return chosen
  }

  const leave = (lane: Lane): void => {
    lane.users -= 1
    if (lane.users > 0) return
    lanes = lanes.filter((other) => other !== lane)
    lane.connection.then(
      (connection) => connection.release(lane.isBroken),
      () => {},
    )
  }

  return {
    async runShared(statement) {
      if (presence.isAway()) throw new DatabaseAway()
      const lane = choose()
      lane.users += 1
      try {
        return await (await lane.connection).run(statement)
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') {
          lane.isBroken = true
          lanes = lanes.filter((other) => other !== lane)
        }
        throw error
      } finally {
        leave(lane)
      }
    },
    end: () => pool.end(),
  }
}
