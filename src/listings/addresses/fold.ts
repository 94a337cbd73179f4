/** Normalises text for comparison: compatibility forms, accents and case (api.md 12.4). */

/**
 * A single form of each character: compatibility forms resolved, invisible characters removed, the degree sign read as an ordinal, one kind
 * of apostrophe. Ordinals are kept, because Unicode would turn `Nº` into `No` and `3º` into `3o`.
 */
export function plainText(text: string): string {
  const signs = text.replace(/[°˚]/gu, 'º').replace(/[’‘´`ʼ]/gu, "'")
  return signs.replace(/[^ºª]+/gu, (part) => part.normalize('NFKC')).replace(/\p{Cf}/gu, '')
}

/** Lower case without accents or apostrophes, for comparing words. */
export function foldForAddress(text: string): string {
  // Upper case first: some letters (ß, ı) only meet their equals there.
  const folded = /^[ -~]*$/.test(text)
    ? text.toLowerCase()
    : stripMarks(stripMarks(text).toUpperCase().toLowerCase())
  return folded.replaceAll("'", '')
}

/** A house number's compared form: `55 bis` → `55bis`. */
export function foldNumber(number: string): string {
  return foldForAddress(number).replaceAll(/\s+/g, '')
}

/** Folded, without spaces, dots and signs, for looking up and comparing names. */
export function foldTight(text: string): string {
  return foldForAddress(plainText(text)).replace(/[^\p{L}\p{N}]+/gu, '')
}

function stripMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** The words of a list written with spaces, as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u))
}
