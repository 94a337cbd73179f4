/**
 * How visitors reach the agency: by whatever of WhatsApp, mail and telephone it has, the quickest first.
 */
import type { PublicAgency } from '../agencies/public-agency.ts'
import { isWebAddress } from './format.ts'
import { html } from './html.ts'
import type { Phrases } from './phrases-es.ts'

/** What is asked about: named in the message that the visitor sends. */
export type Subject = { title: string; code: string; address: string }

/** Every way to reach the agency, the first of them standing out. */
export function contactLinks(agency: PublicAgency, words: Phrases, about: Subject | null): string {
  return links(agency, words, about)
    .map((link, place) => button(link, about === null ? link.short : link.label, place > 0))
    .join('')
}

/** The quickest way alone. */
export function quickestContact(agency: PublicAgency, words: Phrases, about: Subject): string {
  const [link] = links(agency, words, about)
  return link === undefined ? '' : button(link, words.ask, false)
}

/** The agency's own site, for its page. */
export function websiteLink({ website }: PublicAgency, words: Phrases): string {
  if (!isWebAddress(website)) return ''
  return html`<a class="outside" href="${website}" target="_blank" rel="noopener nofollow"
    >${words.website}</a
  >`
}

type Link = { label: string; short: string; address: string; leaves: boolean }

function links({ whatsapp, email, phone }: PublicAgency, words: Phrases, about: Subject | null): Link[] {
  const found: Link[] = []
  if (whatsapp !== null) {
    const address = whatsAppAddress(whatsapp, words, about)
    found.push({ label: words.writeWhatsApp, short: 'WhatsApp', address, leaves: true })
  }
  if (email !== null) {
    const address = mailAddress(email, words, about)
    found.push({ label: words.writeEmail, short: words.email, address, leaves: false })
  }
  if (phone !== null) {
    const address = `tel:+${digitsOf(phone)}`
    found.push({ label: words.call(phone), short: phone, address, leaves: false })
  }
  return found
}

function button({ address, leaves }: Link, label: string, isQuiet: boolean): string {
  const outside = leaves ? ' target="_blank" rel="noopener nofollow"' : ''
  return html`<a class="button!${isQuiet ? ' quiet' : ''}" href="${address}" !${outside}>${label}</a>`
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '')
}

function whatsAppAddress(number: string, words: Phrases, about: Subject | null): string {
  const address = `https://wa.me/${digitsOf(number)}`
  if (about === null) return address
  return `${address}?text=${encodeURIComponent(`${words.greeting(about.title)} ${about.address}`)}`
}

function mailAddress(email: string, words: Phrases, about: Subject | null): string {
  const recipient = encodeURIComponent(email).replaceAll('%40', '@')
  if (about === null) return `mailto:${recipient}`
  const subject = encodeURIComponent(words.mailSubject(about.title, about.code))
  return `mailto:${recipient}?subject=${subject}&body=${encodeURIComponent(`${about.address}\n\n`)}`
}
