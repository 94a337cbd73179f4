/** A map with a bound: it evicts the least recently used entries first. */

type Bounds<Key, Value> = {
  /** Bound on the sizes of all entries together. */
  max: number
  /** 1 for each entry by default: `max` is then their number. */
  sizeOf?: (value: Value, key: Key) => number
  /** Called for each entry that was deleted, replaced or evicted. */
  onRemove?: (key: Key) => void
}

export function boundedMap<Key, Value>({ max, sizeOf = () => 1, onRemove }: Bounds<Key, Value>) {
  /** Least recently used first. */
  const entries = new Map<Key, { value: Value; size: number }>()
  let size = 0
  const remove = (key: Key): void => {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    size -= entry.size
    onRemove?.(key)
  }
  return {
    /** The value, which then counts as the most recently used, or undefined. */
    get(key: Key): Value | undefined {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key: Key, value: Value): void {
      remove(key)
      const entry = { value, size: sizeOf(value, key) }
      entries.set(key, entry)
      size += entry.size
      for (const oldest of entries.keys()) {
        if (size <= max) break
        remove(oldest)
      }
    },
    delete: remove,
    /** The sizes of all entries together. */
    size: () => size,
  }
}

/** Caches the results of `make` for `max` keys. A result must follow from the key alone. */
export function remembering<Key, Value>(max: number, make: (key: Key) => Value): (key: Key) => Value {
  const known = boundedMap<Key, { value: Value }>({ max })
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    const value = make(key)
    known.set(key, { value })
    return value
  }
}
