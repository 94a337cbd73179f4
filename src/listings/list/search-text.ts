/**
 * Folds text for search: removes case and accents (api.md 14.2: `city`, `neighborhood`, `q`, `type`). The folded text is stored, because
 * PostgreSQL's `unaccent` cannot be indexed.
 */

/** Latin letters and common punctuation, which need only case and accents folded. Nearly every text matches. */
const simple = /^[\0-ÿ\u2010-\u2027]*$/u
/** The letters `à` to `ÿ` without their accents. */
const withoutAccents = Array.from({ length: 0x20 }, (_, i) =>
  String.fromCharCode(0xe0 + i)
    .normalize('NFD')
    .charAt(0),
)
/** Any white space other than single spaces between words. */
const loose = /^ |[^\S ]| {2}| $/u

/** `Galpón  en Núñez` → `galpon en nunez`. Runs of white space become one space. */
export function fold(text: string): string {
  const folded = simple.test(text) ? foldSimple(text) : foldAny(text)
  return loose.test(folded) ? folded.replaceAll(/\s+/gu, ' ').trim() : folded
}

function foldSimple(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[à-ÿ]/gu, (letter) => withoutAccents[letter.charCodeAt(0) - 0xe0] ?? letter)
}

function foldAny(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFC')
}

/** The text that `q` and `neighborhood` search: one line per field, so that a phrase never matches across fields. */
export function searchText(listing: {
  title: string | null
  address: string | null
  city: string | null
}): string {
  return [listing.title, listing.address, listing.city].map((text) => fold(text ?? '')).join('\n')
}

/** The words of `q`, folded. Only letters, digits, space, dot, apostrophe, slash and hyphen count. */
export function searchWords(q: string): string[] {
  return fold(q.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} .'/-]+/gu, ' '))
    .split(' ')
    .filter((word) => word !== '')
}

/** A LIKE pattern that finds the text anywhere. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
