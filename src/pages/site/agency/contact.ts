/** The ways to contact an agency: WhatsApp, email and telephone, the quickest first. */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { flag, html, type Html } from '../../../platform/web/html.ts'
import { logo } from './about-agency.ts'
import { enquiryPath, takesEnquiries } from '../enquiries/enquiry-form.ts'
import type { Phrases } from '../phrases/phrases.ts'
import { agencyPath, type Edition } from '../frame/site.ts'
import { icon } from '../../framework/icons.ts'

/** The listing that a visitor's message is about. */
export type Subject = { title: string; code: string; url: string }

/** A listing's agency, and the ways to ask about the listing. */
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

/** A link to the form; null if the agency takes no enquiries. */
export function enquiryLink(
  { site, words, path }: Edition,
  agency: PublicAgency,
  about: Subject | null,
): Html | null {
  if (!takesEnquiries(site.deps, agency)) return null
  const url = path(enquiryPath(agency.slug, about?.code))
  return html`<a class="button quiet" href="${url}" rel="nofollow"
    >${icon('message', 'symbol')}${about === null ? words.enquiry.askShort : words.enquiry.ask}</a
  >`
}

/** Every way to contact the agency; the first stands out. */
export function contactLinks(agency: PublicAgency, words: Phrases, about: Subject | null): Html[] {
  return linksTo(agency, words, about).map((link, index) =>
    button(link, about === null ? link.short : link.label, index > 0),
  )
}

/** The quickest way alone; null without any. */
export function quickestContact(agency: PublicAgency, words: Phrases, about: Subject): Html | null {
  const [link] = linksTo(agency, words, about)
  return link === undefined ? null : button(link, words.ask, false)
}

/** A link to another site, for which this one does not vouch. */
export function outsideLink(url: string, label: string): Html {
  return html`<a class="outside" href="${url}" target="_blank" rel="noopener nofollow">${label}</a>`
}

type Link = { kind: 'whatsapp' | 'email' | 'phone'; label: string; short: string; url: string }

function linksTo({ whatsapp, email, phone }: PublicAgency, words: Phrases, about: Subject | null): Link[] {
  const links: Link[] = []
  const encoded = encodeURIComponent
  if (whatsapp !== null) {
    const text = about === null ? '' : `?text=${encoded(`${words.greeting(about.title)} ${about.url}`)}`
    const url = `https://wa.me/${digitsOf(whatsapp)}${text}`
    links.push({ kind: 'whatsapp', label: words.writeWhatsApp, short: 'WhatsApp', url })
  }
  if (email !== null) {
    const recipient = encoded(email).replaceAll('%40', '@')
    const draft =
      about === null
        ? ''
        : `?subject=${encoded(words.mailSubject(about.title, about.code))}&body=${encoded(`${about.url}\n\n`)}`
    links.push({
      kind: 'email',
      label: words.writeEmail,
      short: words.email,
      url: `mailto:${recipient}${draft}`,
    })
  }
  if (phone !== null)
    links.push({ kind: 'phone', label: words.call(phone), short: phone, url: `tel:+${digitsOf(phone)}` })
  return links
}

function button({ kind, url }: Link, label: string, isQuiet: boolean): Html {
  const outside = flag('target="_blank" rel="noopener nofollow"', kind === 'whatsapp')
  return html`<a class="button${isQuiet && ' quiet'}" href="${url}" data-contact="${kind}" ${outside}
    >${icon(kind, 'symbol')}${label}</a
  >`
}

function digitsOf(number: string): string {
  return number.replaceAll(/\D/g, '')
}
