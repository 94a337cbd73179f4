/**
 * A person of the dashboard with everything that the service keeps about them, to be exported or erased. Listings' histories, which name
 * people too, are elsewhere (listings/history/people-in-listings.ts).
 */
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Executor, statement } from '../../../platform/db/statements/statement.ts'
import { foldEmail } from '../../../platform/names/email.ts'
import { type Account, accountColumns, lockAccount, toAccount } from '../accounts.ts'
import { erasedActor } from '../mails/notices.ts'
import { rowsOfPeople } from './personal-data.ts'

export type Person = Readonly<{
  email: string
  /** Their account, and invitations by other agencies that nobody can accept. */
  accounts: readonly Account[]
  ids: readonly string[]
  /** Present and former ones. */
  names: readonly string[]
}>

/** The names, present and former, that the audit log has for these accounts. */
const selectNames = statement<{ name: string }>(`
  select distinct actor_name as name from audit_log where actor_id = any ($1::uuid[]) and actor_name is not null`)

/** Null for an unknown email. */
export async function findPerson(db: Db | Tx, email: string): Promise<Person | null> {
  const rows = await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('email', '=', foldEmail(email))
    .orderBy('elsewhere')
    .orderBy('id')
    .execute()
  const accounts = rows.map(toAccount)
  const [first] = accounts
  if (first === undefined) return null
  const ids = accounts.map(({ id }) => id)
  const earlier = await selectNames(db, [ids])
  const names = new Set([...accounts, ...earlier].map(({ name }) => name))
  return { email: first.email, accounts, ids, names: [...names] }
}

const statements = rowsOfPeople.map(({ table, account, printed }) => ({
  name: table.replace(/^account_/, ''),
  selectRows: statement<Record<string, unknown>>(
    `select ${printed.join(', ')} from ${table} where ${account} = any ($1::uuid[]) order by 1`,
  ),
  removeRows: statement(`delete from ${table} where ${account} = any ($1::uuid[])`),
}))

/** The person's own rows, without secrets, by table. */
export async function readRows(db: Executor, { ids }: Person): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {}
  for (const { name, selectRows } of statements.toReversed()) found[name] = await selectRows(db, [ids])
  return found
}

/**
 * Deletes the person's own rows, which ends the sessions and frees the email.
 * @throws ApiError 400 `role` for the last owner of an agency who can sign in, and for the last operator
 */
export async function deleteRows(tx: Tx, { accounts, ids }: Person): Promise<void> {
  for (const { agency_id: agencyId, id } of accounts) await lockAccount(tx, agencyId, id, true)
  for (const { removeRows } of statements) await removeRows(tx, [ids])
}

/*
 * Entries of the audit log by the person, about them, and with their email in the details. Wrong passwords for their email name an IP as
 * the actor, which may be theirs.
 */
const isBy = `(l.actor_id = any ($1::uuid[]) or lower(l.actor_name) = $2 or lower(l.subject) = $2 and l.expires_at is not null)`
const isAbout = `(lower(l.subject) = $2)`
const hasEmail = `exists (select from jsonb_each_text(l.details) as d (name, value) where lower(d.value) = $2)`

const selectEntries = statement<Record<string, unknown>>(`
  select l.at, l.action, l.actor_kind, l.actor_name, l.subject, l.details, l.request_id
  from audit_log l where ${isBy} or ${isAbout} or ${hasEmail} order by l.at, l.id`)

/** Without its salt, nobody can guess a field from the digest that stays. */
const eraseEntries = statement(`
  update audit_log l set
    actor_name = case when ${isBy} then null else l.actor_name end,
    subject = case when ${isAbout} then null else l.subject end,
    details = case when ${isAbout} or ${hasEmail} then '{}' else l.details end,
    salts = case when l.salts is null then null else array[
      case when ${isBy} then null else l.salts[1] end,
      case when ${isAbout} then null else l.salts[2] end,
      case when ${isAbout} or ${hasEmail} then null else l.salts[3] end] end
  where ${isBy} or ${isAbout} or ${hasEmail} returning 1`)

export async function findInAudit(db: Executor, { ids, email }: Person): Promise<object[]> {
  return await selectEntries(db, [ids, email])
}

/** @returns the number of entries */
export async function eraseFromAudit(tx: Executor, { ids, email }: Person): Promise<number> {
  return (await eraseEntries(tx, [ids, email])).length
}

/** Notices to others that name the person as the actor of a change. A namesake in the same agency counts as the person. */
const isNotice = `n.details ->> 'by' = any ($1::text[]) and a.id = n.account_id and ($2::boolean or a.agency_id = any ($3::uuid[]))`

/** Values: the names; whether the person is an operator, who may be named in any agency's notices; the agencies. */
const selectNotices = statement<Record<string, unknown>>(`
  select n.kind, n.created_at, n.details ->> 'by' as by from account_notices n, accounts a where ${isNotice} order by n.created_at`)

/** Keeps the notices, without the name. Values as above. */
const eraseNotices = statement(`
  update account_notices n set details = jsonb_set(n.details, '{by}', '${JSON.stringify(erasedActor)}')
  from accounts a where ${isNotice} returning 1`)

const noticeValues = ({ names, accounts }: Person) => [
  names,
  accounts.some(({ role }) => role === 'operator'),
  accounts.flatMap(({ agency_id: id }) => id ?? []),
]

export async function findInNotices(db: Executor, person: Person): Promise<object[]> {
  return await selectNotices(db, noticeValues(person))
}

export async function eraseFromNotices(tx: Executor, person: Person): Promise<number> {
  return (await eraseNotices(tx, noticeValues(person))).length
}
