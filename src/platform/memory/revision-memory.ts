/**
 * Caches values derived from an agency's data while its revision stays the same. A write raises the revision in its own transaction, so
 * every process stops using entries of the old one, without a message.
 *
 * An agency's entries are all of one revision, and are dropped at any other, not only a later one: a database that lost its last commits
 * (restored from a backup, or a promoted replica) reuses their numbers for other data.
 */
import { boundedMap } from './bounded-map.ts'

export type RevisionMemory<T> = {
  /** The value cached at exactly this revision, or null. @param name identifies the question about the agency */
  find(agencyId: string, revision: number, name: string): T | null
  /** @param revision the one that `value` belongs to */
  keep(agencyId: string, revision: number, name: string, value: T): void
  /** The sizes of all entries together. */
  size(): number
}

type Shelf<T> = { agencyId: string; revision: number; entries: Map<string, Entry<T>> }
type Entry<T> = { shelf: Shelf<T>; name: string }

/** @param max of all sizes together; the least recently used entries are evicted first, after those of an agency's older revision */
export function revisionMemory<T>(
  max: number,
  sizeOf: (value: T, name: string) => number,
): RevisionMemory<T> {
  const shelves = new Map<string, Shelf<T>>()
  const cached = boundedMap<Entry<T>, T>({
    max,
    sizeOf: (value, { name }) => sizeOf(value, name),
    onRemove({ shelf, name }) {
      shelf.entries.delete(name)
      if (shelf.entries.size === 0) shelves.delete(shelf.agencyId)
    },
  })
  const clear = (shelf: Shelf<T>): void => {
    for (const entry of shelf.entries.values()) cached.delete(entry)
  }

  return {
    find(agencyId, revision, name) {
      // Model cached-responses: find
      const shelf = shelves.get(agencyId)
      if (shelf !== undefined && shelf.revision !== revision) clear(shelf)
      const entry = shelves.get(agencyId)?.entries.get(name)
      return entry === undefined ? null : (cached.get(entry) ?? null)
    },
    keep(agencyId, revision, name, value) {
      // Model cached-responses: keep
      const known = shelves.get(agencyId)
      // A slow read may end after a later one.
      if (known !== undefined && known.revision > revision) return
      if (known !== undefined && known.revision < revision) clear(known)
      const replaced = known?.entries.get(name)
      if (replaced !== undefined) cached.delete(replaced)
      const shelf = shelves.get(agencyId) ?? { agencyId, revision, entries: new Map() }
      const entry = { shelf, name }
      shelves.set(agencyId, shelf)
      shelf.entries.set(name, entry)
      cached.set(entry, value)
    },
    size: cached.size,
  }
}
