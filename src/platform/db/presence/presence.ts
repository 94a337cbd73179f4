/**
 * Detects that the database is away, and that it is back. A stopped database refuses connections; a frozen one, or one behind a dead
 * network, never answers. So after a silence with statements in flight, an idle connection is probed, then a new one. The idle one comes
 * first, because connecting can also fail while the database works: a DNS lookup may hang, or the server may accept no more connections.
 * If no probe and no statement is answered, the database is away: pending and new requests fail at once (503, api.md 5.3), and background
 * probes wait for its return.
 */
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { answersWithin, anyOf, isAnswer, probeIdle, probeNew } from './probes.ts'
import { watchSilence } from './silence.ts'

/** The database is away. Probes run in the background until it is back. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  constructor() {
    super('the database is away')
  }
}

const usualTimes = {
  /** With statements in flight: the longest silence before a probe. */
  silenceMs: 1_000,
  /** A probe's timeout, which includes connecting. */
  probeMs: 2_000,
  /** Pause between probes while it is away. */
  pauseMs: 250,
}
export type PresenceTimes = Readonly<typeof usualTimes>
export type Presence = ReturnType<typeof watchPresence>

/** @param onChange called when the database goes away and when it is back */
export function watchPresence(
  connection: pg.ClientConfig,
  onChange: (isAway: boolean) => void = () => {},
  times: PresenceTimes = usualTimes,
) {
  /** When PostgreSQL last answered a statement. */
  let lastAnswerAt = 0
  let isAway = false
  let isProbing = false
  let hasEnded = false
  const pools: pg.Pool[] = []
  const sockets = trackSockets(connection)
  /** Rejects the callers of `connect` that still wait. */
  const pendingConnects = new Set<(error: DatabaseAway) => void>()
  const silence = watchSilence(times.silenceMs, () => void probe())

  /** Ends a connection attempt. Probes at once after an error that did not come from PostgreSQL. @param error null on success */
  const settle = (error: unknown): void => {
    silence.settle()
    if (error !== null && !isAnswer(error)) void probe()
  }
  const settleStatement = (error: unknown): void => {
    if (error === null || isAnswer(error)) lastAnswerAt = performance.now()
    settle(error)
  }

  const probe = async (): Promise<void> => {
    if (isProbing || isAway || hasEnded) return
    isProbing = true
    const probedAt = performance.now()
    const isThere = await isReachable()
    isProbing = false
    if (isThere || lastAnswerAt > probedAt) silence.interrupt()
    else if (!hasEnded) declareAway()
  }

  const isReachable = async (): Promise<boolean> => {
    const idle = anyOf(pools.map((pool) => probeIdle(pool, times.probeMs)))
    if (await answersWithin(idle, times.probeMs / 8)) return true
    return anyOf([idle, probeNew(connection, times.probeMs)])
  }

  const declareAway = (): void => {
    isAway = true
    silence.stop()
    onChange(true)
    const error = new DatabaseAway()
    for (const reject of pendingConnects) reject(error)
    pendingConnects.clear()
    sockets.destroy()
    setTimeout(probeAgain, times.pauseMs).unref()
  }

  const probeAgain = async (): Promise<void> => {
    if (hasEnded) return
    const isBack = await probeNew(connection, times.probeMs)
    if (!isBack) return void setTimeout(probeAgain, times.pauseMs).unref()
    // Statements and connections begun during the outage may never be answered.
    sockets.destroy()
    isAway = false
    if (!hasEnded) onChange(false)
  }

  return {
    isAway: () => isAway,
    /** Pool settings that let the pool's sockets be destroyed when the database goes away. */
    settings: { stream: sockets.open },
    /** Registers a pool with those settings; probes use its idle connections. */
    watch: (pool: pg.Pool) => void pools.push(pool),
    /** Waits for a connection of the pool. @throws DatabaseAway if the database is away or goes away meanwhile */
    async connect(pool: pg.Pool): Promise<pg.PoolClient> {
      if (isAway) throw new DatabaseAway()
      silence.begin()
      return new Promise((resolve, reject) => {
        pendingConnects.add(reject)
        pool.connect().then(
          (client) => {
            settle(null)
            // If the caller was rejected meanwhile, the connection goes back.
            if (pendingConnects.delete(reject)) resolve(client)
            else client.release()
          },
          (error: unknown) => {
            settle(error)
            pendingConnects.delete(reject)
            reject(error)
          },
        )
      })
    },
    /** Registers a sent statement. @returns a function to call with its error, or null on success */
    watchStatement(): (error: unknown) => void {
      silence.begin()
      return settleStatement
    },
    end(): void {
      hasEnded = true
      silence.stop()
    },
  }
}

/** Opens the sockets of connections, and destroys them together. */
function trackSockets(connection: pg.ClientConfig) {
  const sockets = new Set<Duplex>()
  return {
    open(): Duplex {
      const socket = connection.stream?.() ?? new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    /** Closes the connections without a goodbye message, which nothing would read. */
    destroy(): void {
      for (const socket of sockets) socket.destroy()
    },
  }
}
