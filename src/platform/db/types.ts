/**
 * The tables that Kysely's builder is used on, as the migrations make them, where their comments are. Generated: `npm run db:types` writes
 * this file.
 */
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Has a default, so an insert may leave it out. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

/** Read as parsed JSON. Written as an object or as JSON text; an array must be written as text, or pg makes it a PostgreSQL array. */
type Json = ColumnType<unknown, object | string, object | string>

export interface AccountLinks {
  token_hash: Buffer
  account_id: string
  purpose: string
  agency_id: string | null
  email: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  sealed_token: Buffer | null
  mail_due_at: string | null
  mail_failures: Generated<number>
}

export interface AccountNetworks {
  account_id: string
  network: string
  seen_at: string
}

export interface AccountNotices {
  id: string
  account_id: string
  kind: string
  details: Generated<Json>
  recipient: string | null
  created_at: string
  due_at: string
  failures: Generated<number>
}

export interface AccountRecoveryCodes {
  account_id: string
  code_hash: Buffer
  used_at: string | null
}

export interface AccountSessions {
  id: string
  account_id: string
  token_hash: Buffer
  stage: string
  pending_totp_secret: Buffer | null
  user_agent: string
  address: string
  created_at: string
  seen_at: string
  expires_at: string
}

export interface Accounts {
  id: string
  agency_id: string | null
  role: string
  email: string
  elsewhere: Generated<boolean>
  name: string
  language: string | null
  key_reminders: Generated<boolean>
  password_hash: string | null
  totp_secret: Buffer | null
  totp_confirmed_at: string | null
  totp_last_step: number | null
  created_at: string
  signed_in_at: string | null
  disabled_at: string | null
}

export interface Agencies {
  id: string
  name: string
  slug: string
  active: Generated<boolean>
  test_of: string | null
  profile_version: Generated<number>
  email: string | null
  phone: string | null
  whatsapp: string | null
  website: string | null
  address: string | null
  licence_number: string | null
  licence_college: string | null
  broker: string | null
  hours: Json | null
  about: string | null
  accent: string | null
  logo: string | null
  takes_enquiries: Generated<boolean>
  created_at: string
  updated_at: string
}

export interface AgencyRevisions {
  agency_id: string
  revision: Generated<number>
  changed_at: string
  is_test: Generated<boolean>
  limits: Json | null
  hour: Generated<string>
  hour_new_listings: Generated<number>
  day: Generated<string>
  day_new_listings: Generated<number>
}

export interface ApiKeys {
  id: string
  agency_id: string
  name: string
  prefix: string
  fingerprint: Buffer
  scopes: string[]
  allowed_origins: Generated<string[]>
  signature_required: Generated<boolean>
  signing_secret: Buffer | null
  created_at: string
  expires_at: string | null
  revokes_at: string | null
  revoked_at: string | null
}

export interface AuditLog {
  id: string
  at: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  agency_id: string | null
  action: string
  subject: string
  details: Generated<Json>
  request_id: string | null
  expires_at: string | null
}

export interface Enquiries {
  id: string
  agency_id: string
  created_at: string
  due_at: string
  failures: Generated<number>
  sealed: Buffer | null
}

export interface FormerSlugs {
  slug: string
  agency_id: string
  given_up_at: string
}

export interface GeocodingCache {
  provider: string
  question: string
  lat: number | null
  lng: number | null
  status: string | null
  kept_until: string
}

export interface GeocodingPace {
  provider: string
  free_at: string
}

export interface KeyUsage {
  agency_id: string
  key_id: string
  minute: string
  day: string
  minute_reads: number
  minute_writes: number
  day_reads: number
  day_writes: number
}

export interface ListingHistory {
  agency_id: string
  property_id: string
  revision: number
  at: string
  action: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  request_id: string | null
  changes: Generated<Json>
}

export interface NotificationAttempts {
  agency_id: string
  event_id: string
  channel: string
  number: number
  at: string
  duration_ms: number
  succeeded: boolean
  status: number | null
  detail: string | null
  why: Json | null
}

export interface NotificationDeliveries {
  agency_id: string
  event_id: string
  channel: string
  lane: string
  revision: number
  state: Generated<string>
  attempts: Generated<number>
  first_attempt_at: string | null
  ended_at: string | null
  detail: string | null
  why: Json | null
}

export interface NotificationEvents {
  agency_id: string
  id: string
  property_id: string
  sequence: number
  type: string
  revision: number
  at: string
  listing: Json
}

export interface NotificationLanes {
  agency_id: string
  channel: string
  lane: string
  version: Generated<number>
  due_at: string | null
  token: string | null
  failures: Generated<number>
  rests_until: string | null
}

export interface NotificationPreferences {
  agency_id: string
  mail: boolean
  language: string
  unwanted: Generated<string[]>
}

export interface Properties {
  agency_id: string
  id: string
  public_id: string
  external_id: string | null
  version: number
  status: string
  title: string | null
  description: string | null
  operation: string | null
  type: string | null
  price_amount: number | null
  price_currency: string | null
  price_period: string | null
  price_on_request: Generated<boolean>
  expenses_amount: number | null
  expenses_currency: string | null
  address: string | null
  city: string | null
  province: string | null
  lat: number | null
  lng: number | null
  location_status: string | null
  place_blurred: Generated<boolean>
  features: Generated<Json>
  amenities: Generated<string[]>
  photos: Generated<string[]>
  video_url: string | null
  video_urls: Generated<string[]>
  virtual_tour_url: string | null
  rental: Json | null
  reserved: Generated<boolean>
  close_reason: string | null
  closed_at: string | null
  close_amount: number | null
  close_currency: string | null
  published_at: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  city_folded: Generated<string>
  search_folded: Generated<string>
  rough_folded: string | null
  street_key: string | null
  city_key: string | null
  address_rules: Generated<number>
  sought_version: number | null
  bedrooms: GeneratedAlways<number | null>
  bathrooms: GeneratedAlways<number | null>
  main_m2: GeneratedAlways<number | null>
  price_kind: GeneratedAlways<string>
  listed_at: GeneratedAlways<string | null>
}

export interface SubjectUsage {
  subject: string
  name: string
  ends_at: string
  used: number
}

export interface DB {
  account_links: AccountLinks
  account_networks: AccountNetworks
  account_notices: AccountNotices
  account_recovery_codes: AccountRecoveryCodes
  account_sessions: AccountSessions
  accounts: Accounts
  agencies: Agencies
  agency_revisions: AgencyRevisions
  api_keys: ApiKeys
  audit_log: AuditLog
  enquiries: Enquiries
  former_slugs: FormerSlugs
  geocoding_cache: GeocodingCache
  geocoding_pace: GeocodingPace
  key_usage: KeyUsage
  listing_history: ListingHistory
  notification_attempts: NotificationAttempts
  notification_deliveries: NotificationDeliveries
  notification_events: NotificationEvents
  notification_lanes: NotificationLanes
  notification_preferences: NotificationPreferences
  properties: Properties
  subject_usage: SubjectUsage
}
