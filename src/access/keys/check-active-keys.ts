/** Limits an agency's active keys. The limit applies in the dashboard; the operator's command line has none. */
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import { readNow } from '../../platform/db/statements/now.ts'
import { invalid } from '../../platform/errors/errors.ts'
import { maxActiveKeys } from '../../limits/sizes.ts'
import { keyStatus } from './check-key.ts'

/**
 * Locks the agency's row until the transaction ends, so that simultaneous creations count each other's keys.
 * Call it before creating a key. Citus lets only one transaction at a time write keys, so the opposite order could deadlock.
 */
export async function lockKeys(tx: Tx, agencyId: string): Promise<void> {
  await tx.selectFrom('agencies').select('id').where('id', '=', agencyId).forNoKeyUpdate().execute()
}

type Creation = keyof typeof maxActiveKeys

/**
 * Call it after `lockKeys` and the creation, in the same transaction, which must be rolled back if this throws.
 * @param creation a replacement has its own limit, because the old key stays active until it is revoked
 * @throws ApiError 400 `id` when there are too many
 */
export async function checkActiveKeys(tx: Tx, agencyId: string, creation: Creation, clock: Clock) {
  const now = await readNow(tx, clock)
  const keys = await tx
    .selectFrom('api_keys')
    .select(['expires_at', 'revoked_at', 'revokes_at'])
    .where('agency_id', '=', agencyId)
    .where('revoked_at', 'is', null)
    .execute()
  const active = keys.filter((key) => keyStatus(key, now) === 'active')
  const max = maxActiveKeys[creation]
  const { ending, reason } = refusals[creation]
  if (active.length > max) throw invalid('id', `At most ${max} keys can be active at a time${ending}`, reason)
}

const refusals = {
  new: { ending: '. Revoke one that is no longer used.', reason: 'keys_many' },
  replacement: { ending: ', replaced ones included. Revoke those.', reason: 'keys_replaced_many' },
} as const
