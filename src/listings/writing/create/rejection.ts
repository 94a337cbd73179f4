/** The errors of creations that the database rejects. */
import { rateLimited } from '../../../limits/refusal.ts'
import { findBlocking, fullWindows } from '../../../limits/take.ts'
import type { Executor } from '../../../platform/db/statements/statement.ts'
import type { ApiError } from '../../../platform/errors/errors.ts'
import { StaleWrite } from '../../../writing/run-until-complete.ts'
import { readAddress } from '../../addresses/read-address.ts'
import { requestedUrls } from '../../photos/names-and-urls.ts'
import type { WriteContext } from '../../store/write-context.ts'
import { externalIdExists } from '../external-id.ts'
import { duplicateProperty } from '../duplicates.ts'
import type { Creation } from './check-creation.ts'
import type { Created } from './create-listings.ts'

/**
 * The error of a rejected creation. A 429 names all full windows, including those for its photos.
 * @throws StaleWrite if Citus has moved the agency
 */
export async function errorOf(
  deps: Pick<WriteContext, 'agencyId' | 'limits' | 'clock'> & { db: Executor },
  { merged: { content }, urls }: Creation,
  rejected: Extract<Created, { rejection: string }>,
): Promise<ApiError> {
  const address = readAddress(content)
  switch (rejected.rejection) {
    case 'external_id_exists':
      return externalIdExists(content.external_id)
    case 'duplicate_property':
      if (address === null || rejected.existing_id === null) throw new Error('no address is compared')
      return duplicateProperty(address, rejected.existing_id)
    case 'rate_limited':
      return rateLimited([
        ...fullWindows(rejected, deps.limits),
        ...(await findBlocking(deps.db, 'photos', deps.agencyId, requestedUrls(urls).length, deps)),
      ])
    case 'busy':
      // A transaction holds the lock: Citus has moved the agency.
      throw new StaleWrite()
    case 'key_in_use':
      throw new Error('a transaction stores no key with its listings')
  }
}
