/** Gives the answer of a write of one listing again (api.md 7.2), from the listing and its history. */
import type { Answer, Authenticated, KeptReference } from '../http/endpoint.ts'
import { listingAt } from '../properties/rewind.ts'
import { type KeptRest, listingAnswer } from './shared.ts'

/** The answer as `written` gave it first, whatever became of listing and agency since. */
export async function replayWritten(
  { deps, caller }: Pick<Authenticated<unknown, unknown, unknown>, 'deps' | 'caller'>,
  { status, propertyId, revision, rest }: KeptReference,
): Promise<Answer> {
  const { base_url: publicBaseUrl, agency, ...besides } = rest as KeptRest
  const { id } = caller.agency
  const listing = await listingAt(deps.db, id, propertyId, revision)
  if (listing === null) throw new Error(`listing ${propertyId} has no version ${revision}`)
  const then = { deps: { config: { publicBaseUrl } }, caller: { agency: { id, ...agency } }, trial: null }
  return listingAnswer(then, listing, status, besides)
}
