/** Counts presses of the contact buttons on a listing's page: telephone, WhatsApp, email, and sharing. The page's script reports them. */
import { contactKinds, type VisitKind } from '../../../agencies/visits.ts'
import { findPublicListing } from '../../../listings/reading/public.ts'
import { asPublicId } from '../../../platform/names/ids.ts'
import type { PublicPage, PublicRequest } from '../frame/public-page.ts'
import { readsOf } from '../frame/site.ts'

const kinds: readonly VisitKind[] = [...contactKinds.filter((kind) => kind !== 'enquiries'), 'shared']

export const contactPresses: readonly PublicPage[] = [
  { method: 'POST', path: '/inmobiliarias/:slug/:code/contacto', isData: true, handle: countPress },
]

async function countPress(request: PublicRequest): Promise<null> {
  const { edition, params, body, raw, visitor, isRefusedClient, read } = request
  const { deps } = edition.site
  const { code = '' } = params
  const kind = kinds.find((one) => one === body)
  const origin = raw.headers['sec-fetch-site'] ?? 'same-origin'
  if (kind === undefined || visitor === null || origin !== 'same-origin' || isRefusedClient()) return null
  if (asPublicId(code) !== code) return null
  const agency = await request.findAgency()
  if (agency?.active !== true) return null
  const db = await readsOf(deps, agency)
  const found = await read(agency.id, () => findPublicListing(db, agency.id, code, deps.blurredPlace))
  if (found?.isGone === false) deps.visits.count(agency.id, code, kind, visitor)
  return null
}
