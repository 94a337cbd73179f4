/** Shortens agencies' own texts to one line, for titles of windows, previews and subjects of mails. */

// Control characters, and marks that change the direction of text: on a line they could reorder words that are not the agency's.
const unruly = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

export function oneLine(text: string): string {
  return text.replaceAll(unruly, ' ').replaceAll(/\s+/gu, ' ').trim()
}

/** The official name, which few people write out. */
const capital = 'Ciudad Autónoma de Buenos Aires'

/** The usual name of a city or province, for a single line. */
export function everydayLocality(name: string | null): string | null {
  return name === capital ? 'CABA' : name
}

/** Whether an address ends with its city, as in many systems; then pages do not repeat it. */
export function endsWithCity(address: string | null, city: string | null): boolean {
  if (address === null || city === null) return false
  const end = oneLine(address).toLowerCase()
  return [city, ...(city === capital ? ['CABA'] : [])].some((name) =>
    end.endsWith(`, ${oneLine(name).toLowerCase()}`),
  )
}

/** The beginning of a text, cut between words. */
export function excerpt(text: string, length: number): string {
  const line = oneLine(text)
  if (line.length <= length) return line
  const cut = line.slice(0, length - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\uD800-\uDBFF]$/, '').replace(/[\s,.;:]+$/, '')}…`
}

/** Whether a page may link to a stored URL. It must never be `javascript:`. */
export function isWebUrl(text: string | null): text is string {
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
