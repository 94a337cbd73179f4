/**
 * Whether the database is there. One that was stopped refuses connections at once; one that is frozen, or behind a network that loses
 * everything, says nothing at all, for as long as one cares to wait. So when statements wait and nothing has been heard for a while, a
 * connection of its own asks. Is that not answered either, the database is away: whoever waits hears so at once, as does everybody
 * who comes (503, spec 'Errors'), and in the background it is asked again and again until it is back.
 */
import pg from 'pg'
import { whenAnswered } from './named-query.ts'

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
  /** How long it has for the answer, connection included. */
  probeMs: number
  /** Between two questions while it is away. */
  pauseMs: number
}>

const usualTimes: PresenceTimes = { silenceMs: 1_000, probeMs: 2_000, pauseMs: 250 }

export type Presence = {
  isAway(): boolean
  /** The class of the pool's clients: they tell what they hear, and are cut off when the database goes away. */
  Client: typeof pg.Client
  /** Waits for a connection of the pool, unless the database is or goes away. @throws DatabaseAway */
  connect(pool: pg.Pool): Promise<pg.PoolClient>
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
  let timer: NodeJS.Timeout | null = null
  let isAway = false
  let isAsking = false
  let hasEnded = false
  const clients = new Set<pg.Client>()
  const connecting = new Set<pg.Client>()
  /** Of those who wait for a connection. */
  const turnAway = new Set<(error: DatabaseAway) => void>()

  const begin = (): void => {
    waiting += 1
    if (waiting === 1) heardAt = performance.now()
    if (timer === null) listen()
  }
  const hear = (): void => {
    waiting -= 1
    heardAt = performance.now()
  }
  /** What is no answer of PostgreSQL's makes one ask. */
  const hearError = (error: unknown): void => {
    hear()
    if (!isAnswer(error)) void ask()
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
    const isThere = await answers(connection, times.probeMs)
    isAsking = false
    if (isThere) heardAt = performance.now()
    else if (!hasEnded) goAway()
  }

  const goAway = (): void => {
    isAway = true
    tell(true)
    const error = new DatabaseAway()
    for (const reject of turnAway) reject(error)
    turnAway.clear()
    for (const client of clients) cutOff(client)
    const look = async (): Promise<void> => {
      if (hasEnded) return
      if (!(await answers(connection, times.probeMs))) return void setTimeout(look, times.pauseMs).unref()
      // What was begun meanwhile may be lost on the way.
      for (const client of connecting) cutOff(client)
      isAway = false
      if (!hasEnded) tell(false)
    }
    setTimeout(look, times.pauseMs).unref()
  }

  class WatchedClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      clients.add(this)
      this.once('end', () => clients.delete(this))
    }
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
      begin()
      connecting.add(this)
      const over = (error: Error | null | undefined): void => {
        connecting.delete(this)
        if (error === undefined || error === null) return hear()
        clients.delete(this)
        hearError(error)
      }
      if (callback === undefined) {
        const connected = super.connect() as unknown as Promise<pg.Client>
        connected.then(() => over(null), over)
        return connected
      }
      super.connect((error: Error) => {
        over(error)
        callback(error)
      })
    }
    override query(...call: readonly unknown[]): never {
      begin()
      const answer: unknown = Reflect.apply(super.query, this, call)
      whenAnswered(answer, (error) => (error === null ? hear() : hearError(error)))
      // As pg's own, which has a type for each kind of call.
      return answer as never
    }
  }

  return {
    isAway: () => isAway,
    Client: WatchedClient,
    async connect(pool) {
      if (isAway) throw new DatabaseAway()
      return new Promise((resolve, reject) => {
        turnAway.add(reject)
        pool
          .connect()
          .then((client) => {
            // Who was turned away meanwhile does not come for it.
            if (turnAway.delete(reject)) resolve(client)
            else client.release()
          })
          .catch((error: unknown) => {
            turnAway.delete(reject)
            reject(error)
          })
      })
    },
    end() {
      hasEnded = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** Without a word to the other side, which does not listen. */
function cutOff(client: pg.Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

/** Whether the database answers a connection of its own; that it has no room for it, or does not know the user, is an answer. */
async function answers(connection: pg.ClientConfig, limitMs: number): Promise<boolean> {
  const client = new pg.Client({ ...connection, keepAlive: false })
  client.on('error', () => {})
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
  const asked = async (): Promise<boolean> => {
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch (error) {
      return isAnswer(error)
    }
  }
  const isThere = await Promise.race([asked(), isOver])
  clearTimeout(timer!)
  if (isThere) void client.end().catch(() => {})
  else cutOff(client)
  return isThere
}

/** PostgreSQL's own words, but for those of one that starts or stops, and of a pooler that cannot reach it. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? '')
}
