/**
 * Connections that statements share: each is sent without waiting for the answers of those before it (PostgreSQL's pipelining),
 * which costs half of what a connection a statement does. For statements that take next to no time, because they run one
 * after the other.
 */
import pg from 'pg'
import { queryByName } from './named-query.ts'
import { DatabaseAway, type Presence } from './presence.ts'

export type SharedConnections = {
  /** Runs a statement under its name, a transaction of its own. @returns its rows */
  run(name: string, text: string, values: readonly unknown[]): Promise<unknown[]>
  end(): Promise<void>
}

/** A connection while anybody uses it. */
type Lane = { client: Promise<pg.PoolClient>; users: number; broken: boolean }

/** At most `count` connections, made when they are needed and closed when they have been idle for long. */
export function shareConnections(
  config: pg.PoolConfig,
  count: number,
  presence: Presence,
): SharedConnections {
  const pool = new pg.Pool({ ...config, max: count, pipeline: true })
  presence.watch(pool)
  // Broken connections are replaced when they are used next; whoever waits for an answer hears of it there.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let lanes: Lane[] = []

  /** The least busy one, or a new one while none is free. */
  const choose = (): Lane => {
    let chosen: Lane | undefined
    for (const lane of lanes) if (chosen === undefined || lane.users < chosen.users) chosen = lane
    if (chosen !== undefined && (chosen.users === 0 || lanes.length === count)) return chosen
    chosen = { client: pool.connect(), users: 0, broken: false }
    lanes.push(chosen)
    return chosen
  }

  const leave = (lane: Lane): void => {
    lane.users -= 1
    if (lane.users > 0) return
    lanes = lanes.filter((other) => other !== lane)
    lane.client.then(
      (client) => client.release(lane.broken),
      () => {},
    )
  }

  return {
    async run(name, text, values) {
      if (presence.isAway()) throw new DatabaseAway()
      const lane = choose()
      lane.users += 1
      try {
        const client = await lane.client
        const [rows = []] = await queryByName(client, [{ name, text, values }])
        return rows
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') {
          lane.broken = true
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
