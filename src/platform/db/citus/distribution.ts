/**
 * The tables that are distributed by agency on Citus, in an order that their foreign keys allow. Every table is in one of
 * the lists; test/platform/db/citus/distribution.test.ts compares them with the migrations.
 */

/** Tables on every node: rows of agencies refer to them, and requests need them before their agency is known. */
export const referenceTables = ['agencies', 'api_keys'] as const

/** Tables distributed by `agency_id`, all rows of an agency on one node. The others are colocated with the first. */
export const distributedTables = [
  'agency_revisions',
  'properties',
  'listing_history',
  'photo_sources',
  'unreferenced_photos',
  'key_usage',
  'agency_usage',
  'idempotency_keys',
  'used_signatures',
  'geocoding_attempts',
  'notification_events',
  'notification_deliveries',
  'notification_lanes',
  'notification_attempts',
  'notification_preferences',
  'request_log',
  'request_days',
  'listing_visits',
] as const

/** Tables on the coordinator alone: people, the operator's log, and rows that no agency owns. */
export const localTables = [
  'account_browsers',
  'account_links',
  'account_networks',
  'account_notices',
  'account_passkeys',
  'account_recovery_codes',
  'account_sessions',
  'accounts',
  'audit_chains',
  'audit_log',
  'backups',
  'demonstration',
  'enquiries',
  'former_slugs',
  'geocoding_cache',
  'geocoding_pace',
  'key_reminders',
  'schema_migrations',
  'service_secrets',
  'subject_usage',
  'used_challenges',
  'version_contract',
  'worker_looks',
] as const

export type Table = (typeof referenceTables | typeof distributedTables | typeof localTables)[number]

/** Enough to spread over some dozens of nodes, and few enough for quick plans of statements on all of them. */
export const usualShardCount = 64

/** Whether its rows are spread over the nodes, by agency. */
export function isOfAgencies(table: string): boolean {
  return (distributedTables as readonly string[]).includes(table)
}
