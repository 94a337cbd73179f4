/**
 * The languages of the public pages. The address alone decides, so that caches can keep both: Spanish at the contract's own
 * addresses (spec 'Property', `url`, `agency.url`), English under `/en`.
 */
import type { PageLanguage } from '../web/language.ts'
import { english } from './phrases-en.ts'
import { type Phrases, spanish } from './phrases-es.ts'

const books: Readonly<Record<PageLanguage, Phrases>> = { es: spanish, en: english }

export function phrases(language: PageLanguage): Phrases {
  return books[language]
}

/** What the paths of a language begin with. */
export function languagePrefix(language: PageLanguage): string {
  return language === 'es' ? '' : `/${language}`
}
