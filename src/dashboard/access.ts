/**
 * Who may see a page. Whoever may not gets what anybody gets who asks for nothing: 404.
 */
import { getAgency } from '../agencies/agencies.ts'
import { ApiError } from '../errors.ts'
import { currentRevision } from '../properties/revision.ts'
import { operatorAgencyPath, type Outcome, type Page, type Scope, type Visit } from './visit.ts'

/**
 * @returns null, or where to go first: to sign in, to give the second factor, or to turn it on
 * @throws ApiError `not_found`
 */
export function checkAccess(visit: Visit, { access, method, path }: Page): Outcome | null {
  const { session } = visit
  if (access === 'anyone') return null
  if (access === 'guest') return session?.stage === 'full' ? { to: '/dashboard' } : null
  if (session === null) return { to: signInAddress(method === 'GET' ? visit.address : null) }
  if (access === 'factor') return session.stage === 'password' ? null : { to: '/dashboard' }
  if (session.stage === 'password') return { to: '/dashboard/second-factor' }
  if (lacksFactor(visit) && path !== factorPath) return { to: factorPath }
  const { role } = session.account
  const may =
    access === 'person' ||
    (access === 'operator' && role === 'operator') ||
    (access === 'agency' && role !== 'operator') ||
    (access === 'owner' && role === 'owner')
  if (!may) throw new ApiError('not_found', { message: 'There is nothing at this address.' })
  return null
}

const factorPath = '/dashboard/account/second-factor'

/** An operator who has to turn the second factor on before anything else. */
export function lacksFactor({ deps, session }: Visit): boolean {
  if (session?.account.role !== 'operator' || session.account.has_second_factor) return false
  return deps.config.operatorSecondFactor === 'required'
}

/** Where to sign in, and then to come back to. */
function signInAddress(next: string | null): string {
  if (next === null || next === '/dashboard') return '/dashboard/sign-in'
  return `/dashboard/sign-in?next=${encodeURIComponent(next)}`
}

/** An address of our own to go to, or the overview. */
export function safeNext(next: string | null): string {
  if (next === null || !/^\/dashboard(?:[/?][\w\-./?=&%+]*)?$/.test(next) || next.includes('//'))
    return '/dashboard'
  return next
}

/** The agency that the page is about; null where it is about none. @throws ApiError `not_found` */
export async function scopeOf(visit: Visit, { access, path }: Page): Promise<Scope | null> {
  const { deps, session } = visit
  if (access === 'agency' || access === 'owner') {
    const agency = session?.agency ?? null
    return agency === null ? null : { ...agency, path: '/dashboard' }
  }
  if (!path.startsWith(operatorAgencyPath)) return null
  const agency = await getAgency(deps.db, visit.params['agency'] ?? '')
  return {
    id: agency.id,
    name: agency.name,
    slug: agency.slug,
    active: agency.active,
    revision: await currentRevision(deps.db, agency.id),
    path: `/dashboard/operator/agencies/${agency.slug}`,
  }
}
