/**
 * The append-only audit log: actions of operators, changes of keys and accounts, and sign-ins. Changes of listings have their own history.
 * A worker chains the entries (chain.ts).
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Tx } from '../../platform/db/statements/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/types.ts'
import { reaper } from '../../platform/db/upkeep/reaper.ts'
import { uuidv7 } from '../../platform/names/ids.ts'
import { signInDays } from '../../limits/sizes.ts'
import { fromNow, now } from '../../platform/db/statements/now.ts'
import type { Actor } from '../../writing/actor.ts'

/** Kept forever: people cause them, so they are few, and nothing else records who did it. */
export const acts = [
  'agency_created',
  'agency_imported',
  'agency_changed',
  'agency_email_asked',
  'agency_email_cancelled',
  'agency_activated',
  'agency_deactivated',
  'agency_limits_changed',
  'test_reset',
  'key_created',
  'key_rotated',
  'key_revoked',
  'key_end_set',
  'person_invited',
  'person_link_made',
  'person_role_changed',
  'person_disabled',
  'person_enabled',
  'person_erased',
  'person_factor_removed',
  'invitation_accepted',
  'password_changed',
  'password_reset',
  'password_removed',
  'factor_added',
  'factor_removed',
  'recovery_codes_made',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'profile_changed',
  'sessions_ended',
  'person_sessions_ended',
  'listing_created',
  'listing_edited',
  'listing_published',
  'listing_disabled',
  'listing_reserved',
  'listing_released',
  'listing_deleted',
  'listing_restored',
  'listing_mended',
  'listing_place_shown',
  'listing_photos_changed',
  'notification_retried',
  'addresses_recomputed',
  'demonstration_filled',
  'secrets_resealed',
] as const

/** Entries of sign-ins, with the IP: deleted after `signInDays`. */
export const signIns = [
  'signed_in',
  'sign_in_failed',
  'factor_failed',
  'passkey_refused',
  'reset_requested',
] as const

export type AuditAction = (typeof acts)[number] | (typeof signIns)[number]

/** Keys cause no entries: their writes are in the histories of listings. */
export type AuditActor = Actor & Readonly<{ kind: Exclude<Actor['kind'], 'key'> }>

/** `actor_name` and `subject` are null if the person was erased. */
export type AuditEntry = Row<
  'audit_log',
  'id' | 'at' | 'actor_kind' | 'actor_name' | 'subject' | 'request_id'
> & {
  agency_slug: string | null
  action: AuditAction
  details: Record<string, unknown>
}

/** Writes an entry. @param subject what was acted on, in words for people; never a secret */
export async function audit(
  db: Db | Tx,
  by: AuditActor,
  entry: Readonly<{
    action: AuditAction
    agencyId: string | null
    subject: string
    details?: Record<string, unknown>
  }>,
  clock: Clock,
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({
      id: uuidv7(),
      at: now(clock),
      actor_kind: by.kind,
      actor_id: by.id,
      actor_name: by.name,
      agency_id: entry.agencyId,
      action: entry.action,
      subject: entry.subject,
      details: entry.details ?? {},
      request_id: by.requestId,
      expires_at: signIns.some((one) => one === entry.action) ? fromNow(clock, signInSeconds) : null,
    })
    .execute()
}

export const signInSeconds = signInDays * 86_400

export type AuditView = 'acts' | 'sign-ins'

/** Null leaves a condition out. */
export type AuditFilter = Readonly<{
  /** Part of the actor's name. */
  who: string | null
  action: AuditAction | null
  /** Part of the subject. */
  subject: string | null
  /** Part of the agency's slug or name. */
  agency: string | null
  /** ISO 8601; the first is included, the second is not. */
  from: string | null
  before: string | null
}>

type AuditPage = Readonly<{ view: AuditView; limit: number; offset: number; filter?: Partial<AuditFilter> }>
type SearchedColumn = 'l.actor_name' | 'l.subject' | 'g.slug' | 'g.name'

/** A page of the log, latest first. @param agencyId null: all agencies, for operators */
export async function listAudit(db: Db, agencyId: string | null, page: AuditPage) {
  const rows = (await selectAudit(db, agencyId, page).execute()) as AuditEntry[]
  return { entries: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}

/** The page and one more entry. Each view has an index, for one agency and for all. */
export function selectAudit(db: Db, agencyId: string | null, page: AuditPage) {
  const { view, limit, offset, filter = {} } = page
  return db
    .selectFrom('audit_log as l')
    .leftJoin('agencies as g', 'g.id', 'l.agency_id')
    .select(['l.id', 'l.at', 'l.actor_kind', 'l.actor_name', 'g.slug as agency_slug'])
    .select(['l.action', 'l.subject', 'l.details', 'l.request_id'])
    .where('l.expires_at', view === 'acts' ? 'is' : 'is not', null)
    .orderBy('l.at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .where(({ eb, fn, val, and, or }) => {
      const holds = (part: string, columns: readonly SearchedColumn[]) =>
        or(columns.map((name) => eb(fn('strpos', [fn('lower', [name]), val(part.toLowerCase())]), '>', 0)))
      const { who, action, subject, agency, from, before } = filter
      const conditions = [
        agencyId !== null && eb('l.agency_id', '=', agencyId),
        who != null && holds(who, ['l.actor_name']),
        subject != null && holds(subject, ['l.subject']),
        agency != null && holds(agency, ['g.slug', 'g.name']),
        action != null && eb('l.action', '=', action),
        from != null && eb('l.at', '>=', from),
        before != null && eb('l.at', '<', before),
      ]
      return and(conditions.filter((one) => one !== false))
    })
}

/** Deletes sign-ins only: an action has no `expires_at`. */
export const reapAudit = reaper({ table: 'audit_log', key: 'id', column: 'expires_at' })
