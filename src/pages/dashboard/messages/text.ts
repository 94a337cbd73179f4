/** Texts in Spanish (Argentina) and English, beside each other. */
import type { PageLanguage } from '../../../platform/web/language.ts'

class Text<T> {
  readonly es: T
  readonly en: T

  constructor(es: T, en: T) {
    this.es = es
    this.en = en
  }
}

export function text<T = string>(es: T, en: NoInfer<T>): Text<T> {
  return new Text(es, en)
}

/** A text with values in it. @param both the Spanish text, then the English one */
export function filled<Values extends readonly unknown[]>(
  both: (...values: Values) => readonly [es: string, en: string],
): Text<(...values: Values) => string> {
  return new Text(
    (...values) => both(...values)[0],
    (...values) => both(...values)[1],
  )
}

type InLanguage<T> = T extends Text<infer One> ? One : { [Name in keyof T]: InLanguage<T[Name]> }

/** A tree of texts in one language. */
export function inLanguage<T extends object>(texts: T, language: PageLanguage): InLanguage<T> {
  const shown = texts instanceof Text ? texts[language] : mapped(texts, (part) => inLanguage(part, language))
  return shown as InLanguage<T>
}

function mapped(tree: object, map: (part: object) => unknown): object {
  return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, map(part as object)]))
}
