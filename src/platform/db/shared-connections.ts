/**
 * Connections that short statements share by pipelining: each is sent without waiting for earlier answers. That costs half as much as
 * a connection per statement. PostgreSQL runs them one after the other, so only statements that take little time belong here.
 */
import pg from 'pg'
import { Connection, type ConnectionOptions } from './connection.ts'
import { DatabaseAway, type Presence } from './presence.ts'
import type { Statement } from './statement.ts'

/** A connection with statements in flight. */
type Lane = { connection: Promise<Connection>; inFlight: number; isBroken: boolean }

/**
 * Shares at most `count` connections of the pool, which has them back whenever nothing is in flight.
 * @returns a function that runs a statement
 */
export function shareConnections(
  pool: pg.Pool,
  count: number,
  presence: Presence,
  options: Pick<ConnectionOptions, 'stuck'> = {},
) {
  let lanes: Lane[] = []

  /** The least busy lane; a new one if that is busy and there are fewer than `count`. */
  const choose = (): Lane => {
    let chosen: Lane | undefined
    for (const lane of lanes) if (chosen === undefined || lane.inFlight < chosen.inFlight) chosen = lane
    if (chosen !== undefined && (chosen.inFlight === 0 || lanes.length === count)) return chosen
    const connection = presence
      .connect(pool)
      .then((client) => new Connection(client, presence, { ...options, isPipelined: true }))
    chosen = { connection, inFlight: 0, isBroken: false }
    lanes.push(chosen)
    return chosen
  }

  const leave = (lane: Lane): void => {
    lane.inFlight -= 1
    if (lane.inFlight > 0) return
    lanes = lanes.filter((other) => other !== lane)
    lane.connection.then(
      (connection) => connection.release(lane.isBroken),
      () => {},
    )
  }

  return async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    if (presence.isAway()) throw new DatabaseAway()
    const lane = choose()
    lane.inFlight += 1
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
  }
}
