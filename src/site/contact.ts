/**
 * How visitors reach the agency.
 */
import { html } from './html.ts'
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { Phrases } from './phrases-es.ts'

/** What is asked about: the subject of a mail and the address it names. */
export type Subject = { title: string; code: string; address: string }

/** Links to write to the agency; none where nothing is known of it. */
export function contactLinks(agency: PublicAgency, words: Phrases, about: Subject | null): string {
  if (agency.email === null) return ''
  return html`<a class="button" href="${mailAddress(agency.email, words, about)}">${words.writeEmail}</a> `
}

function mailAddress(email: string, words: Phrases, about: Subject | null): string {
  const recipient = encodeURIComponent(email).replaceAll('%40', '@')
  if (about === null) return `mailto:${recipient}`
  const subject = encodeURIComponent(words.mailSubject(about.title, about.code))
  return `mailto:${recipient}?subject=${subject}&body=${encodeURIComponent(`${about.address}\n\n`)}`
}
