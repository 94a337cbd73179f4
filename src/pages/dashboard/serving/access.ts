/** Decides whether a visitor may see a page, and finds its agency. A forbidden page responds with 404, as if it did not exist. */
import { missingProtection, type Session } from '../../../access/accounts/sign-in/sessions.ts'
import { findAgency, getAgency } from '../../../agencies/agencies.ts'
import { findSuccessor } from '../../../agencies/former-slugs.ts'
import { findTwin, realSlug } from '../../../agencies/twins.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { confirmPath } from '../forms/confirmation.ts'
import { agenciesPath, operatorAgencyPath, type Page, type PageAgency, type PageRequest } from './page.ts'

/**
 * @returns null, or a redirect: to sign in, to enter the second factor, to turn it on, or to add a passkey
 * @throws ApiError `not_found`
 */
export function checkAccess(request: PageRequest, { access, path }: Page) {
  const { session } = request
  if (access === 'anyone') return null
  if (access === 'guest') return session?.stage === 'full' ? { to: '/dashboard' } : null
  if (session === null) return { to: signInUrl(request.url) }
  if (access === 'factor') return session.stage === 'password' ? null : { to: '/dashboard' }
  if (session.stage === 'password') return { to: '/dashboard/second-factor' }
  const missing = missingProtection(session, request.deps.config)
  if (missing !== null && !setupPaths[missing].some((one) => one === path))
    return { to: setupPaths[missing][0] }
  const { role } = session.account
  const may =
    access === 'person' ||
    (access === 'operator' && role === 'operator') ||
    (access === 'agency' && role !== 'operator') ||
    (access === 'owner' && role === 'owner')
  const reason = access === 'owner' && role === 'member' ? 'owners_only' : undefined
  if (!may) throw new ApiError('not_found', { message: 'There is no such page.', reason })
  return null
}

const passkeysPath = '/dashboard/account/passkeys'
/** The paths that stay open while a protection is missing: first the page that sets it up, then the data of its form. */
const setupPaths = {
  factor: ['/dashboard/account/second-factor', confirmPath],
  passkey: [passkeysPath, `${passkeysPath}/new`, confirmPath],
} as const satisfies Record<string, readonly string[]>

/** @param next the path to return to */
function signInUrl(next: string): string {
  if (next === '/dashboard') return '/dashboard/sign-in'
  return `/dashboard/sign-in?next=${encodeURIComponent(next)}`
}

/** The path if it is the dashboard's own, else the overview. */
export function safeNext(next: string | null): string {
  if (next === null || !/^\/dashboard(?:[/?][\w\-./?=&%+]*)?$/.test(next) || next.includes('//'))
    return '/dashboard'
  return next
}

/**
 * The agency that the page is about, or its twin; null if it is about no agency. Bookmarks and open forms may have a former slug.
 * @throws ApiError `not_found`
 */
export async function agencyOf(request: PageRequest, page: Page): Promise<PageAgency | null> {
  const agency = await realAgencyOf(request, page)
  if (agency === null || page.isTest !== true) return agency
  const twin = await twinOf(request, agency)
  if (twin === null) throw new ApiError('not_found', { message: 'There is no such page.' })
  return twin
}

export async function twinOf({ deps }: PageRequest, agency: PageAgency): Promise<PageAgency | null> {
  const twin = await findTwin(deps.db, agency.id)
  if (twin === null) return null
  const { id, name, slug, active } = twin
  const { id: realId, path: realPath } = agency
  return { id, name, slug, active, path: `${realPath}/test`, isTest: true, realId, realPath }
}

async function realAgencyOf(request: PageRequest, { access, path }: Page): Promise<PageAgency | null> {
  const { deps, session } = request
  if (access === 'agency' || access === 'owner') {
    const agency = session?.agency ?? null
    return agency === null ? null : ownAgency(agency)
  }
  if (!path.startsWith(operatorAgencyPath)) return null
  const requested = request.params['agency'] ?? ''
  const agency =
    (await findAgency(deps.db, requested)) ??
    (await getAgency(deps.db, (await findSuccessor(deps.db, requested)) ?? requested))
  // A twin's pages are below those of its agency.
  if (agency.test_of !== null) throw new ApiError('not_found', { message: 'There is no such page.' })
  const { id, name, slug, active } = agency
  return realAgency({ id, name, slug, active }, `${agenciesPath}/${slug}`)
}

/** A redirect from a former slug to the agency's current one. @returns null for the current slug, and for forms */
export function movedPage({ params, query }: PageRequest, page: Page, agency: PageAgency | null) {
  if (agency === null || page.method !== 'GET' || !page.path.startsWith(operatorAgencyPath)) return null
  const slug = agency.isTest ? realSlug(agency.slug) : agency.slug
  if (params['agency'] === slug) return null
  const now: Readonly<Record<string, string>> = { ...params, agency: slug }
  const path = page.path.replaceAll(/:(\w+)/g, (_part, name: string) => encodeURIComponent(now[name] ?? ''))
  return { to: `${path}${query.size === 0 ? '' : `?${query}`}` }
}

export function ownAgency(agency: NonNullable<Session['agency']>): PageAgency {
  return realAgency(agency, '/dashboard')
}

function realAgency(agency: Pick<PageAgency, 'id' | 'name' | 'slug' | 'active'>, path: string): PageAgency {
  return { ...agency, path, isTest: false, realId: agency.id, realPath: path }
}
