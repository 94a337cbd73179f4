/**
 * Whether, of which changes and in which language an agency gets emails. Read when an email is sent, so a change takes effect at once.
 */
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { invalid } from '../../platform/errors.ts'
import type { EventType } from './outbox.ts'

export const languages = ['es-AR', 'en'] as const
export type MailLanguage = (typeof languages)[number]

export type Preferences = {
  /** Whether it gets emails. */
  mail: boolean
  language: MailLanguage
  /** Changes of state that it wants no email of. */
  unwanted: EventType[]
}

const defaults: Preferences = { mail: true, language: 'es-AR', unwanted: [] }
const columns = ['mail', 'language', 'unwanted'] as const

export async function getPreferences(db: Db | Tx, agencyId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('notification_preferences')
    .select(columns)
    .where('agency_id', '=', agencyId)
    .executeTakeFirst()
  return row === undefined ? { ...defaults } : (row as Preferences)
}

/** Changes the given ones. @throws ApiError 400 `language` */
export async function setPreferences(
  db: Db | Tx,
  agencyId: string,
  change: Readonly<{ mail?: boolean; language?: string | undefined; unwanted?: readonly EventType[] }>,
): Promise<Preferences> {
  const { language } = change
  if (language !== undefined && !(languages as readonly string[]).includes(language))
    throw invalid('language', `There is no language "${language}": use ${languages.join(' or ')}.`)
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const row = await db
    .insertInto('notification_preferences')
    .values({ agency_id: agencyId, ...defaults, ...given })
    // With nothing given it writes what is there: the row is returned only where it is written.
    .onConflict((conflict) =>
      conflict
        .column('agency_id')
        .doUpdateSet(({ ref }) => ({ mail: ref('notification_preferences.mail'), ...given })),
    )
    .returning(columns)
    .executeTakeFirstOrThrow()
  return row as Preferences
}
