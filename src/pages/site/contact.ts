/**
 * How visitors reach the agency: by WhatsApp, email and telephone, the quickest first.
 */
import type { PublicAgency } from '../../agencies/public-agency.ts'
import { flag, html, type Html } from '../../platform/web/html.ts'
import { isWebUrl } from '../../platform/web/text.ts'
import { logo } from './about-agency.ts'
import { enquiryPath, takesEnquiries } from './enquiry-path.ts'
import type { Phrases } from './phrases-es.ts'
import { agencyPath, type Edition } from './site.ts'
import { icon } from '../framework/icons.ts'

/** The listing that a visitor's message names. */
export type Subject = { title: string; code: string; url: string }

/** The agency of a listing, and the ways to ask about it. */
export function contactPart(edition: Edition, agency: PublicAgency, about: Subject): Html {
  const { words, path } = edition
  return html`<div class="agency" id="contact">
    <p class="by">${words.agencyOffers}</p>
    ${logo(edition, agency)}
    <p class="agency-name" dir="auto">${agency.name}</p>
    ${contactLinks(agency, words, about)}${enquiryLink(edition, agency, about)}<a
      class="plain"
      href="${path(agencyPath(agency.slug))}"
      >${words.allOfAgency}</a
    >
    ${agency.email !== null && html`<p class="only-print">${agency.email}</p>`}
    <p class="only-print">${about.url}</p>
  </div>`
}

/** To the form, where the agency takes enquiries. */
export function enquiryLink(
  { site, words, path }: Edition,
  agency: PublicAgency,
  about: Subject | null,
): Html | null {
  if (!takesEnquiries(site.deps, agency)) return null
  const url = path(enquiryPath(agency.slug, about?.code ?? null))
  return html`<a class="button quiet" href="${url}" rel="nofollow"
    >${icon('message', 'symbol')}${about === null ? words.enquiry.askShort : words.enquiry.ask}</a
  >`
}

/** Every way to reach the agency, the first of them standing out. */
export function contactLinks(agency: PublicAgency, words: Phrases, about: Subject | null): Html[] {
  return links(agency, words, about).map((link, place) =>
    button(link, about === null ? link.short : link.label, place > 0),
  )
}

/** The quickest way alone; null where there is none. */
export function quickestContact(agency: PublicAgency, words: Phrases, about: Subject): Html | null {
  const [link] = links(agency, words, about)
  return link === undefined ? null : button(link, words.ask, false)
}

/** The agency's own site, for its page. */
export function websiteLink({ website }: PublicAgency, words: Phrases): Html | null {
  return isWebUrl(website) ? outsideLink(website, words.website) : null
}

/** A link to another site, which this one does not vouch for. */
export function outsideLink(url: string, label: string): Html {
  return html`<a class="outside" href="${url}" target="_blank" rel="noopener nofollow">${label}</a>`
}

type Link = {
  kind: 'whatsapp' | 'email' | 'phone'
  label: string
  short: string
  url: string
  leaves: boolean
}

function links({ whatsapp, email, phone }: PublicAgency, words: Phrases, about: Subject | null): Link[] {
  const found: Link[] = []
  if (whatsapp !== null) {
    const url = whatsAppUrl(whatsapp, words, about)
    found.push({ kind: 'whatsapp', label: words.writeWhatsApp, short: 'WhatsApp', url, leaves: true })
  }
  if (email !== null) {
    const url = mailUrl(email, words, about)
    found.push({ kind: 'email', label: words.writeEmail, short: words.email, url, leaves: false })
  }
  if (phone !== null)
    found.push({
      kind: 'phone',
      label: words.call(phone),
      short: phone,
      url: `tel:+${digitsOf(phone)}`,
      leaves: false,
    })
  return found
}

function button({ kind, url, leaves }: Link, label: string, isQuiet: boolean): Html {
  const outside = flag('target="_blank" rel="noopener nofollow"', leaves)
  return html`<a class="button${isQuiet && ' quiet'}" href="${url}" data-contact="${kind}" ${outside}
    >${icon(kind, 'symbol')}${label}</a
  >`
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '')
}

function whatsAppUrl(number: string, words: Phrases, about: Subject | null): string {
  const url = `https://wa.me/${digitsOf(number)}`
  if (about === null) return url
  return `${url}?text=${encodeURIComponent(`${words.greeting(about.title)} ${about.url}`)}`
}

function mailUrl(email: string, words: Phrases, about: Subject | null): string {
  const recipient = encodeURIComponent(email).replaceAll('%40', '@')
  if (about === null) return `mailto:${recipient}`
  const subject = encodeURIComponent(words.mailSubject(about.title, about.code))
  return `mailto:${recipient}?subject=${subject}&body=${encodeURIComponent(`${about.url}\n\n`)}`
}
