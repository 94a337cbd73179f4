/** How many pages of tables and indexes something touches, counted by PostgreSQL: what no timing tells. */
import { sql } from 'kysely'
import { inTransaction } from '../../src/platform/db/transaction.ts'
import type { Tx } from '../../src/platform/db/connection.ts'
import type { Db } from '../../src/platform/db/database.ts'

/** So often a connection plans a statement anew before it may settle on a plan; planning looks at the ends of indexes too. */
const rounds = 8

/**
 * Runs `work` a few times on one connection, and takes back what it writes. @returns the pages of a time; system catalogues do not count
 */
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
