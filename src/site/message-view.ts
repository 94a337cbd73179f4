/**
 * Pages that say why there is nothing to see: not found, gone, or failed.
 */
import { html } from './html.ts'
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { ApiError } from '../errors.ts'
import type { PageLanguage } from '../web/language.ts'
import { phrases } from './language.ts'
import { layout } from './layout.ts'
import { agencyPath, pathIn, type Site } from './site.ts'

/** Nothing here, or nothing that anybody may know of: the same for both. With the agency where it is known. */
export function missingPage(site: Site, language: PageLanguage, agency: PublicAgency | null = null): string {
  const words = phrases(language)
  const text = html`<p>${words.missingText}</p>
    !${agency === null ? '' : toAgency(site, language, agency)}`
  return message(site, language, agency, words.missing, text)
}

/** The listing was public and is not any more. */
export function goneListingPage(site: Site, language: PageLanguage, agency: PublicAgency): string {
  const words = phrases(language)
  const text = html`<p>${words.goneText}</p>
    !${toAgency(site, language, agency)}`
  return message(site, language, agency, words.gone, text)
}

function toAgency(site: Site, language: PageLanguage, { name, slug }: PublicAgency): string {
  const label = phrases(language).toAgency(name)
  return html`<p><a class="button" href="${pathIn(site, language, agencyPath(slug))}">${label}</a></p>`
}

/** The agency is no longer shown, nor is anything of its. */
export function goneAgencyPage(site: Site, language: PageLanguage): string {
  const words = phrases(language)
  return message(site, language, null, words.agencyGone, html`<p>${words.agencyGoneText}</p>`)
}

/** What failed, in general terms. */
export function errorPage(site: Site, language: PageLanguage, error: ApiError, requestId: string): string {
  const words = phrases(language)
  if (error.status >= 500) {
    const text = html`<p>${words.failedText}</p>
      <p class="note">${requestId}</p>`
    return message(site, language, null, words.failed, text)
  }
  if (error.status === 404) return missingPage(site, language)
  return message(site, language, null, words.refused, html`<p>${error.message}</p>`)
}

function message(
  site: Site,
  language: PageLanguage,
  agency: PublicAgency | null,
  title: string,
  body: string,
): string {
  return layout(site, language, {
    title,
    path: null,
    brand: agency === null ? null : { name: agency.name, path: agencyPath(agency.slug) },
    body: html`<div class="message wide">
      <h1>${title}</h1>
      !${body}
    </div> `,
  })
}
