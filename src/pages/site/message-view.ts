/**
 * Pages without content: not found, gone, or failed. Each links to itself in the other language, and to a page that exists.
 */
import type { PublicAgency } from '../../agencies/public-agency.ts'
import type { ApiError } from '../../platform/errors.ts'
import type { PublicListing } from '../../listings/public.ts'
import { html, type Html, type Piece } from '../../platform/web/html.ts'
import { cards } from './card.ts'
import { siteDocument } from './site-document.ts'
import { agencyPath, type Edition } from './site.ts'

/** An edition, and the Spanish path as requested. */
export type Asked = Readonly<{ edition: Edition; path: string }>

/** The same page for missing and hidden. @param agency where it is known */
export function missingPage(asked: Asked, agency: PublicAgency | null = null): Html {
  const { missing, missingText } = asked.edition.words
  return message(asked, missing, missingText, { agency })
}

/** The listing is no longer public. @param similar published listings of the same agency */
export function goneListingPage(asked: Asked, agency: PublicAgency, similar: readonly PublicListing[]): Html {
  const { edition } = asked
  const { gone, goneText, similar: title } = edition.words
  const others =
    similar.length > 0 &&
    html`<section class="more wide">
      <h2>${title}</h2>
      ${cards(edition, agency.slug, similar, 'below')}
    </section> `
  return message(asked, gone, goneText, { agency, others })
}

/** The agency is no longer shown, and none of its listings is. */
export function goneAgencyPage(asked: Asked): Html {
  const { agencyGone, agencyGoneText } = asked.edition.words
  return message(asked, agencyGone, agencyGoneText)
}

/** Names the failure in general terms alone. */
export function errorPage(asked: Asked, error: ApiError, requestId: string): Html {
  const { words } = asked.edition
  const { failed, failedText, refused, refusedText, busy, busyText, limited, limitedText, tryAgain } = words
  // An empty reference leads to this page, with its query.
  const onward = { label: tryAgain, to: '' }
  if (error.reason === 'busy') return message(asked, busy, busyText, { onward })
  if (error.code === 'rate_limited') return message(asked, limited, limitedText, { onward })
  if (error.status >= 500)
    return message(asked, failed, failedText, { more: html`<p class="note">${requestId}</p>` })
  return error.status === 404 ? missingPage(asked) : message(asked, refused, refusedText)
}

type Beside = Readonly<{
  agency?: PublicAgency | null
  /** Below the text. */
  more?: Piece
  /** Below the message. */
  others?: Piece
  /** The link below the text; by default to the agency or, without one, the start page. */
  onward?: Readonly<{ label: string; to: string }>
}>

function message(
  { edition, path: asked }: Asked,
  title: string,
  text: string,
  { agency = null, more, others, onward }: Beside = {},
): Html {
  const { path, words } = edition
  const home = agency === null ? null : { name: agency.name, path: agencyPath(agency.slug) }
  const { label, to } =
    onward ??
    (home === null
      ? { label: words.toStart, to: path('/') }
      : { label: words.toAgency(home.name), to: path(home.path) })
  return siteDocument(edition, {
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
