/** Texts in Spanish (Argentina) and English, side by side. */
import type { PageLanguage } from './language.ts'

export class Text<T> {
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
export function filled<Values extends readonly unknown[], T = string>(
  both: (...values: Values) => readonly [es: T, en: T],
): Text<(...values: Values) => T> {
  return new Text(
    (...values) => both(...values)[0],
    (...values) => both(...values)[1],
  )
}

/** A text about a number of things, formatted if it needs to be. @param es the text for one, and for several; `#` is the number */
export function counted(es: readonly [one: string, several: string], en: typeof es) {
  const write = (count: string, [one, several]: typeof es) =>
    (count === '1' ? one : several).replace('#', count)
  return filled((count: string | number) => [write(`${count}`, es), write(`${count}`, en)])
}

type InLanguage<T> = T extends Text<infer One> ? One : { [Name in keyof T]: InLanguage<T[Name]> }

/** A tree of texts, once in each language. */
export function inBothLanguages<T extends object>(texts: T): Record<PageLanguage, InLanguage<T>> {
  return { es: inLanguage(texts, 'es'), en: inLanguage(texts, 'en') }
}

function inLanguage<T extends object>(texts: T, language: PageLanguage): InLanguage<T> {
  const ofTree = () =>
    Object.entries(texts).map(([name, part]) => [name, inLanguage(part as object, language)])
  return (texts instanceof Text ? texts[language] : Object.fromEntries(ofTree())) as InLanguage<T>
}
