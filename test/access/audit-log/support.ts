/** Entries of both chains, and changes that someone with access to the database could make. */
import { sql } from 'kysely'
import { audit, type AuditAction } from '../../../src/access/audit-log/entries.ts'
import { chainAudit } from '../../../src/access/audit-log/chain.ts'
import { type ChainReport, verifyChains } from '../../../src/access/audit-log/verify.ts'
import type { Tx } from '../../../src/platform/db/statements/connection.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'

export const clock = { offsetMs: 0 }

/** Entries `first` to `last` of one action, each with its number as the subject. */
export async function write(db: Db, action: AuditAction, first: number, last: number): Promise<void> {
  const by = { kind: 'person', id: null, name: 'Ana', requestId: null } as const
  for (let number = first; number <= last; number += 1) {
    const entry = { action, agencyId: null, subject: String(number), details: { n: number, who: 'Ana' } }
    await audit(db, by, entry, clock)
  }
}

/** Chains all entries, in batches. @returns how many */
export async function chainAll(db: Db, limit = 100): Promise<number> {
  let sum = 0
  for (;;) {
    const { count } = await chainAudit(db, limit)
    sum += count
    if (count < limit) return sum
  }
}

type Verdict = Pick<ChainReport, 'entries' | 'erased' | 'mismatch' | 'missing'>

export async function verdicts(db: Db | Tx, offsetMs = 0): Promise<Verdict[]> {
  const reports = await verifyChains(db, { offsetMs })
  return reports.map(({ entries, erased, mismatch, missing }) => ({ entries, erased, mismatch, missing }))
}

/** The verdicts after a change, which is then undone. */
export async function verdictsAfter(db: Db, change: (tx: Tx) => Promise<unknown>): Promise<Verdict[]> {
  return await inTransaction(db, async (tx) => {
    await change(tx)
    const found = await verdicts(tx)
    await tx.rollback()
    return found
  })
}

/** Runs statements, as a person with access to the database would. */
export const running =
  (...texts: readonly string[]) =>
  async (tx: Tx): Promise<void> => {
    for (const text of texts) await sql`${sql.raw(text)}`.execute(tx)
  }
