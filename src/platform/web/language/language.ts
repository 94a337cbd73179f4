/** The languages of pages and mails: Argentine Spanish and English. */
import { acceptedRanges } from '../accepted.ts'

export const languages = ['es', 'en'] as const
export type PageLanguage = (typeof languages)[number]

/** For `lang` attributes and formats. */
export const localeOf: Readonly<Record<PageLanguage, string>> = { es: 'es-AR', en: 'en-US' }

export function isLanguage(text: unknown): text is PageLanguage {
  return languages.includes(text as PageLanguage)
}

/** The preferred language according to `Accept-Language`; Spanish if it names neither. */
export function preferredLanguage(acceptLanguage: string | undefined): PageLanguage {
  let best: { language: PageLanguage; weight: number } = { language: 'es', weight: 0 }
  for (const [range, weight] of acceptedRanges(acceptLanguage)) {
    const language = range.split('-', 1)[0]
    if (isLanguage(language) && weight > best.weight) best = { language, weight }
  }
  return best.language
}
