/** Counts the table and index pages that some work touches, as PostgreSQL reports them: unlike timings, they are deterministic. */
import { sql } from 'kysely'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import type { Tx } from '../../../src/platform/db/statements/connection.ts'
import type { Db } from '../../../src/platform/db/database.ts'

/** A connection plans a statement this many times before it may settle on a plan; planning also reads the ends of indexes. */
const rounds = 8

/** Runs `work` a few times on one connection, and rolls back its writes. @returns the pages per run, without system catalogues */
export async function pagesTouched(db: Db, work: (db: Db) => Promise<unknown>): Promise<number> {
  let pages = 0
  const over = new Error('over')
  await inTransaction(db, async (tx) => {
    const one: Db = Object.assign(tx as Tx & Db, { nodes: async () => [one] })
    const before = await countPages(tx)
    for (let round = 0; round < rounds; round += 1) await work(one)
    pages = ((await countPages(tx)) - before) / rounds
    throw over
  }).catch((error: unknown) => {
    if (error !== over) throw error
  })
  return pages
}

async function countPages(db: Tx): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select sum(pg_stat_get_xact_blocks_fetched(oid))::int as pages from pg_class
    where oid >= 16384 and relkind in ('r', 'i', 't', 'm')`.execute(db)
  return rows[0]?.pages ?? 0
}
