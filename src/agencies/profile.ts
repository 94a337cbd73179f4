/**
 * Changes an agency's profile, and its twin's with it. Listings show the agency's name and slug, and public pages the rest, so this runs
 * under the agency's lock and raises the revision, on which the ETags of lists depend.
 */
import { type Agency, type AgencyNaming, getAgencyById, updateAgency } from './agencies.ts'
import { type AgencyDetails, getAgencyDetails, setAgencyDetails } from './details.ts'
import { findTwin, updateTwin } from './twins.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { inTransaction } from '../platform/db/statements/transaction.ts'
import { abandonPhotos, discardPhotos, referencePhotos } from '../listings/photos/unreferenced.ts'
import { storeRevision } from '../writing/revisions.ts'
import { lockAgency } from '../writing/under-lock.ts'
import { audit } from '../access/audit-log/entries.ts'
import { endEmailLink, findEmailLink } from '../access/accounts/mails/email-links.ts'
import { deadLink } from '../access/accounts/mails/links.ts'
import { notifyOfEmailChange } from '../access/accounts/mails/notices.ts'
import { ApiError } from '../platform/errors/errors.ts'
import type { LimitDeps } from '../limits/counters.ts'
import { take } from '../limits/take.ts'
import { type IngestDeps, ingestFiles, type PhotoFile } from '../listings/photos/ingest.ts'
import type { PhotoWhy } from '../listings/photos/failure.ts'

export type AgencyProfile = AgencyNaming & AgencyDetails

/**
 * @param changes other fields stay; `logo` is the name of a picture that was just stored
 * @throws ApiError 400 naming the problem
 */
export async function changeAgencyProfile(
  tx: Tx,
  agencyId: string,
  { name, slug, email, ...details }: Readonly<Partial<AgencyProfile>>,
  clock: Clock,
): Promise<Agency> {
  const { revisions } = await lockAgency(tx, agencyId, clock)
  const naming = Object.entries({ name, slug, email }).filter(([, value]) => value !== undefined)
  const agency = await updateAgency(tx, agencyId, Object.fromEntries(naming), clock)
  const before = details.logo === undefined ? null : await getAgencyDetails(tx, agencyId)
  await setAgencyDetails(tx, agencyId, details, clock)
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
}

type EmailChange = Readonly<Partial<AgencyProfile> & Pick<AgencyProfile, 'email'>>

/**
 * Changes the email at once, with the twin's email and other details, and notifies the owners. A pending email is dropped.
 * @param accountId the requester
 * @param token of the confirming link; null: no confirmation is needed
 * @returns the agency, and its email before
 * @throws ApiError 400 naming what is wrong; 404 when the link is no longer valid
 */
export async function changeEmail(
  tx: Tx,
  agencyId: string,
  accountId: string,
  change: EmailChange,
  token: string | null,
  clock: Clock,
): Promise<{ agency: Agency; was: string | null }> {
  const { email: was } = await getAgencyById(tx, agencyId)
  // The agency is locked before its link, which a newer one may have replaced meanwhile.
  const agency = await changeAgencyProfile(tx, agencyId, change, clock)
  const isPending = await endEmailLink(tx, agencyId, token)
  if (token !== null && !isPending) throw deadLink()
  const event = { kind: 'agency_email', agency: agency.name, from: was, to: agency.email } as const
  if (was !== agency.email) await notifyOfEmailChange(tx, agencyId, accountId, event, clock)
  return { agency, was }
}

/**
 * Gives the agency the email that the link confirms, and uses the link up.
 * @throws ApiError 404 when the link is no longer valid; `agency_not_active`
 */
export async function confirmEmail(deps: { db: Db; clock: Clock }, token: string, requestId: string) {
  const { db, clock } = deps
  const found = await findEmailLink(db, token, clock)
  if (found === null) throw deadLink()
  const { agencyId, accountId, email } = found
  await inTransaction(db, async (tx) => {
    const { agency, was } = await changeEmail(tx, agencyId, accountId, { email }, token, clock)
    if (!agency.active) throw new ApiError('agency_not_active')
    // The mail's reader, who is not signed in.
    const by = { kind: 'person', id: null, name: email, requestId } as const
    const details = { email, ...(was === null ? {} : { was }) }
    await audit(tx, by, { action: 'agency_changed', agencyId, subject: agency.slug, details }, clock)
  })
}

/**
 * Stores an agency's logo. It is checked, decoded and stored as a listing's photos are, and charged as one.
 * @param note runs in the transaction, for the audit log
 * @returns the reason why the file cannot be a logo; null once it is stored
 * @throws ApiError `rate_limited`, `service_unavailable`
 */
export async function setLogo(
  deps: LimitDeps & { photos: IngestDeps },
  agencyId: string,
  file: PhotoFile,
  note: (tx: Tx) => Promise<void>,
): Promise<PhotoWhy | null> {
  const { db, clock } = deps
  const [verdict] = await ingestFiles(deps.photos, agencyId, [file], {
    existing: [],
    charge: () => inTransaction(db, (tx) => take(tx, 'photos', agencyId, 1, deps)),
  })
  if (verdict === undefined || verdict.photo === null) return verdict?.why ?? { kind: 'empty' }
  const { photo } = verdict
  try {
    await inTransaction(db, async (tx) => {
      await changeAgencyProfile(tx, agencyId, { logo: photo }, clock)
      await note(tx)
    })
    return null
  } catch (error) {
    await discardPhotos(deps.photos, agencyId, [photo])
    throw error
  }
}
