/**
 * The languages of the public pages. The address alone decides, so that caches can keep both: Spanish at the contract's own
 * addresses (spec 'Property', `url`, `agency.url`), English under `/en`.
 */
import { english } from './phrases-en.ts'
import { type Phrases, spanish } from './phrases-es.ts'

export type Language = 'es' | 'en'
export const languages: readonly Language[] = ['es', 'en']

const books: Readonly<Record<Language, Phrases>> = { es: spanish, en: english }

export function phrases(language: Language): Phrases {
  return books[language]
}

/** What the paths of a language begin with. */
export function languagePrefix(language: Language): string {
  return language === 'es' ? '' : `/${language}`
}
