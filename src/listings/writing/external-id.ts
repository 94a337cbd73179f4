/** An external id belongs to at most one listing of an agency (api.md 9.2). Removed listings do not count. */
import { ApiError } from '../../platform/errors/errors.ts'
import type { Executor } from '../../platform/db/statements/statement.ts'
import { findListing } from '../reading/find.ts'

/** Call it under the agency's lock. @param remedy what to do instead @throws ApiError 409 `external_id_exists` */
export async function checkExternalIdIsFree(
  tx: Executor,
  agencyId: string,
  externalId: string,
  remedy?: string,
): Promise<void> {
  const found = await findListing(tx, agencyId, { external_id: externalId })
  if (found !== null) throw externalIdExists(externalId, remedy)
}

/** 409 `external_id_exists`. @param remedy what to do instead */
export function externalIdExists(
  externalId: string | null,
  remedy = 'Update that one with PUT /properties/external/{external_id}, or send another external_id.',
): ApiError {
  return new ApiError('external_id_exists', {
    parameter: 'external_id',
    message: `Another listing of the agency already has external_id "${externalId ?? ''}". ${remedy}`,
  })
}
