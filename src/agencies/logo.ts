/** An agency's logo: checked, decoded and stored as a listing's photos are, and charged as one. */
import { inTransaction } from '../platform/db/transaction.ts'
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/connection.ts'
import type { Db } from '../platform/db/database.ts'
import type { Limits } from '../limits/table.ts'
import { take } from '../limits/take.ts'
import { type IngestDeps, ingestFiles, type PhotoFile } from '../listings/photos/ingest.ts'
import type { PhotoWhy } from '../listings/photos/failure.ts'
import { discardPhotos } from '../listings/photos/unreferenced.ts'
import { changeAgencyProfile } from './profile.ts'

/**
 * @param note runs in the transaction, for the audit log
 * @returns the reason why the file cannot be a logo; null once it is stored
 * @throws ApiError `rate_limited`, `service_unavailable`
 */
export async function setLogo(
  deps: { db: Db; clock: Clock; config: { limits: Limits }; photos: IngestDeps },
  agencyId: string,
  file: PhotoFile,
  note: (tx: Tx) => Promise<void>,
): Promise<PhotoWhy | null> {
  const { db, clock, config } = deps
  const [verdict] = await ingestFiles(deps.photos, agencyId, [file], {
    existing: [],
    charge: () => inTransaction(db, (tx) => take(tx, 'photos', agencyId, 1, config.limits, clock)),
  })
  if (verdict === undefined || verdict.photo === null) return verdict?.why ?? { kind: 'empty' }
  const { photo } = verdict
  try {
    await inTransaction(db, async (tx) => {
      await changeAgencyProfile({ db: tx, clock }, agencyId, { logo: photo })
      await note(tx)
    })
    return null
  } catch (error) {
    await discardPhotos(deps.photos, agencyId, [photo])
    throw error
  }
}
