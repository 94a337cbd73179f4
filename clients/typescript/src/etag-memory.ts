/**
 * Remembers responses with their entity tags, so that an unchanged response is not sent again (304). Bounded by entries and characters;
 * evicts the least recently used first.
 */

export type Remembered = { etag: string; text: string }

export type EtagMemory = {
  get(url: string): Remembered | undefined
  set(url: string, response: Remembered): void
}

export function newEtagMemory(maxEntries: number, maxCharacters: number): EtagMemory {
  // A Map keeps the order in which entries were set.
  const entries = new Map<string, Remembered>()
  let characters = 0
  const remove = (url: string): Remembered | undefined => {
    const entry = entries.get(url)
    if (entry === undefined) return undefined
    entries.delete(url)
    characters -= entry.text.length
    return entry
  }
  return {
    get(url) {
      const entry = remove(url)
      if (entry === undefined) return undefined
      entries.set(url, entry)
      characters += entry.text.length
      return entry
    },
    set(url, response) {
      remove(url)
      if (response.text.length > maxCharacters) return
      entries.set(url, response)
      characters += response.text.length
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && characters <= maxCharacters) return
        remove(oldest)
      }
    },
  }
}
