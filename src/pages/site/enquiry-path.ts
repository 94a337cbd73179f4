/** Where the form to ask an agency something is, and whether there is one. */
import type { PublicAgency } from '../../agencies/public-agency.ts'
import type { Deps } from '../../deps.ts'
import { agencyPath, listingPath } from './site.ts'

/** Whether the agency's pages have the form. */
export function takesEnquiries({ mailer }: Pick<Deps, 'mailer'>, agency: PublicAgency): boolean {
  return mailer !== null && agency.email !== null && agency.takes_enquiries
}

/** The Spanish path of the form. */
export function enquiryPath(slug: string, code: string | null): string {
  return `${code === null ? agencyPath(slug) : listingPath(slug, code)}/consulta`
}
