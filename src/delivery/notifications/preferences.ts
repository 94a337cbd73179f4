/**
 * An agency's mail preferences: on or off, kinds of changes, and language. Read when a mail is sent, so a change takes effect at once.
 */
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { invalid } from '../../platform/errors/errors.ts'
import type { EventType } from './outbox.ts'

export const mailLanguages = ['es-AR', 'en'] as const
export type MailLanguage = (typeof mailLanguages)[number]

export type Preferences = {
  /** Whether the agency gets mails. */
  mail: boolean
  language: MailLanguage
  /** State changes without a mail. */
  unwanted: EventType[]
}

/** The preferences of an agency that has chosen none. */
export const defaultPreferences: Preferences = { mail: true, language: 'es-AR', unwanted: [] }
const columns = ['mail', 'language', 'unwanted'] as const

export async function getPreferences(db: Db | Tx, agencyId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('notification_preferences')
    .select(columns)
    .where('agency_id', '=', agencyId)
    .executeTakeFirst()
  return row === undefined ? { ...defaultPreferences } : (row as Preferences)
}

/** Changes the given preferences. @throws ApiError 400 `language` */
export async function setPreferences(
  db: Db | Tx,
  agencyId: string,
  change: Readonly<{ mail?: boolean; language?: string | undefined; unwanted?: readonly EventType[] }>,
): Promise<Preferences> {
  const { language } = change
  if (language !== undefined && !(mailLanguages as readonly string[]).includes(language))
    throw invalid('language', `There is no language "${language}": use ${mailLanguages.join(' or ')}.`)
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const row = await db
    .insertInto('notification_preferences')
    .values({ agency_id: agencyId, ...defaultPreferences, ...given })
    // Without changes it rewrites the current values: only a written row is returned.
    .onConflict((conflict) =>
      conflict
        .column('agency_id')
        .doUpdateSet(({ ref }) => ({ mail: ref('notification_preferences.mail'), ...given })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as Preferences
}
