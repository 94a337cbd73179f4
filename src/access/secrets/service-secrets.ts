/** Secrets of the service itself, in the table `service_secrets`. Each is made once and stays when SECRET_KEY changes. */
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import type { SecretBox } from './secret-box.ts'

/** Does nothing if another process was faster. Values: name, encrypted secret. */
const insertSecret = statement(`
  insert into service_secrets (name, sealed, created_at) values ($1, $2, clock_timestamp())
  on conflict (name) do nothing returning name`)
const selectSecret = statement<{ sealed: Buffer }>('select sealed from service_secrets where name = $1')
/** Deletes only the value that was read, not one that another process has stored since. */
const deleteSecret = statement('delete from service_secrets where name = $1 and sealed = $2')

/**
 * The secret of this name, the same for all processes.
 * @param first its value if there is none yet
 * @throws Error if it cannot be decrypted
 */
export async function getOrCreateSecret(
  db: Db,
  secretBox: SecretBox,
  name: string,
  first: string,
): Promise<string> {
  const [kept] = await selectSecret(db, [name])
  if (kept !== undefined) return secretBox.open(kept.sealed)
  if ((await insertSecret(db, [name, secretBox.seal(first)])).length > 0) return first
  return await getOrCreateSecret(db, secretBox, name, first)
}

/**
 * Stores `value` if there is no secret of this name, or one that cannot be decrypted.
 * @returns whether it replaced one
 */
export async function replaceLostSecret(
  db: Db,
  secretBox: SecretBox,
  name: string,
  value: string,
): Promise<boolean> {
  const [kept] = await selectSecret(db, [name])
  const isLost = kept !== undefined && secretBox.keyOf(kept.sealed) === null
  if (isLost) await deleteSecret(db, [name, kept.sealed])
  await insertSecret(db, [name, secretBox.seal(value)])
  return isLost
}
