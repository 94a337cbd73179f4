/**
 * Chains new entries of the audit log: each gets the next number and a hash over the entry before and its own fields, so that later changes
 * outside the service show. Actions have one chain and sign-ins another, because old sign-ins are deleted. A chore does this shortly after
 * the entries are committed, so that their writers never wait for each other.
 */
import { randomBytes } from 'node:crypto'
import { tryAdvisoryLock } from '../../platform/db/statements/advisory-locks.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import type { AuditView } from './entries.ts'
import { chainedColumns, type ChainedFields, digestOf, hashOf, personalFields } from './hashes.ts'

export const chains: readonly AuditView[] = ['acts', 'sign-ins']

/** The last entry of a chain. */
export type End = { chain: AuditView; number: number; hash: string }

/** The end of a chain without entries. */
export const start = (chain: AuditView): End => ({ chain, number: 0, hash: '' })

/** Reads one entry of an index that is empty when nothing is new. */
const lookForNew = statement<{ isNew: boolean }>(
  'select exists (select from audit_log where chain_number is null) as "isNew"',
)

/**
 * Only one worker of all processes chains at a time. The others skip their turn, because the first one takes everything new. The lock
 * ends with the transaction, after its commit is visible, so the next worker reads the new ends.
 */
const tryLock = tryAdvisoryLock('auditChain')

/** Read under the lock. A chain without entries has no row. */
const selectEnds = statement<End>(`select chain, number, encode(hash, 'hex') as hash from audit_chains`)

/** The oldest new entries. One that is locked, because a person is being erased from it, is chained in a later round. */
const takeNew = statement<ChainedFields>(`
  select ${chainedColumns} from audit_log l where l.chain_number is null order by l.at, l.id limit $1 for update skip locked`)

/** Completes entries that `takeNew` has locked. */
const storeChained = statement(`
  update audit_log l set chain_number = c.chain_number, chain_hash = c.chain_hash, salts = c.salts, digests = c.digests
  from json_populate_recordset(null::audit_log, $1::json) c where l.id = c.id`)

const storeEnds = statement(`
  insert into audit_chains (chain, number, hash) select chain, number, hash from json_populate_recordset(null::audit_chains, $1::json)
  on conflict (chain) do update set number = excluded.number, hash = excluded.hash`)

/** The new ends of the chains that grew, and the number of entries chained. */
type Chained = Readonly<{ count: number; ends: readonly End[] }>

const nothingNew: Chained = { count: 0, ends: [] }

/** Chains up to `limit` entries, oldest first. */
export async function chainAudit(db: Db, limit: number): Promise<Chained> {
  const [looked] = await lookForNew(db, [])
  if (looked?.isNew !== true) return nothingNew
  return await inTransaction(db, (tx) => chainWithin(tx, limit))
}

async function chainWithin(tx: Tx, limit: number): Promise<Chained> {
  const [lock] = await tryLock(tx, [])
  if (lock?.taken !== true) return nothingNew
  const ends = new Map((await selectEnds(tx, [])).map((end) => [end.chain, end]))
  const grown = new Map<AuditView, End>()
  const entries = await takeNew(tx, [limit])
  const rows = entries.map((entry) => {
    const chain = entry.expires_at === null ? 'acts' : 'sign-ins'
    const end = grown.get(chain) ?? ends.get(chain) ?? start(chain)
    const salted = personalFields(entry).map((field) => ({ field, salt: randomBytes(16).toString('hex') }))
    const digests = salted.map(({ field, salt }) => digestOf(salt, field))
    const number = end.number + 1
    const hash = hashOf(end.hash, number, entry, digests)
    grown.set(chain, { chain, number, hash })
    return {
      id: entry.id,
      chain_number: number,
      chain_hash: bytes(hash),
      salts: salted.map(({ salt }) => bytes(salt)),
      digests: digests.map(bytes),
    }
  })
  if (rows.length === 0) return nothingNew
  await storeChained(tx, [JSON.stringify(rows)])
  const newEnds = [...grown.values()]
  await storeEnds(tx, [JSON.stringify(newEnds.map((end) => ({ ...end, hash: bytes(end.hash) })))])
  return { count: rows.length, ends: newEnds }
}

/** PostgreSQL's text form of a `bytea`. */
function bytes(hex: string): string {
  return `\\x${hex}`
}
