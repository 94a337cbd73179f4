/** A tour of every page of the dashboard, for tests and screenshots: each page of the table, as seen by someone with permission. */
import { pages } from '../../../src/pages/dashboard/all-pages.ts'
import { operatorAgencyPath } from '../../../src/pages/dashboard/serving/page.ts'

export type Role = 'guest' | 'owner' | 'operator'
type Stop = Readonly<{ role: Role; path: string }>

/** Operators see an agency as its own people do, except for pages that only operators have. */
const mirrored = new RegExp(`^${operatorAgencyPath}/(?!listings/)`)

/** Pages in a specific state. */
const further: readonly Stop[] = [
  { role: 'owner', path: '/dashboard/account/second-factor' },
  { role: 'owner', path: '/dashboard/listings?view=cards' },
  { role: 'owner', path: '/dashboard/listings?status=removed' },
  { role: 'owner', path: '/dashboard/listings?q=nothing+of+that+name' },
  { role: 'owner', path: '/dashboard/test/listings' },
  { role: 'operator', path: '/dashboard' },
  { role: 'operator', path: '/dashboard/operator/find?q=a' },
  { role: 'operator', path: '/dashboard/operator/notifications?view=not_sent' },
]

/** @param ids values for the parameters of paths, such as `listing` */
export function tour(ids: Readonly<Record<string, string>>): readonly Stop[] {
  const shown = pages.filter(
    ({ method, path, isTest, isData }) =>
      method === 'GET' &&
      isData !== true &&
      // Pages of the test environment have the same markup, below a banner.
      isTest !== true &&
      // These need a link from a mail, a password that was just typed, or a passkey.
      !/:token|\/(password|confirm-email)$|\/second-factor\/?\w*$|:passkey/.test(path) &&
      // The same as for the people of an agency.
      !path.includes('/operator/people/') &&
      !mirrored.test(path),
  )
  const stops = shown.map(({ access, path }) => ({
    role: access === 'guest' || access === 'operator' ? access : ('owner' as const),
    path: path.replaceAll(/:(\w+)/g, (_match, name: string) => ids[name] ?? ''),
  }))
  return [...stops, ...further]
}
