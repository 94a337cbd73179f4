/**
 * Remembers what was found out about agencies, for as long as an agency's revision stays the same: a write raises it, in its own
 * transaction, and whatever was filed under the old one is out of use, in every process and with nobody told.
 *
 * An agency's entries are all of one revision. One that goes back (a database restored from a copy, a replica that took over without the
 * last commits) will give the same numbers out again, for other listings: so entries go with any other revision, not only a later one.
 */

export type RevisionMemory<T> = {
  /** What was filed under this very revision, or null. @param name tells apart what one agency can be asked */
  find(agencyId: string, revision: number, name: string): T | null
  /** @param revision what `value` is of */
  keep(agencyId: string, revision: number, name: string, value: T): void
  /** The sizes of all that it holds. */
  size(): number
}

type Entry<T> = { agencyId: string; name: string; value: T; size: number }
type Shelf<T> = { revision: number; entries: Map<string, Entry<T>> }

/** @param most sizes in all; what was asked for longest ago goes first, and an agency's older revision before it */
export function revisionMemory<T>(
  most: number,
  sizeOf: (value: T, name: string) => number,
): RevisionMemory<T> {
  const shelves = new Map<string, Shelf<T>>()
  /** In the order in which they were asked for. */
  const entries = new Set<Entry<T>>()
  let size = 0

  const forget = (entry: Entry<T>, shelf: Shelf<T>): void => {
    entries.delete(entry)
    shelf.entries.delete(entry.name)
    if (shelf.entries.size === 0) shelves.delete(entry.agencyId)
    size -= entry.size
  }
  const clear = (shelf: Shelf<T>): void => {
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
      return entry.value
    },
    keep(agencyId, revision, name, value) {
      let shelf = shelves.get(agencyId)
      // A read that took longer than a later one.
      if (shelf !== undefined && shelf.revision > revision) return
      if (shelf !== undefined && shelf.revision < revision) clear(shelf)
      const known = shelf?.entries.get(name)
      if (shelf !== undefined && known !== undefined) forget(known, shelf)
      shelf = shelves.get(agencyId)
      if (shelf === undefined) {
        shelf = { revision, entries: new Map() }
        shelves.set(agencyId, shelf)
      }
      const entry = { agencyId, name, value, size: sizeOf(value, name) }
      shelf.entries.set(name, entry)
      entries.add(entry)
      size += entry.size
      for (const oldest of entries) {
        if (size <= most) break
        forget(oldest, shelves.get(oldest.agencyId) as Shelf<T>)
      }
    },
    size: () => size,
  }
}
