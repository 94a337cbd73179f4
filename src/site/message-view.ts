/**
 * Pages that say why there is nothing to see: not found, gone, or failed.
 */
import type { PublicAgency } from '../agencies/public-agency.ts'
import type { ApiError } from '../errors.ts'
import { html, type Html, type Piece } from '../web/html.ts'
import { layout } from './layout.ts'
import { agencyPath, type Edition } from './site.ts'

/** The same page for what does not exist and what is hidden. @param agency where it is known */
export function missingPage(edition: Edition, agency: PublicAgency | null = null): Html {
  const { missing, missingText } = edition.words
  return message(edition, missing, missingText, agency)
}

/** The listing was public and is not any more. */
export function goneListingPage(edition: Edition, agency: PublicAgency): Html {
  const { gone, goneText } = edition.words
  return message(edition, gone, goneText, agency)
}

/** The agency is no longer shown, and none of its listings is. */
export function goneAgencyPage(edition: Edition): Html {
  const { agencyGone, agencyGoneText } = edition.words
  return message(edition, agencyGone, agencyGoneText)
}

/** What failed, in general terms. */
export function errorPage(edition: Edition, error: ApiError, requestId: string): Html {
  const { failed, failedText, refused } = edition.words
  if (error.status >= 500)
    return message(edition, failed, failedText, null, html`<p class="note">${requestId}</p>`)
  return error.status === 404 ? missingPage(edition) : message(edition, refused, error.message)
}

function message(
  edition: Edition,
  title: string,
  text: string,
  agency: PublicAgency | null = null,
  more: Piece = null,
): Html {
  const home = agency === null ? null : { name: agency.name, path: agencyPath(agency.slug) }
  const { path, words } = edition
  return layout(edition, {
    title,
    path: null,
    isTest: agency?.test === true,
    accent: agency?.accent ?? null,
    brand: home,
    body: html`<div class="message wide">
      <h1>${title}</h1>
      <p>${text}</p>
      ${more}${home !== null && html`<p><a class="button" href="${path(home.path)}">${words.toAgency(home.name)}</a></p>`}
    </div> `,
  })
}
