/** The people of the dashboard: owners and members of one agency each, and operators. */
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/types.ts'
import { checkEmail, foldEmail } from '../../platform/names/email.ts'
import { ApiError, invalid } from '../../platform/errors/errors.ts'
import { uuidv7 } from '../../platform/names/ids.ts'
import { checkPersonName } from '../../platform/names/plain-name.ts'
import type { PageLanguage } from '../../platform/web/language/language.ts'
import { now } from '../../platform/db/statements/now.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import type { LimitDeps } from '../../limits/counters.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

export type AccountDeps = LimitDeps & Readonly<{ secretBox: SecretBox }>

export type Role = 'owner' | 'member' | 'operator'

export const accountColumns = [
  'id',
  // Null for operators.
  'agency_id',
  'role',
  'email',
  'name',
  // Null: the browser's language.
  'language',
  // Whether an owner gets reminders of expiring keys.
  'key_reminders',
  'password_hash',
  'totp_confirmed_at',
  // Invited with an email that has an account elsewhere: sign-in is impossible with this one.
  'elsewhere',
  'created_at',
  'signed_in_at',
  'disabled_at',
] as const

type Secret = 'password_hash' | 'totp_confirmed_at'

export type Account = Row<'accounts', Exclude<(typeof accountColumns)[number], Secret>> & {
  role: Role
  language: PageLanguage | null
  has_second_factor: boolean
  /** False until the invitation is accepted, and after a person with passkeys removed it. */
  has_password: boolean
  /** Whether the invitation was accepted. */
  has_accepted: boolean
}

/** SQL: the account `a` as a JSON object for `toAccount`. */
export const accountAsJson = `json_build_object(${accountColumns.map((name) => `'${name}', a.${name}`).join(', ')})`

/** From a row of `accountColumns`, without its secrets. */
export function toAccount({ password_hash, totp_confirmed_at, ...row }: Record<string, unknown>): Account {
  const shown = row as Omit<Account, 'has_second_factor' | 'has_password' | 'has_accepted'>
  const hasPassword = password_hash !== null
  return {
    ...shown,
    has_second_factor: totp_confirmed_at !== null,
    has_password: hasPassword,
    // Only someone who is signed in can remove a password.
    has_accepted: hasPassword || shown.signed_in_at !== null,
  }
}

type NewAccount = Readonly<{
  email: string
  /** Null with the role operator. */
  agencyId: string | null
  role: Role
  name?: string | null
  language?: PageLanguage | null
  /** Whether to hide from the inviter that the email has an account elsewhere. */
  conceals?: boolean
}>

/**
 * Makes an account without a password: a link sets it. To conceal that the email has an account elsewhere, it makes one that the
 * agency sees and nobody can ever sign in with.
 * @throws ApiError 400 `email` (malformed or taken), `name`
 */
export async function createAccount(db: Db | Tx, input: NewAccount, clock: Clock): Promise<Account> {
  const email = canonicalEmail(input.email)
  const name = checkPersonName(input.name ?? nameIn(email))
  const insert = async (elsewhere: boolean, language: PageLanguage | null) =>
    await db
      .insertInto('accounts')
      .values({
        id: uuidv7(),
        agency_id: input.agencyId,
        role: input.role,
        email,
        name,
        language,
        elsewhere,
        created_at: now(clock),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning(accountColumns)
      .executeTakeFirst()
  let row = await insert(false, input.language ?? null)
  if (row === undefined && input.conceals === true) {
    const theirs = await findAccountByEmail(db, email)
    // The mail uses the recipient's language.
    if (theirs?.agency_id !== input.agencyId) row = await insert(true, theirs?.language ?? null)
  }
  if (row === undefined) throw emailTaken(email)
  return toAccount(row)
}

export function emailTaken(email: string): ApiError {
  return invalid('email', `An account with the email ${email} already exists.`, 'email_taken')
}

/** A person's name until they enter one: `ana.perez@…` is ana perez. */
function nameIn(email: string): string {
  const words = email.slice(0, email.indexOf('@')).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return words.trim() || email.slice(0, 1)
}

/** @throws ApiError 400 `email` */
export function canonicalEmail(email: string): string {
  return checkEmail(foldEmail(email))
}

/** The agency's accounts, or with null the operators'. */
const accountsOf = (db: Db | Tx, agencyId: string | null) =>
  db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('agency_id', agencyId === null ? 'is' : '=', agencyId)

/** The accounts of `accountsOf`, oldest first. */
export async function listAccounts(db: Db | Tx, agencyId: string | null): Promise<Account[]> {
  const rows = await accountsOf(db, agencyId).orderBy('created_at').orderBy('id').execute()
  return rows.map(toAccount)
}

/** The agency's owners who can sign in, oldest first. */
export async function ownersWhoCanSignIn(db: Db | Tx, agencyId: string): Promise<Account[]> {
  const rows = await accountsOf(db, agencyId)
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return rows.map(toAccount).filter(({ has_accepted: hasAccepted }) => hasAccepted)
}

/** The agency's account, or with null an operator's. */
export async function findAccount(db: Db | Tx, agencyId: string | null, id: string): Promise<Account | null> {
  const row = await accountsOf(db, agencyId).where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toAccount(row)
}

/** Only for the command line and password resets: other code must not find people of other agencies by email. */
export async function findAccountByEmail(db: Db | Tx, email: string): Promise<Account | null> {
  const row = await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('email', '=', foldEmail(email))
    .where('elsewhere', '=', false)
    .executeTakeFirst()
  return row === undefined ? null : toAccount(row)
}

/** Names that an attacker can guess: person, agency and email. */
export async function namesAround(db: Db | Tx, { agency_id: agencyId, name, email }: Account) {
  const agency =
    agencyId === null
      ? undefined
      : await db.selectFrom('agencies').select(['name', 'slug']).where('id', '=', agencyId).executeTakeFirst()
  return [name, ...email.split('@'), agency?.name ?? '', agency?.slug ?? '']
}

/** @throws ApiError 400 `name` */
export async function changeProfile(
  db: Db | Tx,
  id: string,
  change: { name: string } | { language: PageLanguage } | { key_reminders: boolean },
): Promise<void> {
  const set = 'name' in change ? { name: checkPersonName(change.name) } : change
  await db.updateTable('accounts').set(set).where('id', '=', id).execute()
}

/**
 * Locks an account with all others of its agency, together and in order, so that the last two owners cannot both leave.
 * @param leaves whether the person loses their role
 * @throws ApiError 404 without such an account in the agency; 400 `role` if the last owner who can sign in leaves
 */
export async function lockAccount(tx: Tx, agencyId: string | null, id: string, leaves: boolean) {
  const all = await accountsOf(tx, agencyId).orderBy('id').forUpdate().execute()
  if (!all.some((one) => one.id === id)) throw noSuchPerson()
  const leading = all
    .map(toAccount)
    .filter(
      ({ role, disabled_at, has_accepted, elsewhere }) =>
        role !== 'member' && disabled_at === null && has_accepted && !elsewhere,
    )
  const isLast = leading.length === 1 && leading[0]?.id === id
  if (isLast && leaves)
    throw invalid(
      'role',
      'This is the last person with this role. Give the role to someone else first.',
      'last_owner',
    )
}

/**
 * Changes the role within the agency, or disables the account, which signs it out at once. Neither is possible for the last owner.
 * @throws ApiError 404 without such an account in the agency; 400 `role` where it is the last owner
 */
export async function changeAccount(
  tx: Tx,
  agencyId: string | null,
  id: string,
  change: { role?: 'owner' | 'member'; disabled?: boolean },
  clock: Clock,
): Promise<Account> {
  await lockAccount(tx, agencyId, id, change.role === 'member' || change.disabled === true)
  if (change.disabled === true) await tx.deleteFrom('account_sessions').where('account_id', '=', id).execute()
  const row = await tx
    .updateTable('accounts')
    .set({
      ...(change.role === undefined ? {} : { role: change.role }),
      ...(change.disabled === undefined ? {} : { disabled_at: change.disabled ? now(clock) : null }),
    })
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

export function noSuchPerson(): ApiError {
  return new ApiError('not_found', { message: 'There is no such account.' })
}

type FoundPerson = Row<'accounts', 'agency_id' | 'id' | 'email' | 'name' | 'role'>

const maxFound = 20
/** Values: a part of the email in lower case; a part of the name in lower case and without accents. */
const findPeople = statement<FoundPerson>(`
  select agency_id, id, email, name, role from accounts
  where strpos(lower(email), $1) > 0 or strpos(translate(lower(name), 'áéíóúüñ', 'aeiouun'), $2) > 0
  order by email limit ${maxFound}`)

/** The operator's search, by a part of the email or name. @param folded the text without accents, in lower case */
export async function findPeopleAnywhere(db: Db, text: string, folded: string): Promise<FoundPerson[]> {
  return await findPeople(db, [text.toLowerCase(), folded])
}
