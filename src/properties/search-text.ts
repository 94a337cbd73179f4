/**
 * Text as search compares it: without case and accents (spec 'GET /properties': `city`, `neighborhood`, `q`, `type`).
 * Folded here and stored, because PostgreSQL's unaccent cannot be indexed.
 */

/** `Galpón  en Núñez` → `galpon en nunez`. Runs of white space become one space. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
}

/** What `q` and `neighborhood` search in: one line a field, so that a phrase never matches across fields. */
export function searchText(listing: {
  title: string | null
  address: string | null
  city: string | null
}): string {
  return [listing.title, listing.address, listing.city].map((text) => fold(text ?? '')).join('\n')
}

/** The words of `q`: only letters, digits, space, dot, apostrophe, slash and hyphen count. */
export function searchWords(q: string): string[] {
  return fold(q.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} .'/-]+/gu, ' '))
    .split(' ')
    .filter((word) => word !== '')
}

/** A LIKE pattern that finds the text anywhere. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
