/**
 * Detects that the database is away, and that it is back. A stopped database refuses connections; a frozen one, or one behind a dead
 * network, never answers. So after a silence with statements in flight, an idle connection is probed, then a new one. The idle one comes
 * first, because connecting can also fail while the database works: a DNS lookup may hang, or the server may accept no more connections.
 * If no probe and no statement is answered, the database is away: pending and new requests fail at once (503, api.md 5.3), and background
 * probes wait for its return.
 */
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import pg from 'pg'

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
  const tickMs = times.silenceMs / 4
  /** Statements and connection attempts in flight. */
  let inFlight = 0
  /** When one of them last ended in any way. */
  let lastSignalAt = 0
  /** When PostgreSQL last answered a statement. */
  let lastAnswerAt = 0
  let timer: NodeJS.Timeout | null = null
  let isAway = false
  let isProbing = false
  let hasEnded = false
  const pools: pg.Pool[] = []
  const sockets = new Set<Duplex>()
  /** Rejects the callers of `connect` that still wait. */
  const pendingConnects = new Set<(error: DatabaseAway) => void>()

  const begin = (): void => {
    inFlight += 1
    if (inFlight === 1) lastSignalAt = performance.now()
    if (timer === null) watchSilence()
  }
  /** Probes at once after an error that did not come from PostgreSQL. @param error null on success */
  const settle = (error: unknown): void => {
    inFlight -= 1
    lastSignalAt = performance.now()
    if (error !== null && !isAnswer(error)) void probe()
  }

  const settleStatement = (error: unknown): void => {
    if (error === null || isAnswer(error)) lastAnswerAt = performance.now()
    settle(error)
  }

  const watchSilence = (): void => {
    const due = performance.now() + tickMs
    timer = setTimeout(() => {
      timer = null
      if (inFlight === 0 || isAway || hasEnded) return
      const now = performance.now()
      // A late timer means that this process was suspended or busy: answers may be there, unread.
      if (now - due > tickMs) lastSignalAt = now
      if (now - lastSignalAt >= times.silenceMs) void probe()
      watchSilence()
    }, tickMs).unref()
  }

  const probe = async (): Promise<void> => {
    if (isProbing || isAway || hasEnded) return
    isProbing = true
    const probedAt = performance.now()
    const isThere = await isReachable()
    isProbing = false
    if (isThere || lastAnswerAt > probedAt) lastSignalAt = performance.now()
    else if (!hasEnded) declareAway()
  }

  const isReachable = async (): Promise<boolean> => {
    const idle = anyOf(pools.map((pool) => probeIdle(pool, times.probeMs)))
    if (await answersWithin(idle, times.probeMs / 8)) return true
    return anyOf([idle, probeNew(connection, times.probeMs)])
  }

  /** Closes the connections without a goodbye message, which nothing would read. */
  const destroySockets = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  const declareAway = (): void => {
    isAway = true
    onChange(true)
    const error = new DatabaseAway()
    for (const reject of pendingConnects) reject(error)
    pendingConnects.clear()
    destroySockets()
    const probeAgain = async (): Promise<void> => {
      if (hasEnded) return
      const isBack = await probeNew(connection, times.probeMs)
      if (!isBack) return void setTimeout(probeAgain, times.pauseMs).unref()
      // Statements and connections begun during the outage may never be answered.
      destroySockets()
      isAway = false
      if (!hasEnded) onChange(false)
    }
    setTimeout(probeAgain, times.pauseMs).unref()
  }

  const stream = (): Duplex => {
    const socket = connection.stream?.() ?? new Socket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  return {
    isAway: () => isAway,
    /** Pool settings that let the pool's sockets be destroyed when the database goes away. */
    settings: { stream },
    /** Registers a pool with those settings; probes use its idle connections. */
    watch: (pool: pg.Pool) => void pools.push(pool),
    /** Waits for a connection of the pool. @throws DatabaseAway if the database is away or goes away meanwhile */
    async connect(pool: pg.Pool): Promise<pg.PoolClient> {
      if (isAway) throw new DatabaseAway()
      begin()
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
      begin()
      return settleStatement
    },
    end(): void {
      hasEnded = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Whether the database answers on an idle connection of the pool; false if there is none. */
async function probeIdle(pool: pg.Pool, limitMs: number): Promise<boolean> {
  if (pool.idleCount === 0) return false
  const taken = pool.connect()
  const isThere = await answersWithin(
    answers(async () => (await taken).query('select 1')),
    limitMs,
  )
  taken.then(
    (client) => client.release(!isThere),
    () => {},
  )
  return isThere
}

/** Whether the database answers on a new connection. An error such as too many connections or an unknown user is an answer too. */
async function probeNew(connection: pg.ClientConfig, limitMs: number): Promise<boolean> {
  const socket = new Socket()
  const client = new pg.Client({ ...connection, keepAlive: false, stream: () => socket })
  client.on('error', () => {})
  const isThere = await answersWithin(
    answers(async () => {
      await client.connect()
      await client.query('select 1')
    }),
    limitMs,
  )
  if (isThere) void client.end().catch(() => {})
  else socket.destroy()
  return isThere
}

async function answers(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt()
    return true
  } catch (error) {
    return isAnswer(error)
  }
}

/** The answer, or false after the limit. */
async function answersWithin(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
  const { promise: isOver, resolve } = Promise.withResolvers<boolean>()
  let timer: NodeJS.Timeout
  const wait = (): void => {
    const due = performance.now() + limitMs
    timer = setTimeout(() => {
      // A late timer means that this process was suspended: the answer may be there, unread.
      if (performance.now() - due > limitMs / 4) wait()
      else resolve(false)
    }, limitMs).unref()
  }
  wait()
  const isThere = await Promise.race([answer, isOver])
  clearTimeout(timer!)
  return isThere
}

/** Resolves to true as soon as one of them is true. */
async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  const all = Promise.all(answers).then((given) => given.includes(true))
  const { promise: isTrue, resolve } = Promise.withResolvers<boolean>()
  for (const answer of answers) void answer.then((given) => given && resolve(true))
  return Promise.race([all, isTrue])
}

/** Whether the error comes from a working PostgreSQL, not from one that starts or stops (57P0x) or a pooler that cannot reach it (08). */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? '')
}
