/** URLs whose slug or spelling is not the current one: pages redirect to the one that is. */
import { findSuccessor } from '../../../agencies/former-slugs.ts'
import { isSlug } from '../../../agencies/slugs.ts'
import type { PublicResponse, PublicRequest } from './public-page.ts'
import { agencyPath, listingPath } from './site.ts'

/** Phones capitalise the first letter of typed text. Anything that is not a slug stays unchanged and is not found. */
export function hasCapitals(slug: string): boolean {
  return isSlug(slug) && slug !== slug.toLowerCase()
}

/** Redirects to the only spelling of the page, without a slash at the end. */
export async function withoutSlash({ params }: PublicRequest): Promise<PublicResponse> {
  const { slug = '', code } = params
  return { to: code === undefined ? agencyPath(slug) : listingPath(slug, code), status: 308 }
}

/** Redirects to the page under the current slug of its agency; null if no agency had the requested one. */
export async function toCurrentSlug(
  { edition, params, search, raw }: PublicRequest,
  path: (slug: string) => string,
): Promise<PublicResponse> {
  const successor = await findSuccessor(edition.site.deps.db, params['slug'] ?? '')
  return successor === null
    ? null
    : { to: path(successor), status: raw.method === 'POST' ? 308 : 301, search }
}
