/**
 * Caches the responses to reads, as sent bytes, until their agency's revision changes (api.md 8.1). Each process has its own cache,
 * bounded in bytes. The service works without it.
 *
 * The key of a list is the revision of its snapshot. The key of a single listing is the revision at admission; the listing is read
 * after admission, so it may be newer than its key but never older. Why a client never sees older data than before:
 *
 * - A transaction that changes anything a response shows (listings, photos, the agency's name and slug) also raises the revision.
 *   A client that has seen data of revision r' saw it after r' was committed.
 * - Admission reads the revision after the request arrives. So that client's next request is admitted at r' or later, and a response
 *   cached under that revision was read after its commit. Only a replica may show r' an instant before admission sees it
 *   (docs/adr/0013-reads-from-replicas-by-revision.md).
 * - A read that races with a write from r to r' is cached under r or r'. Once r' is committed, no request is admitted at r. A request
 *   admitted at r just before may see the newer data, as it could without the cache.
 */
import { type RevisionMemory, revisionMemory } from '../../platform/memory/revision-memory.ts'

/** A response with status 200. */
type CachedResponse = Readonly<{ etag: string; bytes: Buffer }>

/** An entry's name has the operation, the URL, and everything else that the response depends on besides the revision. */
export type CachedResponses = RevisionMemory<CachedResponse>

/** Bytes that an entry takes besides its strings: objects and map slots. */
const overhead = 600

/** @param maxBytes bound of the whole cache */
export function cachedResponses(maxBytes: number): CachedResponses {
  const sizeOf = ({ bytes }: CachedResponse, name: string): number =>
    bytes.length + 2 * name.length + overhead
  const cached = revisionMemory(maxBytes, sizeOf)
  return {
    ...cached,
    keep(agencyId, revision, name, response) {
      // A single response must not evict most of the others.
      if (sizeOf(response, name) <= maxBytes / 8) cached.keep(agencyId, revision, name, response)
    },
  }
}
