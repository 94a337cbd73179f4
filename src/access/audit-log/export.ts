/** Reads the whole audit log in the order of time, for `svc audit export`. */
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import { nilUuid } from '../../platform/names/ids.ts'
import type { AuditView } from './entries.ts'

const readAtOnce = 1_000

/** A batch of one chain, which has an index in this order. */
const batch = (kind: string) => `
  select * from audit_log where ${kind} and (at, id) > ($1::timestamptz, $2::uuid) and ($3::uuid is null or agency_id = $3)
  order by at, id limit $4`

/** `number` and `hash` are null until the worker has chained the entry. */
type AuditRow = Record<'id' | 'moment' | 'at' | 'action' | 'actor_kind', string> &
  Record<
    'hash' | 'actor_id' | 'actor_name' | 'agency' | 'subject' | 'request_id' | 'expires_at',
    string | null
  > & {
    chain: AuditView
    number: number | null
    details: Record<string, unknown>
  }

/** The next entries of both chains. Values: time and id of the last one, an agency or null for all, how many. */
const selectAuditBatch = statement<AuditRow>(`
  select l.id, l.at::text as moment, case when l.expires_at is null then 'acts' else 'sign-ins' end as chain, l.chain_number as number,
    encode(l.chain_hash, 'hex') as hash, l.at, l.action, l.actor_kind, l.actor_id, l.actor_name, g.slug as agency, l.subject, l.details,
    l.request_id, l.expires_at
  from ((${batch('expires_at is null')}) union all (${batch('expires_at is not null')})) l
    left join agencies g on g.id = l.agency_id
  order by l.at, l.id limit $4`)

/**
 * The entries from a time on, oldest first. They are read in batches, so a long log needs little memory.
 * @param since ISO 8601; null: all
 * @param agencyId null: of all agencies
 */
export async function* readAudit(db: Executor, since: string | null, agencyId: string | null) {
  let [at, id] = [since ?? '-infinity', nilUuid]
  for (;;) {
    const rows = await selectAuditBatch(db, [at, id, agencyId, readAtOnce])
    for (const row of rows) yield exported(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < readAtOnce) return
    at = last.moment
    id = last.id
  }
}

function exported(row: AuditRow) {
  const { chain, number, hash, id, at, action, actor_kind: kind, actor_id, actor_name: name } = row
  const { agency, subject, details, request_id, expires_at } = row
  const actor = { kind, id: actor_id, name }
  return { chain, number, hash, id, at, action, actor, agency, subject, details, request_id, expires_at }
}
