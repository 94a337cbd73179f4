/**
 * Normalises text for comparison: compatibility forms, accents and case (api.md 12.4).
 */

/** Characters that need no normalising, including the letters of Spanish. */
const settled = /^[\0-_a-~À-ÿªº]*$/u

/**
 * A single form of each character: compatibility forms resolved, invisible characters removed, the degree sign read as an ordinal, one kind
 * of apostrophe. Ordinals are kept, because Unicode would turn `Nº` into `No` and `3º` into `3o`.
 */
export function plainText(text: string): string {
  if (settled.test(text)) return text
  const signs = text.replace(/[°˚]/gu, 'º').replace(/[’‘´`ʼ]/gu, "'")
  if (settled.test(signs)) return signs
  return signs.replace(/[^ºª]+/gu, (part) => part.normalize('NFKC')).replace(/\p{Cf}/gu, '')
}

/** The folded form of each character up to U+00FF: few addresses have others. */
const foldedLatin = Array.from({ length: 0x100 }, (_, code) => foldAny(String.fromCharCode(code)))

/** Lower case without accents or apostrophes, for comparing words. */
export function fold(text: string): string {
  if (isAscii(text)) return withoutApostrophes(text.toLowerCase())
  let folded = ''
  for (let index = 0; index < text.length; index += 1) {
    const letter = foldedLatin[text.charCodeAt(index)]
    if (letter === undefined) return foldAny(text)
    folded += letter
  }
  return folded
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false
  return true
}

function foldAny(text: string): string {
  // Upper case first: some letters (ß, ı) only meet their equals there.
  return withoutApostrophes(stripMarks(stripMarks(text).toUpperCase().toLowerCase()))
}

const tight = /^[a-z\d]*$/u

/** Folded, without spaces, dots and signs, for looking up and comparing names. */
export function foldTight(text: string): string {
  const folded = fold(plainText(text)).replaceAll(' ', '')
  return tight.test(folded) ? folded : folded.replace(/[^\p{L}\p{N}]+/gu, '')
}

function withoutApostrophes(text: string): string {
  return text.includes("'") ? text.replaceAll("'", '') : text
}

function stripMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '')
}

/** The words of a list written with spaces, as a set. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u))
}
