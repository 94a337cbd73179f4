/** The agency that the option `--agency` names, for commands that cannot be about a test environment. */
import { type Agency, getAgency } from '../../agencies/agencies.ts'
import { followsText, originalSlug } from '../../agencies/twins.ts'
import type { Db } from '../../platform/db/database.ts'
import { CommandError } from './command.ts'

/** @throws ApiError 404 when no agency has the slug; CommandError when it is a twin's */
export async function getNamedAgency(db: Db, slug: string): Promise<Agency> {
  const agency = await getAgency(db, slug)
  if (agency.test_of === null) return agency
  throw new CommandError(`${followsText(slug)} Use --agency ${originalSlug(slug)}.`)
}
