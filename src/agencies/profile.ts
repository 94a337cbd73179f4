/**
 * Changes an agency's profile, and its twin's with it. Listings show the agency's name and slug, and public pages the rest, so this runs
 * under the agency's lock and raises the revision, on which the ETags of lists depend.
 */
import { type Agency, type AgencyNaming, updateAgency } from './agencies.ts'
import { type AgencyDetails, getAgencyDetails, setAgencyDetails } from './details.ts'
import { findTwin, updateTwin } from './twins.ts'
import type { Clock } from '../platform/clock.ts'
import type { Tx } from '../platform/db/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { within } from '../platform/db/transaction.ts'
import { abandonPhotos, referencePhotos } from '../listings/photos/unreferenced.ts'
import { lockAgency, storeRevision } from '../platform/writing/agency-lock.ts'

export type AgencyProfile = AgencyNaming & AgencyDetails

/** @param changes other fields stay; `logo` is the name of a picture that was just stored @throws ApiError 400 naming the problem */
export async function changeAgencyProfile(
  { db, clock }: { db: Db | Tx; clock: Clock },
  agencyId: string,
  { name, slug, email, ...details }: Readonly<Partial<AgencyProfile>>,
): Promise<Agency> {
  return await within(db, async (tx) => {
    const { revisions } = await lockAgency(tx, agencyId, clock)
    const naming = Object.entries({ name, slug, email }).filter(([, value]) => value !== undefined)
    const agency = await updateAgency(tx, agencyId, Object.fromEntries(naming), clock)
    const before = details.logo === undefined ? null : await getAgencyDetails(tx, agency.slug)
    await setAgencyDetails(tx, agency.slug, details, clock)
    if (before !== null && before.logo !== details.logo) {
      await referencePhotos(tx, agencyId, details.logo == null ? [] : [details.logo])
      await abandonPhotos(tx, agencyId, before.logo === null ? [] : [before.logo], clock)
    }
    await storeRevision(tx, agencyId, revisions.next())
    const twin = await findTwin(tx, agencyId)
    if (twin !== null) {
      const locked = await lockAgency(tx, twin.id, clock)
      await updateTwin(tx, twin, agency, clock)
      await storeRevision(tx, twin.id, locked.revisions.next())
    }
    return agency
  })
}
