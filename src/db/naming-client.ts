/**
 * A connection for transactions: hot statements go by name, and those that are sent ahead leave with the next one in one packet, which the
 * database answers in one.
 */
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Socket } from 'node:net'
import type pg from 'pg'
import { isSpoiled, type NamedStatement, queryByName } from './named-query.ts'

/** A statement that is on its way. */
export type Sent<Row> = {
  /** Waits for its rows. */
  rows(): Promise<Row[]>
}

/** In the place of the rows of a statement that is sent ahead. */
export class SentAhead implements Sent<unknown> {
  readonly rows: () => Promise<unknown[]>
  constructor(rows: () => Promise<unknown[]>) {
    this.rows = rows
  }
}

/** Statements that leave together. */
type Train = { statements: NamedStatement[]; answers: Promise<unknown[][]> | null }

/**
 * @param nameOf the name of a hot statement by its text
 * @param isAhead whether a text is one of those that are sent ahead
 */
export function namingClient(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
  isAhead: (text: string) => boolean,
): PostgresPoolClient {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  let waiting: Train = { statements: [], answers: null }
  /** Those under way whose answers nobody has waited for yet. */
  let before: Train['answers'][] = []

  const depart = (): void => {
    if (waiting.statements.length === 0) return
    const answers = queryByName(client, waiting.statements)
    answers.catch(() => {})
    before.push(answers)
    waiting.answers = answers
    waiting = { statements: [], answers: null }
  }
  /** Why the first of those under way failed, if one has: the others, which fail in the same moment, say only that it has. */
  const arrive = async (): Promise<void> => {
    const earlier = before
    before = []
    await Promise.all(earlier)
  }

  async function send(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    // What fails before it does not matter to a statement that takes it back; in one train it would be skipped.
    const takesBack = text.startsWith('rollback')
    const name = takesBack ? undefined : nameOf(text)
    if (name === undefined) {
      stream.cork()
      depart()
      const answer = client.query(text, [...values]) as Promise<unknown> as Promise<
        PostgresQueryResult<unknown>
      >
      stream.uncork()
      if (takesBack) before = []
      else if (before.length > 0) await Promise.all([arrive(), answer])
      return answer
    }
    const train = waiting
    const place = train.statements.push({ name, text, values }) - 1
    const rowsOf = async (): Promise<unknown[]> => ((await train.answers) as unknown[][])[place] ?? []
    if (isAhead(text)) {
      const rows = async () => {
        if (train === waiting) depart()
        // One before it that failed says why this one did.
        await Promise.all(before.slice(0, before.indexOf(train.answers) + 1))
        return rowsOf()
      }
      return resultOf([new SentAhead(rows)])
    }
    depart()
    await arrive()
    return resultOf(await rowsOf())
  }

  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not used here')
    return send(text, values)
  }
  return { query, release: () => client.release(isSpoiled(client)) }
}

/** Of a hot statement only the rows are used. */
const resultOf = (rows: unknown[]): PostgresQueryResult<unknown> =>
  ({ command: '', rowCount: null, rows }) as unknown as PostgresQueryResult<unknown>
