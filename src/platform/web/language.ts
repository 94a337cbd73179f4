/**
 * Which language a page is shown in: Spanish as it is written in Argentina, or English.
 */
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
  for (const entry of (acceptLanguage ?? '').split(',').slice(0, 20)) {
    const [range = '', ...parameters] = entry.trim().toLowerCase().split(';')
    const language = range.split('-', 1)[0]
    const quality = parameters.map((text) => /^\s*q=([01](?:\.\d{0,3})?)$/.exec(text)?.[1]).find(Boolean)
    const weight = quality === undefined ? 1 : Number(quality)
    if (isLanguage(language) && weight > best.weight) best = { language, weight }
  }
  return best.language
}
