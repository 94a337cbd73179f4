/**
 * Remembers what reads were answered, as the bytes that were sent, for as long as their agency's revision stays what it was
 * (api.md 8.1). One process's own, bounded by its bytes, and only ever an optimisation.
 *
 * A list is filed under the revision of its own snapshot, a single listing under the one that admitted its request: that one was read
 * after that, so it may hold data of a later revision and never of an earlier one. That nobody goes back in time by it:
 *
 * - Everything an answer shows is written together with a new revision, in one transaction: listings, their photos, the agency's
 *   name and slug. So whoever has seen data of revision r' has seen it after r' was there for everybody.
 * - Each request learns the revision from the statement that admits it, which runs after the request arrived. Whoever has seen data of
 *   r' and asks again is admitted at r' or later, and is given what was filed under that: read later still, so of r' at least.
 * - What was read while a write raised r to r' is filed under r or r'. Once r' is there, nobody is admitted at r any more; who was, just
 *   before, may see the newer data, as without this memory.
 */
import { type RevisionMemory, revisionMemory } from '../memory/revision-memory.ts'

/** An answer with status 200. */
type FinishedAnswer = Readonly<{ etag: string; bytes: Buffer }>

/** An answer's name has the operation, the address, and what else it follows from beside the revision. */
export type FinishedAnswers = RevisionMemory<FinishedAnswer>

/** What an entry takes beside its texts: objects, places in maps. */
const overhead = 600

/** @param mostBytes how much may be kept */
export function finishedAnswers(mostBytes: number): FinishedAnswers {
  const sizeOf = ({ bytes }: FinishedAnswer, name: string): number =>
    bytes.length + 2 * name.length + overhead
  const memory = revisionMemory(mostBytes, sizeOf)
  return {
    ...memory,
    keep(agencyId, revision, name, answer) {
      // One answer may not drive out most of the others.
      if (sizeOf(answer, name) <= mostBytes / 8) memory.keep(agencyId, revision, name, answer)
    },
  }
}

/** The text in bytes of its own: small buffers share their memory with others, and would keep that alive. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
