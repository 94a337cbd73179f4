/**
 * Whether and in which language an agency gets emails of changes. Read when an email is sent, so a change takes effect at once.
 */
import type { Tx } from '../db/connection.ts'
import type { Db } from '../db/database.ts'
import { invalid } from '../errors.ts'

export const languages = ['es-AR', 'en'] as const
export type MailLanguage = (typeof languages)[number]

export type Preferences = {
  /** Whether it gets emails. */
  mail: boolean
  language: MailLanguage
}

const defaults: Preferences = { mail: true, language: 'es-AR' }

export async function getPreferences(db: Db | Tx, agencyId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('notification_preferences')
    .select(['mail', 'language'])
    .where('agency_id', '=', agencyId)
    .executeTakeFirst()
  return row === undefined ? { ...defaults } : { mail: row.mail, language: row.language as MailLanguage }
}

/** Changes the given ones. @throws ApiError 400 `language` */
export async function setPreferences(
  db: Db | Tx,
  agencyId: string,
  change: Readonly<{ mail?: boolean; language?: string }>,
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
    .returning(['mail', 'language'])
    .executeTakeFirstOrThrow()
  return { mail: row.mail, language: row.language as MailLanguage }
}
