/** Changes an agency's profile, as the forms do. */
import type { Agency } from '../../../src/agencies/agencies.ts'
import { type AgencyProfile, changeAgencyProfile } from '../../../src/agencies/profile.ts'
import type { Db } from '../../../src/platform/db/database.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import type { Clock } from '../../../src/platform/time/clock.ts'

export async function saveAgencyProfile(
  { db, clock }: Readonly<{ db: Db; clock: Clock }>,
  agencyId: string,
  changes: Readonly<Partial<AgencyProfile>>,
): Promise<Agency> {
  return await inTransaction(db, (tx) => changeAgencyProfile(tx, agencyId, changes, clock))
}
