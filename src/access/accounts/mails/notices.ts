/**
 * Notices by mail, about a person's account or their agency's keys. A notice is written in the transaction of its event, and stays in
 * the database until the mail server has accepted it.
 */
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { queueIn } from '../../../platform/db/upkeep/queue.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import type { Row } from '../../../platform/db/types.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { foldEmail } from '../../../platform/names/email.ts'
import { uuidv7 } from '../../../platform/names/ids.ts'
import { mailLeaseSeconds } from '../../../limits/sizes.ts'
import { type Account, accountAsJson, ownersWhoCanSignIn, toAccount } from '../accounts.ts'

/** The actor in a notice once that person was erased. Null is the person themselves, or the command line. */
export const erasedActor = ''

/** The kinds, each with the details for its mail. */
export type NoticeEvent =
  | Readonly<{ kind: 'password_changed' | 'password_removed' | 'factor_on' | 'recovery_codes' }>
  | Readonly<{ kind: 'passkey_added' | 'passkey_removed' | 'passkey_copied'; name: string }>
  /** Such as `Firefox · Windows`; null: unknown. */
  | Readonly<{ kind: 'new_browser'; browser: string | null }>
  /** `by`: the operator; null: the person themselves. */
  | Readonly<{ kind: 'factor_off'; by: string | null }>
  /** `by`: the person who created it; null: the command line. */
  | Readonly<{ kind: 'writing_key'; by: string | null; key_id: string; name: string; prefix: string }>
  /** `days`: until the key expires. The only notice that people can unsubscribe from, because it is not about security. */
  | Readonly<{
      kind: 'key_ends'
      key_id: string
      name: string
      prefix: string
      expires_at: string
      days: number
    }>
  /** The agency's previous and current email; null: none. */
  | Readonly<{ kind: 'agency_email'; agency: string; from: string | null; to: string | null }>

export type Notice = Readonly<{
  id: string
  event: NoticeEvent
  at: string
  failures: number
  account: Account
  agencyName: string | null
  /** The email that gets the notice instead of the account's; null: the account's. */
  recipient: string | null
}>

/** Bounds mails about, for example, a thousand new keys: the audit log has the rest. */
const maxWaiting = 100

export async function notifyAccount(tx: Tx, accountId: string, event: NoticeEvent, clock: Clock) {
  await addNotices(tx, [{ id: accountId }], event, clock)
}

/** Notifies all owners of the agency who can sign in. */
export async function notifyOwners(tx: Tx, agencyId: string, event: NoticeEvent, clock: Clock) {
  await addNotices(tx, await ownersWhoCanSignIn(tx, agencyId), event, clock)
}

/** Notifies the owners and the agency's previous email. @param accountId the person who requested the change */
export async function notifyOfEmailChange(
  tx: Tx,
  agencyId: string,
  accountId: string,
  event: Extract<NoticeEvent, { kind: 'agency_email' }>,
  clock: Clock,
): Promise<void> {
  const owners = await ownersWhoCanSignIn(tx, agencyId)
  await addNotices(tx, owners, event, clock)
  const { from } = event
  if (from !== null && !owners.some(({ email }) => email === foldEmail(from)))
    await addNotices(tx, [{ id: accountId }], event, clock, from)
}

/**
 * Writes notices for accounts that have fewer than the maximum. Values: clock offset, maximum, ids of notices and of accounts, kind,
 * details, recipient.
 */
const insertNotices = statement(`
  with moment as materialized (
    select clock_timestamp() + $1::float8 * interval '1 ms' as now
  )
  insert into account_notices (id, account_id, kind, details, recipient, created_at, due_at)
  select w.id, w.account_id, $5, $6::jsonb, $7::text, now, now
  from moment, unnest($3::uuid[], $4::uuid[]) as w (id, account_id)
  where (select count(*) from account_notices n where n.account_id = w.account_id) < $2::int`)

async function addNotices(
  tx: Tx,
  accounts: readonly Readonly<{ id: string }>[],
  event: NoticeEvent,
  clock: Clock,
  recipient: string | null = null,
): Promise<void> {
  const { kind, ...details } = event
  const accountIds = accounts.map(({ id }) => id)
  const ids = accounts.map(() => uuidv7())
  const values = [clock.offsetMs, maxWaiting, ids, accountIds, kind, JSON.stringify(details), recipient]
  await insertNotices(tx, values)
}

const queue = queueIn<
  Row<'account_notices', 'id' | 'kind' | 'created_at' | 'failures' | 'recipient'> &
    Record<'details' | 'account', Record<string, unknown>>
>({
  table: 'account_notices',
  owner: 'account_id',
  from: 'accounts a',
  where: 'a.id = q.account_id',
  returning: `q.id, q.kind, q.details, q.created_at, q.failures, q.recipient, ${accountAsJson} as account`,
})

/** Leases up to `limit` due notices: the oldest of each account. */
export async function leaseNotices(db: Db, limit: number, clock: Clock): Promise<Notice[]> {
  const rows = await queue.lease(db, limit, mailLeaseSeconds, clock)
  const notices = rows.map(({ id, kind, details, created_at: at, failures, recipient, account }) => ({
    id,
    event: { kind, ...details } as NoticeEvent,
    at,
    failures,
    recipient,
    account: toAccount(account),
  }))
  const agencyIds = notices.flatMap(({ account }) => account.agency_id ?? [])
  const nameOf = await agencyNames(db, agencyIds)
  return notices.map((one) => ({ ...one, agencyName: nameOf.get(one.account.agency_id ?? '') ?? null }))
}

/** Separate from the update, which Citus would otherwise send to all nodes. */
async function agencyNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('agencies').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Ends a notice that the mail server has accepted, or never will. */
export async function noticeDone(db: Db, id: string): Promise<void> {
  await db.deleteFrom('account_notices').where('id', '=', id).execute()
}

export const retryNotice = queue.retry

/** Gives up notices after three days, even if the service sends no mail. */
export const reapNotices = reaper({
  table: 'account_notices',
  key: 'id',
  column: 'created_at',
  keptFor: '3 days',
})
