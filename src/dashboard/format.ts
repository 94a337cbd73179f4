/**
 * Moments, numbers and money as the language writes them. Moments are those of Argentina, whoever looks.
 */
import { html, type Html } from '../pages/html.ts'
import { localeOf, type PageLanguage } from '../pages/language.ts'

const timeZone = 'America/Argentina/Buenos_Aires'

export type Format = ReturnType<typeof formatOf>

export function formatOf(language: PageLanguage) {
  const locale = localeOf[language]
  const hour12 = false
  const date = new Intl.DateTimeFormat(locale, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
  const moment = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hour12,
  })
  const precise = new Intl.DateTimeFormat(locale, {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12,
  })
  const shortDay = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

  const ago = (iso: string, now = Date.now()): string => {
    const seconds = (Date.parse(iso) - now) / 1000
    const [unit, length] = unitOf(Math.abs(seconds))
    return relative.format(Math.round(seconds / length), unit)
  }
  const time = (iso: string, text: string): Html => html`<time datetime="${iso}">${text}</time>`
  return {
    number: (value: number) => number.format(value),
    date: (iso: string) => time(iso, date.format(new Date(iso))),
    moment: (iso: string) => time(iso, moment.format(new Date(iso))),
    precise: (iso: string) => time(iso, precise.format(new Date(iso))),
    /** `hace 3 días`, with the moment itself for who points at it. */
    ago: (iso: string) =>
      html`<time datetime="${iso}" title="${moment.format(new Date(iso))}">${ago(iso)}</time>`,
    plainDate: (iso: string) => date.format(new Date(iso)),
    plainMoment: (iso: string) => moment.format(new Date(iso)),
    /** A UTC day, as charts name it. */
    day: (iso: string) => shortDay.format(new Date(iso)),
    money: (amount: number, currency: string | null) =>
      `${currency === 'ARS' ? '$' : currency === 'USD' ? 'US$' : (currency ?? '')} ${number.format(amount)}`,
    /** So many seconds, as somebody who has to wait wants to hear it. */
    wait: (seconds: number) => {
      const [unit, length] = unitOf(seconds)
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(
        Math.ceil(seconds / length),
      )
    },
  }
}

function unitOf(seconds: number): ['second' | 'minute' | 'hour' | 'day' | 'month' | 'year', number] {
  if (seconds < 60) return ['second', 1]
  if (seconds < 3_600) return ['minute', 60]
  if (seconds < 86_400) return ['hour', 3_600]
  if (seconds < 86_400 * 60) return ['day', 86_400]
  return seconds < 86_400 * 700 ? ['month', 86_400 * 30.44] : ['year', 86_400 * 365.25]
}
