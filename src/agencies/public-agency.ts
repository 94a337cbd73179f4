/** An agency as its public pages need it: the profile, whether it is shown, and the version of its pages (api.md 18.1). */
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import type { Db } from '../platform/db/database.ts'
import { type Executor, statement, shortStatement } from '../platform/db/statements/statement.ts'
import type { Row } from '../platform/db/types.ts'
import { boundedMap } from '../platform/memory/bounded-map.ts'
import type { Agency } from './agencies.ts'
import { type AgencyDetails, detailColumns } from './details.ts'
import { isSlug } from './slugs.ts'

/** The fields that lists of agencies need. */
type AgencyInBrief = Row<'agencies', 'id' | 'name' | 'slug' | 'email' | 'active'> & {
  /** Whether it is a twin: shown, but not to search engines. */
  test: boolean
  /** Raised by every write of a listing. */
  revision: number
  /** When the profile last changed, or the agency was activated or deactivated. */
  profile_changed_at: string
  /** When a listing or the profile last changed. */
  changed_at: string
  now: string
}

export type PublicAgency = AgencyInBrief &
  AgencyDetails & {
    /** The agency whose logo it shows: its own id, or for a twin, the real agency's. */
    logo_of: string
  }

const inBrief = `
  a.id, a.name, a.slug, a.email, a.active, a.test_of is not null as test, r.revision,
  a.updated_at as profile_changed_at,
  greatest(r.changed_at, a.updated_at) as changed_at`

const columns = `${inBrief}, coalesce(a.test_of, a.id) as logo_of, ${detailColumns.map((name) => `a.${name}`).join(', ')}`

const findId = statement<{ id: string }>('select id from agencies where slug = $1')
/** Empty if the agency no longer has the slug. Values: agency, slug, the clock's offset. */
const selectPublicAgency = shortStatement<PublicAgency>(`
  select ${columns}, clock_timestamp() + $3::float8 * interval '1 ms' as now
  from agencies a join agency_revisions r on r.agency_id = a.id
  where a.id = $1 and r.agency_id = $1 and a.slug = $2`)

/** The agency that last had a slug: a hint, which the statement above checks. It saves a statement per page. */
const idsBySlug = boundedMap<string, string>({ max: 10_000 })

const everyActive = statement<AgencyInBrief>(`
  select ${inBrief}, clock_timestamp() + $1::float8 * interval '1 ms' as now
  from agencies a join agency_revisions r on r.agency_id = a.id
  where a.active and a.test_of is null
  order by a.slug`)

/** The agency or twin, active or not, or null. */
export async function findPublicAgency(db: Db, slug: string, clock: Clock): Promise<PublicAgency | null> {
  if (!isSlug(slug)) return null
  const findAs = async (id: string): Promise<PublicAgency | null> =>
    (await selectPublicAgency(await db.at(id), [id, slug, clock.offsetMs]))[0] ?? null
  const known = idsBySlug.get(slug)
  const agency = known === undefined ? null : await findAs(known)
  if (agency !== null) return agency
  const [found] = await findId(db.anywhere, [slug])
  if (found === undefined) return null
  idsBySlug.set(slug, found.id)
  return await findAs(found.id)
}

/** All active agencies but twins, by slug. */
export async function findPublicAgencies(db: Db | Tx, clock: Clock): Promise<AgencyInBrief[]> {
  return await everyActive(db, [clock.offsetMs])
}

/** A twin shows the logo of its real agency. */
const selectLogoOwner = statement<Pick<Agency, 'test_of' | 'active'>>(
  'select test_of, active from agencies where id = $1 and logo = $2 and test_of is null',
)

/** The real agency with this logo, active or not, or null if it has another. */
export async function findLogoOwner(db: Executor, agencyId: string, logo: string) {
  return (await selectLogoOwner(db, [agencyId, logo]))[0] ?? null
}
