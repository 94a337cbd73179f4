/**
 * Classifies every column that could hold personal data. The export and the erasure of a person follow from this table, and a test compares
 * it with the database, so that no column is forgotten (docs/operations/personal-data.md).
 */
import type { Table } from '../../../platform/db/citus/distribution.ts'

/** Names of columns, separated by spaces. */
type Columns = string

type Classes = Readonly<{
  /** Data of one person of the dashboard, whose account the row names. An export prints it, an erasure deletes the row. */
  person?: Columns
  /** The same, but never printed: hashes, tokens and encrypted secrets. */
  secret?: Columns
  /** Names and emails of people beside other data. An erasure empties them, and the row stays. */
  naming?: Columns
  /** An agency's listings, keys and profile, with the contact details that it publishes. The agency changes and deletes these itself. */
  agency?: Columns
  /** Visitors' enquiries, encrypted, and hashes and IPs in counters. They are deleted within days, and no account refers to them. */
  passing?: Columns
  /** No personal data. */
  plain?: Columns
}>

export const personalData = {
  accounts: {
    person:
      'id agency_id role email name elsewhere language key_reminders totp_confirmed_at created_at signed_in_at disabled_at',
    secret: 'password_hash totp_secret',
  },
  account_sessions: {
    person: 'id stage user_agent address created_at seen_at expires_at',
    secret: 'token_hash pending_totp_secret',
  },
  account_links: { person: 'purpose email created_at expires_at used_at', secret: 'token_hash sealed_token' },
  account_networks: { person: 'network seen_at' },
  // The details of a notice may name another person, who created a key.
  account_notices: { person: 'kind recipient created_at', naming: 'details' },
  account_browsers: { person: 'seen_at', secret: 'browser_hash' },
  account_passkeys: { person: 'name created_at used_at', secret: 'credential_id public_key' },
  account_recovery_codes: { person: 'used_at', secret: 'code_hash' },

  audit_log: {
    naming: 'actor_name subject details',
    plain: 'actor_kind action request_id chain_hash salts digests',
  },
  listing_history: { naming: 'actor_name', agency: 'changes', plain: 'action actor_kind request_id' },
  photo_sources: { naming: 'warnings', agency: 'sources photos' },

  agencies: {
    agency:
      'name slug email phone whatsapp website address licence_number licence_college broker hours about accent logo',
  },
  api_keys: { agency: 'name prefix fingerprint scopes allowed_origins signing_secret' },
  former_slugs: { agency: 'slug' },
  properties: {
    agency:
      'public_id external_id status title description operation type price_currency price_period expenses_currency address city province location_status features amenities photos video_url video_urls virtual_tour_url rental close_reason close_currency city_folded search_folded rough_folded street_key city_key price_kind',
  },
  notification_events: { agency: 'type listing' },
  // Responses of mail servers may contain the agency's email.
  notification_deliveries: { agency: 'detail why', plain: 'channel state' },
  notification_attempts: { agency: 'detail why', plain: 'channel' },
  // Stored responses show listings; the log of requests has the `User-Agent` of an agency's program.
  idempotency_keys: { agency: 'key headers body rest', plain: 'request_hash' },
  request_log: { agency: 'path detail', plain: 'method code' },
  geocoding_cache: { agency: 'question', plain: 'provider status' },

  enquiries: { passing: 'sealed' },
  subject_usage: { passing: 'subject', plain: 'name' },

  agency_revisions: { plain: 'limits' },
  agency_usage: { plain: 'name' },
  audit_chains: { plain: 'chain hash' },
  // Invented agencies and people.
  demonstration: { plain: 'listings sealed_keys' },
  geocoding_attempts: {},
  geocoding_pace: { plain: 'provider' },
  key_reminders: {},
  key_usage: {},
  listing_visits: { plain: 'public_id' },
  notification_lanes: { plain: 'channel' },
  notification_preferences: { plain: 'language unwanted' },
  request_days: { plain: 'code' },
  schema_migrations: { plain: 'name checksum' },
  service_secrets: { plain: 'name sealed' },
  unreferenced_photos: { plain: 'photo' },
  used_signatures: { plain: 'signature' },
  version_contract: { plain: 'oldest_version' },
  backups: { plain: 'archive sha256 error' },
  used_challenges: { plain: 'challenge_hash' },
  worker_looks: { plain: 'chore' },
} as const satisfies Readonly<Record<Table, Classes>>

type PersonalData = typeof personalData

/** The tables that name people beside other data. */
export type NamingTable = {
  [Name in Table]: PersonalData[Name] extends { naming: string } ? Name : never
}[Table]

export const wordsOf = (columns: Columns | undefined): string[] => columns?.split(' ') ?? []

/** A table whose rows belong to one person each. */
type RowsOfPeople = Readonly<{
  table: Table
  /** The column with the account's id. */
  account: string
  printed: readonly string[]
}>

/** The accounts come last, because the others refer to them. */
export const rowsOfPeople: readonly RowsOfPeople[] = Object.entries<Classes>(personalData)
  .filter(([, { person }]) => person !== undefined)
  .map(([table, { person, naming }]) => ({
    table: table as Table,
    account: table === 'accounts' ? 'id' : 'account_id',
    printed: [...wordsOf(person), ...wordsOf(naming)],
  }))
  .toReversed()
