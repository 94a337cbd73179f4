/**
 * Remembers what reads were answered, as the bytes that were sent, for as long as their agency's revision stays what it was
 * (spec 'GET /properties', 'GET /properties/{id}'). One process's own, bounded by its bytes, and only ever an optimisation.
 *
 * An answer is filed under the revision that admitted its request, by address and visibility. It was read after that, so it may
 * hold data of a later revision and never of an earlier one. That nobody goes back in time by it:
 *
 * - Everything an answer shows is written together with a new revision, in one transaction: listings, their photos, the agency's
 *   name and slug. So whoever has seen data of revision r' has seen it after r' was there for everybody.
 * - Each request learns the revision from the statement that admits it, which runs after the request arrived. Whoever has seen data of
 *   r' and asks again is admitted at r' or later, and is given what was filed under that: read later still, so of r' at least.
 * - What was read while a write raised r to r' is filed under r. Once r' is there, nobody is admitted at r any more; who was, just
 *   before, may see the newer data, as without this memory.
 *
 * A revision that goes back (a database restored from a copy, a replica that took over without the last commits) is another one
 * too: whatever an agency's answers were filed under, they are forgotten as soon as its revision is different.
 */

/** An answer with status 200. */
export type FinishedAnswer = Readonly<{ etag: string; bytes: Buffer }>

export type FinishedAnswers = {
  /** What was answered at this very revision, or null. @param name tells requests apart that one agency can make */
  find(agencyId: string, revision: number, name: string): FinishedAnswer | null
  /** @param revision the one that the request was admitted at */
  keep(agencyId: string, revision: number, name: string, answer: FinishedAnswer): void
  /** What it holds now, in bytes. */
  size(): number
}

type Entry = FinishedAnswer & { agencyId: string; name: string; size: number }
/** An agency's answers, all of one revision. */
type Shelf = { revision: number; entries: Map<string, Entry> }

/** What an entry takes beside its texts: objects, places in maps. */
const overhead = 600

/** @param mostBytes how much may be kept; the answers asked for longest ago go first, and those of an older revision before them */
export function finishedAnswers(mostBytes: number): FinishedAnswers {
  const shelves = new Map<string, Shelf>()
  /** In the order in which they were asked for. */
  const entries = new Set<Entry>()
  let size = 0

  const forget = (entry: Entry, shelf: Shelf): void => {
    entries.delete(entry)
    shelf.entries.delete(entry.name)
    if (shelf.entries.size === 0) shelves.delete(entry.agencyId)
    size -= entry.size
  }
  const clear = (shelf: Shelf): void => {
    for (const entry of shelf.entries.values()) forget(entry, shelf)
  }

  return {
    find(agencyId, revision, name) {
      const shelf = shelves.get(agencyId)
      if (shelf === undefined) return null
      if (shelf.revision !== revision) {
        clear(shelf)
        return null
      }
      const entry = shelf.entries.get(name)
      if (entry === undefined) return null
      entries.delete(entry)
      entries.add(entry)
      return entry
    },
    keep(agencyId, revision, name, { etag, bytes }) {
      const entrySize = bytes.length + 2 * name.length + overhead
      // One answer may not drive out most of the others.
      if (entrySize > mostBytes / 8) return
      let shelf = shelves.get(agencyId)
      if (shelf !== undefined && shelf.revision > revision) return
      if (shelf !== undefined && shelf.revision < revision) clear(shelf)
      const known = shelf?.entries.get(name)
      if (shelf !== undefined && known !== undefined) forget(known, shelf)
      shelf = shelves.get(agencyId)
      if (shelf === undefined) {
        shelf = { revision, entries: new Map() }
        shelves.set(agencyId, shelf)
      }
      const entry = { agencyId, name, etag, bytes, size: entrySize }
      shelf.entries.set(name, entry)
      entries.add(entry)
      size += entrySize
      for (const oldest of entries) {
        if (size <= mostBytes) break
        forget(oldest, shelves.get(oldest.agencyId) as Shelf)
      }
    },
    size: () => size,
  }
}

/** The text in bytes of its own: small buffers share their memory with others, and would keep that alive. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
