/**
 * Changes an agency's profile, and its twin's with it. Listings show the agency's name and slug, so this runs under the agency's lock and
 * raises the revision, on which the ETags of lists depend.
 */
import { type Agency, updateAgency } from '../agencies/agencies.ts'
import { type AgencyContact, setAgencyContact } from '../agencies/contact.ts'
import { findTwin, updateTwin } from '../agencies/twins.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { within } from '../db/transaction.ts'
import { lockAgency, storeRevision } from '../writing/agency-lock.ts'

/** @throws ApiError 400 `name`, `slug`, `email`, `phone`, `whatsapp`, `website` */
export async function changeAgencyProfile(
  { db, clock }: { db: Db | Tx; clock: Clock },
  agencyId: string,
  input: Readonly<{ name: string; slug: string; email: string | null }>,
  contact: Partial<AgencyContact> = {},
): Promise<Agency> {
  return await within(db, async (tx) => {
    const { revisions } = await lockAgency(tx, agencyId, clock)
    const agency = await updateAgency(tx, agencyId, input, clock)
    await setAgencyContact(tx, agency.slug, contact, clock)
    await storeRevision(tx, agencyId, revisions.next())
    const twin = await findTwin(tx, agencyId)
    if (twin !== null) {
      const locked = await lockAgency(tx, twin.id, clock)
      await updateTwin(tx, agency, clock)
      await storeRevision(tx, twin.id, locked.revisions.next())
    }
    return agency
  })
}
