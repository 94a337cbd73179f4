/** Limits an agency's active keys. The limit applies in the dashboard; the operator's command line has none. */
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/connection.ts'
import { readNow } from '../../platform/db/now.ts'
import { invalid } from '../../platform/errors.ts'
import { mostActiveKeys } from '../../limits/table.ts'
import { keyStatus } from './judge.ts'

/**
 * Locks the agency's row until the transaction ends, so that simultaneous creations count each other's keys.
 * Call it before creating a key: Citus lets one transaction at a time write keys, and two that then waited for the row would be a deadlock.
 */
export async function lockKeys(tx: Tx, agencyId: string): Promise<void> {
  await tx.selectFrom('agencies').select('id').where('id', '=', agencyId).forNoKeyUpdate().execute()
}

/**
 * Call it after `lockKeys` and the creation, in the same transaction, which otherwise has to be rolled back.
 * @param creation a replacement has its own limit, because the old key stays active until it is revoked
 * @throws ApiError 400 `id` when there are too many
 */
export async function checkActiveKeys(
  tx: Tx,
  agencyId: string,
  creation: 'new' | 'replacement',
  clock: Clock,
): Promise<void> {
  const now = await readNow(tx, clock)
  const keys = await tx
    .selectFrom('api_keys')
    .select(['expires_at', 'revoked_at', 'revokes_at'])
    .where('agency_id', '=', agencyId)
    .where('revoked_at', 'is', null)
    .execute()
  const active = keys.filter((key) => keyStatus(key, now) === 'active')
  if (creation === 'new' && active.length > mostActiveKeys.new)
    throw invalid(
      'id',
      `At most ${mostActiveKeys.new} keys can be active at a time. Revoke one that is no longer used.`,
      'keys_many',
    )
  if (active.length > mostActiveKeys.replacement)
    throw invalid(
      'id',
      `At most ${mostActiveKeys.replacement} keys can be active at a time, replaced ones included. Revoke those.`,
      'keys_replaced_many',
    )
}
