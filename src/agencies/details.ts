/** The contents of an agency's public pages besides its name and email: contact details, licence, office hours and appearance. */
import type { Clock } from '../platform/time/clock.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import { type Db, violatedConstraint } from '../platform/db/database.ts'
import { readNow } from '../platform/db/statements/now.ts'
import type { Row } from '../platform/db/types.ts'
import { within } from '../platform/db/statements/transaction.ts'
import { type ApiError, invalid } from '../platform/errors/errors.ts'
import { profileSizes } from '../limits/sizes.ts'
import { agencyThenTwin, noSuchId } from './agencies.ts'
import { checkHours, type Hours } from './hours.ts'

export const detailColumns = [
  // With country code and spaces, for people.
  'phone',
  'whatsapp',
  'website',
  'address',
  // The broker's registration and the college that keeps it: both or neither.
  'licence_number',
  'licence_college',
  // The licensed broker responsible for the agency.
  'broker',
  'hours',
  // May have several lines.
  'about',
  // `#rrggbb`
  'accent',
  // Name of a stored picture (profile.ts).
  'logo',
  'takes_enquiries',
] as const

export type AgencyDetails = Omit<Row<'agencies', (typeof detailColumns)[number]>, 'hours'> & {
  hours: Hours | null
}

/** @throws ApiError 404 when there is no such agency. */
export async function getAgencyDetails(db: Db | Tx, agencyId: string): Promise<AgencyDetails> {
  const row = await db
    .selectFrom('agencies')
    .select(detailColumns)
    .where('id', '=', agencyId)
    .executeTakeFirst()
  return (row as AgencyDetails | undefined) ?? noSuchId()
}

/**
 * Changes the given details, and the twin's too; null removes one.
 * @throws ApiError 400 naming what is wrong.
 */
export async function setAgencyDetails(
  db: Db | Tx,
  agencyId: string,
  changes: Partial<AgencyDetails>,
  clock: Clock,
): Promise<void> {
  const checked = storedDetails(checkDetails(changes))
  if (Object.keys(changes).length === 0) return
  await within(db, async (tx) => {
    const now = await readNow(tx, clock)
    for (const column of agencyThenTwin) {
      await tx
        .updateTable('agencies')
        .set({ ...checked, updated_at: now })
        .where(column, '=', agencyId)
        .execute()
        .catch((error: unknown) => {
          throw violatedConstraint(error) === 'agencies_licence_check' ? halfLicence(changes) : error
        })
    }
  })
}

/** Values for the driver, which would turn a list into a PostgreSQL array. */
export function storedDetails<Given extends Partial<AgencyDetails>>({ hours, ...others }: Given) {
  return hours === undefined ? others : { ...others, hours: hours === null ? null : JSON.stringify(hours) }
}

const texts = ['address', 'licence_number', 'licence_college', 'broker', 'about'] as const

/** @returns the stored form @throws ApiError 400 */
function checkDetails(changes: Partial<AgencyDetails>): Partial<AgencyDetails> {
  checkNumber('phone', changes.phone)
  checkNumber('whatsapp', changes.whatsapp)
  checkWebsite(changes.website)
  for (const name of texts) checkText(name, changes[name])
  if (changes.accent != null && !/^#[0-9a-f]{6}$/.test(changes.accent))
    throw invalid('accent', `"${changes.accent}" is not a colour such as #1f5a4c.`, 'colour_odd')
  return changes.hours === undefined ? changes : { ...changes, hours: checkHours(changes.hours) }
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
    website.length <= profileSizes.website &&
    /^https?:\/\/[^\s/?#]/.test(website) &&
    !/\s/.test(website) &&
    URL.canParse(website) &&
    // `https://known.example@elsewhere.example` leads elsewhere.
    new URL(website).username === ''
  )
    return
  throw invalid('website', `"${website}" is not a URL that starts with https:// or http://.`, 'website_odd')
}

/** Rejects characters that hide or reorder text; only `about` may have line breaks. */
function checkText(name: (typeof texts)[number], text: string | null | undefined): void {
  if (text == null) return
  const max = profileSizes[name]
  if ([...text].length > max) throw invalid(name, `${name} is longer than ${max} characters.`, 'text_long')
  const lines = name === 'about' ? text.replaceAll(/\r?\n/g, '') : text
  if (text.trim() === '' || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(lines) || !text.isWellFormed())
    throw invalid(name, `${name} must not be empty or have control characters.`, 'text_odd')
}

function halfLicence({ licence_number: number }: Partial<AgencyDetails>): ApiError {
  const lacking = number == null ? 'licence_number' : 'licence_college'
  return invalid(lacking, 'Give both the licence number and its college.', 'licence_half')
}
