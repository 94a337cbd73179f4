/**
 * Whether the database is there. One that was stopped refuses connections at once; one that is frozen, or behind a network that loses
 * everything, says nothing at all, for as long as one cares to wait. So when statements wait and nothing has been heard for a while, an
 * idle connection asks, and then a new one: that alone does not tell a database that is away from a name that cannot be looked up, or a
 * server that lets nobody in. If neither is answered, nor anything else meanwhile, the database is away: whoever waits hears so at once,
 * as does everybody who comes (503, api.md 5.3), and in the background it is asked again and again until it is back.
 */
import { Socket } from 'node:net'
import pg from 'pg'

/** The database is away; it is looked for. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  constructor() {
    super('the database is away')
  }
}

export type PresenceTimes = Readonly<{
  /** Statements wait and none is answered for so long: it is asked whether it is there. */
  silenceMs: number
  /** How long it has for the answer, a new connection included. */
  probeMs: number
  /** Between two questions while it is away. */
  pauseMs: number
}>

const usualTimes: PresenceTimes = { silenceMs: 1_000, probeMs: 2_000, pauseMs: 250 }

export type Presence = {
  isAway(): boolean
  /** Settings of a pool whose connections are cut off when the database goes away. */
  settings: Pick<pg.PoolConfig, 'stream'>
  /** Takes note of a pool with those settings: its idle connections are asked. */
  watch(pool: pg.Pool): void
  /** Waits for a connection of the pool, unless the database is or goes away. @throws DatabaseAway */
  connect(pool: pg.Pool): Promise<pg.PoolClient>
  /** Takes note of a statement that leaves. @returns a function that hears its error, or null, once it was answered */
  watchStatement(): (error: unknown) => void
  end(): void
}

/** @param tell hears that it went and that it came back */
export function watchPresence(
  connection: pg.ClientConfig,
  tell: (isAway: boolean) => void = () => {},
  times: PresenceTimes = usualTimes,
): Presence {
  const tickMs = times.silenceMs / 4
  /** Statements and connections that wait for an answer. */
  let waiting = 0
  let heardAt = 0
  /** A statement was answered last, by the database itself. */
  let answeredAt = 0
  let timer: NodeJS.Timeout | null = null
  let isAway = false
  let isAsking = false
  let hasEnded = false
  const pools: pg.Pool[] = []
  const sockets = new Set<Socket>()
  /** Of those who wait for a connection. */
  const turnAway = new Set<(error: DatabaseAway) => void>()

  const begin = (): void => {
    waiting += 1
    if (waiting === 1) heardAt = performance.now()
    if (timer === null) listen()
  }
  /** What is no answer of PostgreSQL's makes one ask. @param error null where it went well */
  const hear = (error: unknown): void => {
    waiting -= 1
    heardAt = performance.now()
    if (error !== null && !isAnswer(error)) void ask()
  }

  const hearAnswer = (error: unknown): void => {
    if (error === null || isAnswer(error)) answeredAt = performance.now()
    hear(error)
  }

  const listen = (): void => {
    const due = performance.now() + tickMs
    timer = setTimeout(() => {
      timer = null
      if (waiting === 0 || isAway || hasEnded) return
      const now = performance.now()
      // We did not hear because we did not listen: the process stood still, or was busy.
      if (now - due > tickMs) heardAt = now
      if (now - heardAt >= times.silenceMs) void ask()
      listen()
    }, tickMs).unref()
  }

  const ask = async (): Promise<void> => {
    if (isAsking || isAway || hasEnded) return
    isAsking = true
    const askedAt = performance.now()
    const isThere = await isAnswered()
    isAsking = false
    if (isThere || answeredAt > askedAt) heardAt = performance.now()
    else if (!hasEnded) goAway()
  }

  const isAnswered = async (): Promise<boolean> => {
    const idle = anyOf(pools.map((pool) => idleAnswers(pool, times.probeMs)))
    if (await inTime(idle, times.probeMs / 8)) return true
    return anyOf([idle, newAnswers(connection, times.probeMs)])
  }

  /** Without a word to the other side, which does not listen. */
  const cutOff = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  const goAway = (): void => {
    isAway = true
    tell(true)
    const error = new DatabaseAway()
    for (const reject of turnAway) reject(error)
    turnAway.clear()
    cutOff()
    const look = async (): Promise<void> => {
      if (hasEnded) return
      if (!(await newAnswers(connection, times.probeMs))) return void setTimeout(look, times.pauseMs).unref()
      // What was begun meanwhile may be lost on the way.
      cutOff()
      isAway = false
      if (!hasEnded) tell(false)
    }
    setTimeout(look, times.pauseMs).unref()
  }

  const stream = (): Socket => {
    const socket = new Socket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  return {
    isAway: () => isAway,
    settings: { stream },
    watch: (pool) => void pools.push(pool),
    async connect(pool) {
      if (isAway) throw new DatabaseAway()
      begin()
      return new Promise((resolve, reject) => {
        turnAway.add(reject)
        pool.connect().then(
          (client) => {
            hear(null)
            // Who was turned away meanwhile does not come for it.
            if (turnAway.delete(reject)) resolve(client)
            else client.release()
          },
          (error: unknown) => {
            hear(error)
            turnAway.delete(reject)
            reject(error)
          },
        )
      })
    },
    watchStatement() {
      begin()
      return hearAnswer
    },
    end() {
      hasEnded = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Whether an idle connection of the pool is answered, if there is one. */
async function idleAnswers(pool: pg.Pool, limitMs: number): Promise<boolean> {
  if (pool.idleCount === 0) return false
  const taken = pool.connect()
  const isThere = await inTime(
    answers(async () => (await taken).query('select 1')),
    limitMs,
  )
  taken.then(
    (client) => client.release(!isThere),
    () => {},
  )
  return isThere
}

/** Whether a connection of its own is answered; that there is no room for it, or its user is not known, is an answer. */
async function newAnswers(connection: pg.ClientConfig, limitMs: number): Promise<boolean> {
  const socket = new Socket()
  const client = new pg.Client({ ...connection, keepAlive: false, stream: () => socket })
  client.on('error', () => {})
  const isThere = await inTime(
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

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    return isAnswer(error)
  }
}

async function inTime(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
  const { promise: isOver, resolve } = Promise.withResolvers<boolean>()
  let timer: NodeJS.Timeout
  const wait = (): void => {
    const due = performance.now() + limitMs
    timer = setTimeout(() => {
      // The process stood still: the answer may be there, unread.
      if (performance.now() - due > limitMs / 4) wait()
      else resolve(false)
    }, limitMs).unref()
  }
  wait()
  const isThere = await Promise.race([answer, isOver])
  clearTimeout(timer!)
  return isThere
}

/** As soon as one of them is true. */
async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  const all = Promise.all(answers).then((given) => given.includes(true))
  const { promise: isTrue, resolve } = Promise.withResolvers<boolean>()
  for (const answer of answers) void answer.then((given) => given && resolve(true))
  return Promise.race([all, isTrue])
}

/** PostgreSQL's own words, but for those of one that starts or stops, and of a pooler that cannot reach it. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? '')
}
