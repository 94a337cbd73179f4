/**
 * The audit log: everything operators do, and what people do to keys and accounts. Only appended to; changes of listings have their
 * own history.
 */
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import { uuidv7 } from '../ids.ts'
import { now } from './now.ts'

export const auditActions = [
  'agency_created',
  'agency_changed',
  'agency_activated',
  'agency_deactivated',
  'key_created',
  'key_rotated',
  'key_revoked',
  'key_end_set',
  'person_invited',
  'person_link_made',
  'person_role_changed',
  'person_disabled',
  'person_enabled',
  'person_factor_removed',
  'password_changed',
  'factor_added',
  'factor_removed',
  'recovery_codes_made',
  'listing_published',
  'listing_disabled',
  'listing_reserved',
  'listing_released',
  'listing_deleted',
  'listing_restored',
  'notification_retried',
] as const
export type AuditAction = (typeof auditActions)[number]

export type Auditor = Readonly<{
  kind: 'person' | 'operator' | 'system'
  id: string | null
  name: string
  requestId: string | null
}>

export type AuditEntry = {
  id: string
  at: string
  actor_kind: string
  actor_name: string
  agency_slug: string | null
  action: AuditAction
  subject: string
  details: Record<string, unknown>
  request_id: string | null
}

/**
 * Writes an entry.
 * @param subject what was acted on, as people know it; never a secret
 */
export async function audit(
  db: Db | Tx,
  by: Auditor,
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
    })
    .execute()
}

/** A page of the log, the latest first. @param agencyId null: of all, for operators */
export async function listAudit(
  db: Db,
  agencyId: string | null,
  page: { limit: number; offset: number },
): Promise<{ entries: AuditEntry[]; hasMore: boolean }> {
  let query = db
    .selectFrom('audit_log as l')
    .leftJoin('agencies as g', 'g.id', 'l.agency_id')
    .select(['l.id', 'l.at', 'l.actor_kind', 'l.actor_name', 'g.slug as agency_slug'])
    .select(['l.action', 'l.subject', 'l.details', 'l.request_id'])
    .orderBy('l.at', 'desc')
    .orderBy('l.id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
  if (agencyId !== null) query = query.where('l.agency_id', '=', agencyId)
  const rows = (await query.execute()) as AuditEntry[]
  return { entries: rows.slice(0, page.limit), hasMore: rows.length > page.limit }
}
