/**
 * What was read of a text, kept for the next time (spec 'POST /properties'). For names of provinces and cities, of which a few
 * come again and again; an address is mostly read once.
 */

const texts = 500

/** `read`, which must follow from the text alone, with a memory for so many texts, emptied when it is full. */
export function remembering<Found>(read: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, Found>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const fresh = read(text)
    if (known.size >= texts) known.clear()
    known.set(text, fresh)
    return fresh
  }
}
