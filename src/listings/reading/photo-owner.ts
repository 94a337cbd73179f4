/** Finds out whether a listing has a photo, and whether its agency is shown, before the photo's file is served (api.md 13.3). */
import type { Agency } from '../../agencies/agencies.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'

type Owner = Pick<Agency, 'test_of' | 'active'>

/** Values: agency, public code, photo. */
const selectOwner = statement<Owner>(`
  select a.test_of, a.active from properties p join agencies a on a.id = p.agency_id
  where p.agency_id = $1 and a.id = $1 and p.public_id = $2 and p.deleted_at is null and $3 = any (p.photos)`)

/** The agency, or null if the listing was removed or does not have the photo. */
export async function findPhotoOwner(
  db: Executor,
  agencyId: string,
  publicId: string,
  photo: string,
): Promise<Owner | null> {
  return (await selectOwner(db, [agencyId, publicId, photo]))[0] ?? null
}
