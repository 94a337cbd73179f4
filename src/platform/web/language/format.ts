/** Numbers, money and dates in each language. Times are in Argentina's time zone. */
import { inBothLanguages } from './both-languages.ts'
import { html, type Html } from '../html.ts'
import { localeOf, type PageLanguage } from './language.ts'
import { listingWords } from './listing-words.ts'

const words = inBothLanguages(listingWords)

const timeZone = 'America/Argentina/Buenos_Aires'

type Price = Readonly<{
  amount: number | null
  currency: string | null
  period: string | null
  onRequest: boolean
}>
export type PriceShown = Readonly<{ amount: string; period: string | null }>

export type Format = ReturnType<typeof makeFormat>

export const formats: Readonly<Record<PageLanguage, Format>> = { es: makeFormat('es'), en: makeFormat('en') }

function makeFormat(language: PageLanguage) {
  const locale = localeOf[language]
  const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: 'always' })
  const shares = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const date = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const minute = { hour: '2-digit', minute: '2-digit', hour12: false } as const
  const hour = dateWriter(locale, { timeZone, ...minute })
  const short = dateWriter(locale, { timeZone, ...date })
  const moment = dateWriter(locale, { timeZone, ...date, ...minute })
  const precise = dateWriter(locale, { timeZone, ...date, ...minute, year: undefined, second: '2-digit' })
  const day = dateWriter(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone })

  /** `248000` → `248.000` in Argentina; cents only if there are any. */
  const number = (value: number): string => numbers.format(value)
  /** `USD 248.000`, `$ 285.000`: the usual notation of dollars and pesos in Argentina. English has `ARS`. */
  const money = (amount: number, currency: string | null): string => {
    const sign = currency === 'ARS' && language === 'es' ? '$' : currency
    // `1.500,5` looks like a typing error.
    const hasTenths = Math.round(amount * 100) % 100 !== 0 && Math.round(amount * 100) % 10 === 0
    const text = `${number(amount)}${hasTenths ? '0' : ''}`
    return sign === null ? text : `${sign}\u00a0${text}`
  }
  const time = (iso: string, text: string): Html => html`<time datetime="${iso}">${text}</time>`
  return {
    number,
    /** `0.125` → `12,5%` in Argentina. */
    percent: (share: number) => shares.format(share),
    money,
    /** A listing's price: `$ 450.000` and `por mes`, or `Consultar precio` alone; null if it has none. */
    price: ({ amount, currency, period, onRequest }: Price): PriceShown | null => {
      if (onRequest) return { amount: words[language].onRequest, period: null }
      if (amount === null) return null
      return { amount: money(amount, currency), period: words[language].periods[period ?? ''] ?? null }
    },
    date: (iso: string) => time(iso, short(iso)),
    moment: (iso: string) => time(iso, moment(iso)),
    /** `22 nov 2026, 13:05–13:25`; both in full if they are on different days. */
    span: (from: string, to: string): Html => {
      if (moment(from) === moment(to)) return time(to, moment(to))
      const isOneDay = short(from) === short(to)
      return html`${time(from, moment(from))}${isOneDay ? '–' : ' – '}${time(to, (isOneDay ? hour : moment)(to))}`
    },
    precise: (iso: string) => time(iso, precise(iso)),
    /** `hace 3 días`, with the exact time as its title. */
    ago: (iso: string): Html => {
      const seconds = (Date.parse(iso) - Date.now()) / 1000
      const [unit, length] = unitOf(Math.abs(seconds))
      const text = relative.format(Math.round(seconds / length), unit)
      return html`<time datetime="${iso}" title="${moment(iso)}">${text}</time>`
    },
    /** `22 nov 2026` */
    plainDate: short,
    /** `22 nov 2026, 13:05` */
    plainMoment: moment,
    /** `22 de noviembre de 2026` */
    longDate: (iso: string) => long.format(new Date(iso)),
    /** A UTC day in charts. */
    day,
    /** How long to wait, rounded up: `2 minutos`. */
    wait: (seconds: number) => {
      const [unit, length] = unitOf(seconds)
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
        Math.ceil(seconds / length),
      )
    },
  }
}

/** Short dates: for es-AR, Intl writes `22 de nov de 2026` but people write `22 nov 2026`. */
function dateWriter(locale: string, options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = new Intl.DateTimeFormat(locale, options)
  return (iso) => format.format(new Date(iso)).replaceAll(' de ', ' ')
}

function unitOf(seconds: number): ['second' | 'minute' | 'hour' | 'day' | 'month' | 'year', number] {
  if (seconds < 60) return ['second', 1]
  if (seconds < 3_600) return ['minute', 60]
  if (seconds < 86_400) return ['hour', 3_600]
  if (seconds < 86_400 * 60) return ['day', 86_400]
  return seconds < 86_400 * 700 ? ['month', 86_400 * 30.44] : ['year', 86_400 * 365.25]
}
