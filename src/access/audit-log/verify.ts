/** Verifies the audit log's chains: which entries were changed, deleted or inserted outside the service. For `doctor`. */
import type { Clock } from '../../platform/time/clock.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { chains, type End, start } from './chain.ts'
import type { AuditView } from './entries.ts'
import { chainedColumns, type ChainedFields, digestOf, hashOf, personalFields } from './hashes.ts'

/** Salts and digests are separated by spaces; `-` is an erased one. The driver takes ten times as long to parse an array. */
type ChainedEntry = ChainedFields &
  Readonly<{ number: number; hash: string; salts: string; digests: string; expires_soon: boolean | null }>

/** An entry, or nulls if none is left, with the end of the chain from the same snapshot. */
type ChainRow = Readonly<{ end_number: number | null; end_hash: string | null }> &
  (ChainedEntry | { number: null })

/** From and to, both included. */
type Numbers = readonly [from: number, to: number]

export type ChainReport = {
  chain: AuditView
  /** Entries that were checked. */
  entries: number
  /** Entries from which a person was erased. */
  erased: number
  /** The number of the first entry that does not match. */
  mismatch: number | null
  missing: Numbers[]
  /** The number of the first entry; null without entries. */
  first: number | null
  last: End
  /** Whether the next sign-ins may have been deleted already: none was read yet, or the last one expires within a day. */
  mayMissNext: boolean
}

const readAtOnce = 5_000

const erased = '-'
const inHex = (column: string) =>
  `concat_ws(' ', ${[1, 2, 3].map((nth) => `coalesce(encode(l.${column}[${nth}], 'hex'), '${erased}')`).join(', ')}) as ${column}`

/**
 * Sign-ins are deleted oldest first, which is nearly the order of their numbers. So there may be gaps before the first one that stays
 * for another day. Values: the chain, the last number read, how many, the clock's offset.
 */
const reading = (kind: string) =>
  statement<ChainRow>(`
  select c.number as end_number, encode(c.hash, 'hex') as end_hash, l.chain_number as number, encode(l.chain_hash, 'hex') as hash,
    ${inHex('salts')}, ${inHex('digests')}, ${chainedColumns},
    l.expires_at <= clock_timestamp() + $4::float8 * interval '1 ms' + interval '1 day' as expires_soon
  from (select 1) one left join audit_chains c on c.chain = $1 left join (
    select * from audit_log where ${kind} and chain_number > $2 order by chain_number limit $3
  ) l on true order by l.chain_number`)

const readers = { acts: reading('expires_at is null'), 'sign-ins': reading('expires_at is not null') }

/** Reads both chains, in batches. */
export async function verifyChains(db: Executor, clock: Clock): Promise<ChainReport[]> {
  const reports: ChainReport[] = []
  for (const chain of chains) reports.push(await verify(db, chain, clock))
  return reports
}

async function verify(db: Executor, chain: AuditView, { offsetMs }: Clock): Promise<ChainReport> {
  const report: ChainReport = {
    chain,
    entries: 0,
    erased: 0,
    mismatch: null,
    missing: [],
    first: null,
    last: start(chain),
    mayMissNext: chain === 'sign-ins',
  }
  for (;;) {
    const rows = await readers[chain](db, [chain, report.last.number, readAtOnce, offsetMs])
    for (const row of rows) if (row.number !== null) check(report, row)
    if (rows.length === readAtOnce) continue
    checkEnd(report, rows.at(-1) as ChainRow)
    return report
  }
}

function check(report: ChainReport, entry: ChainedEntry): void {
  const { chain, last } = report
  const { number, hash } = entry
  const [salts, digests] = [entry.salts.split(' '), entry.digests.split(' ')]
  const follows = number === last.number + 1
  if (!follows && !report.mayMissNext) report.missing.push([last.number + 1, number - 1])
  // After a gap, the hash of the entry before is unknown, and this entry's is taken as given.
  const isSame = !follows || hashOf(last.hash, number, entry, digests) === hash
  if (!isSame || !fieldsMatch(entry, salts, digests)) report.mismatch ??= number
  report.entries += 1
  if (salts.includes(erased)) report.erased += 1
  report.first ??= number
  report.last = { chain, number, hash }
  report.mayMissNext = entry.expires_soon === true
}

/** Fields that a person was erased from have lost their salt and their value. */
function fieldsMatch(entry: ChainedEntry, salts: readonly string[], digests: readonly string[]): boolean {
  return personalFields(entry).every((field, index) => {
    const salt = salts[index] ?? ''
    return salt === erased ? field === null || field === '{}' : digestOf(salt, field) === digests[index]
  })
}

/** Checks that the last entry read is the one that the worker chained last. */
function checkEnd(report: ChainReport, { end_number: number, end_hash: hash }: ChainRow): void {
  const { last } = report
  if (number === null || hash === null) {
    if (last.number > 0) report.mismatch ??= last.number
  } else if (last.number < number) {
    // If nobody has signed in for a year, all sign-ins have been deleted.
    if (!report.mayMissNext) report.missing.push([last.number + 1, number])
  } else if (last.number > number || last.hash !== hash) report.mismatch ??= last.number
}

/** Entries that are not chained yet, and so cannot be verified. */
const countWaiting = statement<{ count: number }>(
  'select count(*)::int as count from audit_log where chain_number is null',
)

/** One line for an operator. @throws Error that says what does not match */
export async function describeChains(db: Executor, clock: Clock): Promise<string> {
  const reports = await verifyChains(db, clock)
  const faults = reports.flatMap(faultsOf)
  if (faults.length > 0) throw new Error(`it was changed outside the service: ${faults.join('; ')}`)
  const [waiting] = await countWaiting(db, [])
  const withErased = reports.reduce((sum, report) => sum + report.erased, 0)
  return [
    ...reports.map(({ chain, entries, first, last }) => {
      const from = first === null || first === 1 ? '' : ` from ${first}`
      const end = first === null ? '' : `,${from} up to ${last.number} ${last.hash.slice(0, 16)}…`
      return `${entries} ${names[chain]} match${end}`
    }),
    ...(withErased === 0 ? [] : [`${withErased} with an erased person`]),
    ...(waiting === undefined || waiting.count === 0 ? [] : [`${waiting.count} wait for the worker`]),
  ].join('; ')
}

const names: Readonly<Record<AuditView, string>> = { acts: 'actions', 'sign-ins': 'sign-ins' }

/** How many gaps are named. */
const maxNamed = 5

function faultsOf({ chain, mismatch, missing }: ChainReport): string[] {
  const gaps = missing.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`))
  const more = gaps.length > maxNamed ? ', …' : ''
  return [
    ...(mismatch === null ? [] : [`${names[chain]}: number ${mismatch} is the first that does not match`]),
    ...(gaps.length === 0 ? [] : [`${names[chain]}: missing ${gaps.slice(0, maxNamed).join(', ')}${more}`]),
  ]
}
