/** Normalises text for comparing addresses (api.md 12.4) and for searching (api.md 14.2): compatibility forms, accents and case. */

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

/** For searching: `Galpón  en Núñez` → `galpon en nunez`. Runs of white space become one space. */
export function foldForSearch(text: string): string {
  return (
    text
      .normalize('NFD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
      // A final sigma depends on its neighbours, which a search word need not have.
      .replaceAll('ς', 'σ')
      .normalize('NFC')
      .replaceAll(/\s+/gu, ' ')
      .trim()
  )
}

function stripMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** The words of a list written with spaces, as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u))
}
