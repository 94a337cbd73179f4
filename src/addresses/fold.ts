/**
 * Text made comparable: compatibility forms, accents and case (spec 'POST /properties').
 */

/**
 * One way of writing each character: compatibility forms resolved, invisible characters gone, the degree sign
 * read as the ordinal it stands for, one apostrophe. Ordinals are kept, because Unicode would turn `Nº` into `No` and `3º` into `3o`.
 */
export function plainText(text: string): string {
  if (isAscii(text)) return text.replaceAll('`', "'")
  return text
    .replace(/[°˚]/gu, 'º')
    .replace(/[’‘´`ʼ]/gu, "'")
    .replace(/[^ºª]+/gu, (part) => part.normalize('NFKC'))
    .replace(/\p{Cf}/gu, '')
}

/** Lower case without accents or apostrophes: the form in which words are compared. */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase().replaceAll("'", '')
  // Upper case first: some letters (ß, ı) only meet their equals there.
  return stripMarks(stripMarks(text).toUpperCase().toLowerCase()).replaceAll("'", '')
}

/** Folded, with every space, dot and sign gone: the form in which names are looked up and compared. */
export function foldTight(text: string): string {
  return fold(plainText(text)).replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Most words are, and need none of what costs most here. */
function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false
  return true
}

function stripMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** The words of a list written with spaces, as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u))
}
