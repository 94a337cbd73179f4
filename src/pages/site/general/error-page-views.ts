/** Pages without content: not found, gone, or failed. Each links to itself in the other language, and to a page that exists. */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import type { ApiError } from '../../../platform/errors/errors.ts'
import type { PublicListing } from '../../../listings/reading/public.ts'
import { html, type Html, type Piece } from '../../../platform/web/html.ts'
import { similarListings } from '../agency/card.ts'
import { siteDocument } from '../frame/site-document.ts'
import { agencyPath, type Edition } from '../frame/site.ts'

/** An edition, and the Spanish path as requested. */
type Requested = Readonly<{ edition: Edition; path: string }>

/** The same page for missing and hidden. @param agency null if unknown */
export function missingPage(requested: Requested, agency: PublicAgency | null = null): Html {
  return message(requested, 'missing', { agency })
}

/** The listing is no longer public. @param similar published listings of the same agency */
export function goneListingPage(
  requested: Requested,
  agency: PublicAgency,
  similar: readonly PublicListing[],
): Html {
  const others = similarListings(requested.edition, agency.slug, similar)
  return message(requested, 'gone', { agency, others })
}

/** The agency is no longer shown, nor any of its listings. */
export function goneAgencyPage(requested: Requested): Html {
  return message(requested, 'agencyGone')
}

/** Names the failure only in general terms. */
export function failurePage(requested: Requested, error: ApiError, requestId: string): Html {
  // An empty reference leads to this page, with its query.
  const onward = { label: requested.edition.words.tryAgain, to: '' }
  if (error.reason === 'busy') return message(requested, 'busy', { onward })
  if (error.code === 'rate_limited') return message(requested, 'limited', { onward })
  if (error.status >= 500)
    return message(requested, 'failed', { more: html`<p class="note">${requestId}</p>` })
  return message(requested, error.code === 'not_found' ? 'missing' : 'refused')
}

type Extras = Readonly<{
  agency?: PublicAgency | null
  /** Below the text. */
  more?: Piece
  /** Below the message. */
  others?: Piece
  /** The link below the text; by default to the agency or, without one, the start page. */
  onward?: Readonly<{ label: string; to: string }>
}>

function message(
  { edition, path: requestedPath }: Requested,
  name: 'missing' | 'gone' | 'agencyGone' | 'failed' | 'busy' | 'limited' | 'refused',
  { agency = null, more, others, onward }: Extras = {},
): Html {
  const { path, words } = edition
  const home =
    agency === null
      ? { label: words.toStart, to: path('/') }
      : { label: words.toAgency(agency.name), to: path(agencyPath(agency.slug)) }
  const link = onward ?? home
  return siteDocument(edition, {
    title: words[name],
    path: requestedPath,
    indexed: false,
    scripts: ['first.js'],
    agency,
    body: html`<div class="message wide">
        <h1>${words[name]}</h1>
        <p>${words[`${name}Text`]}</p>
        ${more}
        <p><a class="button" href="${link.to}">${link.label}</a></p>
      </div>
      ${others}`,
  })
}
