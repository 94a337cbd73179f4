/**
 * An agency's contact details on its public pages, besides its email.
 */
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { readNow } from '../db/now.ts'
import { within } from '../db/transaction.ts'
import { invalid } from '../errors.ts'
import { agencyThenTwin, getAgency } from './agencies.ts'

export type AgencyContact = {
  /** With country code and spaces, as people read it. */
  phone: string | null
  whatsapp: string | null
  /** http or https. */
  website: string | null
}

/** @throws ApiError 404 when no agency has the slug. */
export async function getAgencyContact(db: Db | Tx, slug: string): Promise<AgencyContact> {
  const { id } = await getAgency(db, slug)
  return await db
    .selectFrom('agencies')
    .select(['phone', 'whatsapp', 'website'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/**
 * Changes the given fields, of the agency's twin too; null removes one.
 * @throws ApiError 400 `phone`, `whatsapp` or `website`; 404 when no agency has the slug.
 */
export async function setAgencyContact(
  db: Db | Tx,
  slug: string,
  changes: Partial<AgencyContact>,
  clock: Clock,
): Promise<AgencyContact> {
  checkNumber('phone', changes.phone)
  checkNumber('whatsapp', changes.whatsapp)
  checkWebsite(changes.website)
  if (Object.keys(changes).length === 0) return await getAgencyContact(db, slug)
  return await within(db, async (tx) => {
    const { id } = await getAgency(tx, slug)
    const now = await readNow(tx, clock)
    for (const column of agencyThenTwin) {
      await tx
        .updateTable('agencies')
        .set({ ...changes, updated_at: now })
        .where(column, '=', id)
        .execute()
    }
    return await getAgencyContact(tx, slug)
  })
}

function checkNumber(name: string, number: string | null | undefined): void {
  if (number == null || /^\+\d[\d ()-]{6,28}\d$/.test(number)) return
  throw invalid(
    name,
    `"${number}" is not a phone number with its country code, such as +54 11 5555-0142.`,
    'phone_odd',
  )
}

function checkWebsite(website: string | null | undefined): void {
  if (website == null) return
  if (
    website.length <= 300 &&
    /^https?:\/\/[^\s/?#]/.test(website) &&
    !/\s/.test(website) &&
    URL.canParse(website)
  )
    return
  throw invalid('website', `"${website}" is not a URL that starts with https:// or http://.`, 'website_odd')
}
