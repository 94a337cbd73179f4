/**
 * The hashes of the audit log's chains (docs/security.md). They are computed here and not in the database: someone who controls only the
 * database cannot replace the check. A change of these functions or columns makes every chain invalid. Hashes and salts are hex here.
 */
import { hash } from 'node:crypto'

/** The fields that a chain covers. All are texts, even the times, so that a hash does not depend on how a value is parsed. */
export type ChainedFields = Readonly<{
  id: string
  /** ISO 8601 to the microsecond, which is the database's precision. */
  moment: string
  actor_kind: string
  actor_id: string | null
  actor_name: string | null
  agency_id: string | null
  action: string
  subject: string | null
  details: string
  request_id: string | null
  expires_at: string | null
}>

const inMicroseconds = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** SQL: the columns of `ChainedFields`, from the table `l`. PostgreSQL writes equal details as equal text. */
export const chainedColumns = `
  l.id, ${inMicroseconds('l.at')} as moment, l.actor_kind, l.actor_id, l.actor_name, l.agency_id, l.action, l.subject,
  l.details::text as details, l.request_id, ${inMicroseconds('l.expires_at')} as expires_at`

/** The personal fields, in the order of the columns `salts` and `digests`. */
export function personalFields({ actor_name, subject, details }: ChainedFields) {
  return [actor_name, subject, details] as const
}

/** @param salt 16 random bytes, as hex. Without it, a field cannot be guessed from its digest */
export function digestOf(salt: string, field: string | null): string {
  return hash('sha256', `${salt} ${JSON.stringify(field)}`)
}

/** @param previous the hash of the entry before; empty for the first */
export function hashOf(
  previous: string,
  number: number,
  entry: ChainedFields,
  digests: readonly string[],
): string {
  const { id, moment, actor_kind, actor_id, agency_id, action, request_id, expires_at } = entry
  const open = [id, moment, actor_kind, actor_id, agency_id, action, request_id, expires_at]
  return hash('sha256', `${previous} ${JSON.stringify([number, ...open, ...digests])}`)
}
