/** Triggers with which tests make statements fail. */
import { sql } from 'kysely'
import type { Db } from '../../../src/platform/db/database.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'

/** Creates a trigger; on Citus, on every shard of its table. */
export async function createTrigger(db: Db, text: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Citus requires a confirmation that a trigger touches only its own row.
    await sql`set local citus.enable_unsafe_triggers = on`.execute(tx)
    await sql`${sql.raw(text)}`.execute(tx)
  })
}
