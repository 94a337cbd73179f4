/** Checks which encrypted secrets in the database can be decrypted, and encrypts all of them with a new key. */
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import type { SecretBox } from './secret-box.ts'

type SealedColumn = Readonly<{
  table: string
  column: string
  /** The column of the primary key. */
  key: string
  /** The rows that need their secret for good, and its name in messages. Other secrets are used within days, or not at all. */
  lasting: Readonly<{ rows: string; noun: string }> | null
}>

/** Every column that holds what a SecretBox sealed. A test compares it with the schema. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'api_keys',
    column: 'signing_secret',
    key: 'id',
    lasting: { rows: 'revoked_at is null', noun: 'signing secrets of keys' },
  },
  {
    table: 'accounts',
    column: 'totp_secret',
    key: 'id',
    lasting: { rows: 'true', noun: 'second factors of people' },
  },
  {
    table: 'service_secrets',
    column: 'sealed',
    key: 'name',
    lasting: { rows: 'true', noun: "the service's own secrets" },
  },
  { table: 'account_sessions', column: 'pending_totp_secret', key: 'id', lasting: null },
  { table: 'account_links', column: 'sealed_token', key: 'token_hash', lasting: null },
  { table: 'enquiries', column: 'sealed', key: 'id', lasting: null },
  { table: 'demonstration', column: 'sealed_keys', key: 'only_row', lasting: null },
]

type Row = { key: unknown; sealed: Buffer; isLasting: boolean }

const columns = sealedColumns.map(({ table, column, key, lasting }) => ({
  noun: lasting?.noun ?? '',
  selectSealed: statement<Row>(
    `select ${key} as key, ${column} as sealed, ${lasting?.rows ?? 'false'} as "isLasting" from ${table} where ${column} is not null`,
  ),
  // Skips a secret that changed since it was read: another process has just encrypted it.
  replaceSealed: statement<{ key: unknown }>(
    `update ${table} set ${column} = $3 where ${key} = $1 and ${column} = $2 returning ${key} as key`,
  ),
}))

/** Every lasting secret. */
const selectLasting = statement<{ sealed: Buffer }>(
  sealedColumns
    .flatMap(({ table, column, lasting }) =>
      lasting === null
        ? []
        : `select ${column} as sealed from ${table} where ${column} is not null and ${lasting.rows}`,
    )
    .join(' union all '),
)

/** How many lasting secrets there are, and how many of them no key decrypts. */
export type StoredSecrets = Readonly<{ stored: number; unreadable: number }>

export async function checkStoredSecrets(db: Db, secretBox: SecretBox): Promise<StoredSecrets> {
  const rows = await selectLasting(db, [])
  const unreadable = rows.filter(({ sealed }) => secretBox.keyOf(sealed) === null)
  return { stored: rows.length, unreadable: unreadable.length }
}

/** Whether no stored secret can be decrypted, so that SECRET_KEY must belong to another installation. */
export function opensNothing({ stored, unreadable }: StoredSecrets): boolean {
  return stored > 0 && unreadable === stored
}

/** The problem as a sentence; null if all can be decrypted. */
export function describeUnreadable(found: StoredSecrets): string | null {
  const { stored, unreadable } = found
  if (unreadable === 0) return null
  return opensNothing(found)
    ? `SECRET_KEY decrypts none of the ${stored} stored secrets: they were encrypted with another key.`
    : `${unreadable} of ${stored} stored secrets cannot be decrypted: they were encrypted with another SECRET_KEY.`
}

type Rotation = Readonly<{
  /** Secrets encrypted again. */
  resealed: number
  /** Secrets that only SECRET_KEY_PREVIOUS decrypts afterwards: a process that still encrypts with it has stored them meanwhile. */
  needPrevious: number
  /** Lasting secrets that no key decrypts. */
  unreadable: number
  /** How many of these there are of each kind. */
  unreadableKinds: readonly string[]
}>

/** Encrypts with SECRET_KEY all that is encrypted with SECRET_KEY_PREVIOUS. The service may run meanwhile, with both keys. */
export async function resealAll(db: Db, secretBox: SecretBox): Promise<Rotation> {
  let resealed = 0
  let needPrevious = 0
  let unreadable = 0
  const unreadableKinds: string[] = []
  for (const { noun, selectSealed, replaceSealed } of columns) {
    let lost = 0
    for (const { key, sealed } of await selectSealed(db, [])) {
      if (secretBox.keyOf(sealed) !== 'previous') continue
      resealed += (await replaceSealed(db, [key, sealed, secretBox.seal(secretBox.open(sealed))])).length
    }
    for (const { sealed, isLasting } of await selectSealed(db, [])) {
      const found = secretBox.keyOf(sealed)
      if (found === 'previous') needPrevious += 1
      if (found === null && isLasting) lost += 1
    }
    unreadable += lost
    if (lost > 0) unreadableKinds.push(`${noun}: ${lost}`)
  }
  return { resealed, needPrevious, unreadable, unreadableKinds }
}
