/** Checks that SECRET_KEY decrypts the signing secrets in the database. Otherwise no signed request passes. */
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SecretBox } from './secret-box.ts'

/** Decrypts every signing secret in use. @returns the problem as a sentence, or null */
export async function checkSigningSecrets(db: Db | Tx, secretBox: SecretBox): Promise<string | null> {
  const rows = await db
    .selectFrom('api_keys')
    .select('signing_secret')
    .where('signing_secret', 'is not', null)
    .where('revoked_at', 'is', null)
    .execute()
  const lost = rows.filter(
    ({ signing_secret }) => signing_secret !== null && !opens(secretBox, signing_secret),
  )
  if (lost.length === 0) return null
  return `${lost.length} of ${rows.length} signing secrets cannot be decrypted: they were encrypted with another SECRET_KEY.`
}

function opens(secretBox: SecretBox, sealed: Buffer): boolean {
  try {
    secretBox.open(sealed)
    return true
  } catch {
    return false
  }
}
