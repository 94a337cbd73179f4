/**
 * Pages that say why there is nothing to see: not found, gone, or failed. Each offers itself in the other language, and a way on.
 */
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { ApiError } from '../errors.ts'
import type { PublicListing } from '../properties/public.ts'
import { html, type Html, type Piece } from '../web/html.ts'
import { cards } from './card.ts'
import { layout } from './layout.ts'
import { agencyPath, type Edition } from './site.ts'

/** An edition, and the Spanish path that was asked for, as it was written. */
export type Asked = Readonly<{ edition: Edition; path: string }>

/** The same page for what does not exist and what is hidden. @param agency where it is known */
export function missingPage(asked: Asked, agency: PublicAgency | null = null): Html {
  const { missing, missingText } = asked.edition.words
  return message(asked, missing, missingText, agency)
}

/** The listing was public and is not any more. @param similar published ones of the same agency */
export function goneListingPage(asked: Asked, agency: PublicAgency, similar: readonly PublicListing[]): Html {
  const { edition } = asked
  const { gone, goneText, similar: title } = edition.words
  const others =
    similar.length > 0 &&
    html`<section class="more wide">
      <h2>${title}</h2>
      ${cards(edition, agency.slug, similar, 'below')}
    </section> `
  return message(asked, gone, goneText, agency, null, others)
}

/** The agency is no longer shown, and none of its listings is. */
export function goneAgencyPage(asked: Asked): Html {
  const { agencyGone, agencyGoneText } = asked.edition.words
  return message(asked, agencyGone, agencyGoneText)
}

/** What failed, in general terms. */
export function errorPage(asked: Asked, error: ApiError, requestId: string): Html {
  const { failed, failedText, refused, refusedText } = asked.edition.words
  if (error.status >= 500)
    return message(asked, failed, failedText, null, html`<p class="note">${requestId}</p>`)
  return error.status === 404 ? missingPage(asked) : message(asked, refused, refusedText)
}

/** @param more below the text @param others below the message */
function message(
  { edition, path: asked }: Asked,
  title: string,
  text: string,
  agency: PublicAgency | null = null,
  more: Piece = null,
  others: Piece = null,
): Html {
  const { path, words } = edition
  const home = agency === null ? null : { name: agency.name, path: agencyPath(agency.slug) }
  const [label, to] =
    home === null ? [words.toStart, path('/')] : [words.toAgency(home.name), path(home.path)]
  return layout(edition, {
    title,
    path: asked,
    indexed: false,
    isTest: agency?.test === true,
    scripts: ['first.js'],
    accent: agency?.accent ?? null,
    brand: home,
    body: html`<div class="message wide">
        <h1>${title}</h1>
        <p>${text}</p>
        ${more}
        <p><a class="button" href="${to}">${label}</a></p>
      </div>
      ${others}`,
  })
}
