/**
 * ETags (api.md 8; RFC 9110). A list's ETag depends on the agency's revision; a single listing's depends on its version, the agency's
 * profile and the selected fields. Neither depends on the key.
 */
import { createHash } from 'node:crypto'
import { ApiError } from '../../platform/errors/errors.ts'

/** Raise it when the same data is shown in a new form, so that no client keeps the old one. */
const representation = '2'

/** ETag of a list. @param revision of the snapshot that was read @param profileVersion read before the rows @param query as sent */
export function listEtag(agencyId: string, revision: number, profileVersion: number, query: string): string {
  const digest = createHash('sha256')
    .update(`${representation}|${agencyId}|${revision}|${profileVersion}|${query}`)
    .digest('base64url')
  return `"${digest.slice(0, 27)}"`
}

/** The part of a listing's ETag that If-Match compares. */
const versionTag = (listing: { agency_id: string; version: number }) =>
  `"${listing.agency_id.slice(-8)}-${listing.version}.`

/** ETag of one listing. The part behind `versionTag` distinguishes representations. */
export function listingEtag(
  listing: { agency_id: string; version: number },
  profileVersion: number,
  fields: ReadonlySet<string> | null = null,
): string {
  const selection =
    fields === null
      ? '*'
      : createHash('sha256')
          .update([...fields].sort().join())
          .digest('base64url')
          .slice(0, 8)
  return `${versionTag(listing)}${representation}.${profileVersion}.${selection}"`
}

/** Whether If-None-Match contains the ETag, compared weakly. */
export function matchesNone(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** An ETag made by `listingEtag`, or `*`. */
const isTag = /^(\*|"[0-9a-f]{8}-\d+\..*")$/
const notTag =
  'If-Match is not an entity tag of this listing. Send the ETag of its last response as it is, quotes included.'

/** Checks a write's If-Match, if it has one. @param listing null if it does not exist @throws ApiError `precondition_failed` */
export function checkIfMatch(
  header: string | undefined,
  listing: { agency_id: string; version: number } | null,
): void {
  if (header === undefined) return
  const candidates = header.split(',').map((candidate) => candidate.trim())
  if (listing !== null) {
    if (header.trim() === '*') return
    if (candidates.some((candidate) => candidate.startsWith(versionTag(listing)))) return
  }
  if (!candidates.some((candidate) => isTag.test(candidate)))
    throw new ApiError('precondition_failed', { message: notTag })
  throw new ApiError('precondition_failed')
}
