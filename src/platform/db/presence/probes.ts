/** Probes: whether the database answers, on an idle connection or on a new one. */
import { Socket } from 'node:net'
import pg from 'pg'

/** Whether the database answers on an idle connection of the pool; false if there is none. */
export async function probeIdle(pool: pg.Pool, limitMs: number): Promise<boolean> {
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
export async function probeNew(connection: pg.ClientConfig, limitMs: number): Promise<boolean> {
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
export async function answersWithin(answer: Promise<boolean>, limitMs: number): Promise<boolean> {
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
export async function anyOf(answers: readonly Promise<boolean>[]): Promise<boolean> {
  const all = Promise.all(answers).then((given) => given.includes(true))
  const { promise: isTrue, resolve } = Promise.withResolvers<boolean>()
  for (const answer of answers) void answer.then((given) => given && resolve(true))
  return Promise.race([all, isTrue])
}

/** Whether the error comes from a working PostgreSQL, not from one that starts or stops (57P0x) or a pooler that cannot reach it (08). */
export function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|57P0)/.test(error.code ?? '')
}
