/**
 * The languages of pages and mails: Spanish as it is written in Argentina, and English.
 */
import { acceptedRanges } from './accepted.ts'

export const languages = ['es', 'en'] as const
export type PageLanguage = (typeof languages)[number]

/** As `lang` attributes and formats name them. */
export const localeOf: Readonly<Record<PageLanguage, string>> = { es: 'es-AR', en: 'en-US' }

export function isLanguage(text: unknown): text is PageLanguage {
  return languages.includes(text as PageLanguage)
}

/** The better of the two by `Accept-Language`; Spanish when it names neither. */
export function preferredLanguage(acceptLanguage: string | undefined): PageLanguage {
  let best: { language: PageLanguage; weight: number } = { language: 'es', weight: 0 }
  for (const [range, weight] of acceptedRanges(acceptLanguage)) {
    const language = range.split('-', 1)[0]
    if (isLanguage(language) && weight > best.weight) best = { language, weight }
  }
  return best.language
}
