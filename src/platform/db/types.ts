/**
 * The tables, as the migrations make them. Generated: `npm run db:types` writes this file.
 */
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Has a default, so an insert may leave it out. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

/** Read as parsed JSON. Written as an object or as JSON text; an array must be written as text, or pg makes it a PostgreSQL array. */
type Json = ColumnType<unknown, object | string, object | string>

/** Links that are sent by mail and work once: invitations, password resets, confirmations of an agency's new email. Only a hash of each is stored. */
export interface AccountLinks {
  token_hash: Buffer
  /** The account whose password the link sets; for an agency's email, the person who entered it. */
  account_id: string
  purpose: string
  /** The agency whose new email the link confirms, one at a time; null for other purposes. */
  agency_id: string | null
  /** The email to confirm, which is where the link is sent. */
  email: string | null
  created_at: string
  expires_at: string
  used_at: string | null
  /** The link's token, encrypted with SECRET_KEY, until the mail server has accepted the mail. */
  sealed_token: Buffer | null
  /** When the mail is tried next, or when another worker may take it; null: no mail, accepted, or given up. */
  mail_due_at: string | null
  /** Failed attempts to send it. */
  mail_failures: Generated<number>
}

/** Networks from which an account signed in during the last 90 days. Attempts by strangers elsewhere do not lock it out there. */
export interface AccountNetworks {
  account_id: string
  /** An IPv4 address, or the /64 of an IPv6 one. */
  network: string
  seen_at: string
}

/** Mails about changes of people's accounts and their agencies' keys, until the mail server has accepted them. */
export interface AccountNotices {
  id: string
  account_id: string
  kind: string
  details: Generated<Json>
  /** The email that the agency had before, if the notice goes there instead of to the account. */
  recipient: string | null
  created_at: string
  /** When the mail is tried next, or when another worker may take it. */
  due_at: string
  /** Failed attempts to send it. */
  failures: Generated<number>
}

/** Codes that replace a lost second factor. Each works once. */
export interface AccountRecoveryCodes {
  account_id: string
  /** SHA-256 of the account's id and the code, which has 50 random bits and limited attempts. */
  code_hash: Buffer
  used_at: string | null
}

/** Sessions of people who are signed in. Deleted when they end. */
export interface AccountSessions {
  id: string
  account_id: string
  /** SHA-256 of the cookie's 256 random bits. The token itself is never stored. */
  token_hash: Buffer
  /** `password`: the second factor is still to come, and nothing else is open. */
  stage: string
  /** Secret of a second factor that is being turned on, encrypted with SECRET_KEY. The account gets it with its first code. */
  pending_totp_secret: Buffer | null
  user_agent: string
  /** The IP that signed in. */
  address: string
  created_at: string
  seen_at: string
  expires_at: string
}

/** The people of the dashboard: members of one agency each, or operators. Found by email before the agency is known. */
export interface Accounts {
  id: string
  agency_id: string | null
  role: string
  /** In lower case. */
  email: string
  /** Invited by an email that has its account in another agency. The agency sees an ordinary invitation, and nobody can sign in with this row. */
  elsewhere: Generated<boolean>
  name: string
  /** Language of pages and mails; null: the browser decides. */
  language: string | null
  /** Whether an owner is reminded by mail that a key expires. */
  key_reminders: Generated<boolean>
  /** argon2id, in the usual notation; null until the invitation is accepted. */
  password_hash: string | null
  /** Secret of the second factor, encrypted with SECRET_KEY; null while it is off. */
  totp_secret: Buffer | null
  totp_confirmed_at: string | null
  /** Time step of the last accepted code. None is accepted twice. */
  totp_last_step: number | null
  created_at: string
  signed_in_at: string | null
  disabled_at: string | null
}

/** The real-estate agencies, which are the tenants. Never deleted. */
export interface Agencies {
  id: string
  name: string
  /** Names the agency in public URLs and on the command line. */
  slug: string
  /** False: every key of the agency gets 403 agency_not_active. */
  active: Generated<boolean>
  /** The agency whose test keys see this one, which exists for nothing else; null: a real agency. */
  test_of: string | null
  /** Raised when name or slug change, because both are part of every listing and so of its ETag. */
  profile_version: Generated<number>
  /** Receives notifications of state changes, and is shown to visitors; null: none. */
  email: string | null
  /** Shown on the public pages as written, with its country code. */
  phone: string | null
  /** The number for WhatsApp, shown as written, with its country code. */
  whatsapp: string | null
  /** The URL of the agency's own site, shown on its public page. */
  website: string | null
  /** The office's address as written, shown on the public pages. */
  address: string | null
  /** The broker's licence (matrícula), which the law requires on every offer. */
  licence_number: string | null
  /** The college that issued the licence, such as CUCICBA. */
  licence_college: string | null
  /** Name of the licensed broker responsible for the agency. */
  broker: string | null
  /** Opening hours: for each day from Monday on, up to two pairs of HH:MM. Null: unknown. */
  hours: Json | null
  /** The agency's description of itself, as plain text. */
  about: string | null
  /** The colour that the agency chose; its pages show a legible shade of it. */
  accent: string | null
  /** Name of the picture, stored as photos of listings are. A test agency has its agency's. */
  logo: string | null
  /** Whether its public pages have an enquiry form. */
  takes_enquiries: Generated<boolean>
  created_at: string
  updated_at: string
}

/** One narrow row per agency: the lock that each of its writes takes, the number that ETags of lists come from, and the counters of new listings. */
export interface AgencyRevisions {
  agency_id: string
  /** Raised by one for each write of a listing, in the same transaction. */
  revision: Generated<number>
  /** Moment of the last write. The next one is always later, so updated_at never goes back. */
  changed_at: string
  /** Whether agencies.test_of is set, repeated where every write reads it: changes in test agencies notify nobody. */
  is_test: Generated<boolean>
  /** Limits of this agency and its keys that differ from the defaults: {name: {max, until}}, until null for no end; null: none. Here, because admission and every write read this row. */
  limits: Json | null
  /** Start of the UTC hour that hour_new_listings counts. */
  hour: Generated<string>
  hour_new_listings: Generated<number>
  /** Start of the UTC day that day_new_listings counts. */
  day: Generated<string>
  day_new_listings: Generated<number>
}

/** How much of its other limits an agency used in the current window: one row per limit. */
export interface AgencyUsage {
  agency_id: string
  name: string
  /** End of the window that `used` counts. */
  ends_at: string
  used: number
}

/** Keys of the API. Found by fingerprint before the agency is known. Revoked keys stay, because the history names them. */
export interface ApiKeys {
  id: string
  agency_id: string
  name: string
  /** The beginning that is shown after creation: the fixed prefix and the first 4 characters of the secret part. */
  prefix: string
  /** SHA-256 of the whole key. The key itself is never stored. */
  fingerprint: Buffer
  scopes: string[]
  allowed_origins: Generated<string[]>
  signature_required: Generated<boolean>
  /** Signs requests; encrypted with SECRET_KEY. */
  signing_secret: Buffer | null
  created_at: string
  /** Null: never. Keys with write scope get one year, keys with a leads scope at most 90 days. */
  expires_at: string | null
  /** When a rotated key is revoked automatically; null: by hand. */
  revokes_at: string | null
  revoked_at: string | null
}

/** Actions of people other than changes of listings: everything that operators do, changes of keys and accounts, and sign-ins. Append-only. Actions are kept for ever: they are made by hand, so they grow slowly, and nothing else says who did them. */
export interface AuditLog {
  id: string
  /** In microseconds, which order two entries of one millisecond. */
  at: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  agency_id: string | null
  action: string
  /** The readable name of what was acted on: an email, a slug, the beginning of a key. Never a secret. */
  subject: string
  details: Generated<Json>
  request_id: string | null
  /** When the entry of a sign-in is deleted; null: never. */
  expires_at: string | null
}

/** Progress of the demonstration data: one row, or none if the database was never filled with it. */
export interface Demonstration {
  only_row: Generated<boolean>
  started_at: string
  /** Null: the fill is running or was interrupted; the next start resumes it. */
  finished_at: string | null
  /** Names of the listings that are done, each added by its listing's transaction; emptied at the end. */
  listings: Generated<string[]>
  /** Keys and passwords of the demonstration, encrypted with SECRET_KEY, to be shown at every start. */
  sealed_keys: Buffer | null
}

/** Visitors' enquiries to agencies, until the mail server has accepted them; for at most 3 days. The worker finds them before the agency is known. */
export interface Enquiries {
  /** The form's id: the same form sent twice makes one enquiry. */
  id: string
  agency_id: string
  created_at: string
  /** When the mail is tried next, or when another worker may take it. */
  due_at: string
  /** Failed attempts to send it. */
  failures: Generated<number>
  /** The enquiry and its sender, encrypted with SECRET_KEY; null: sent, or undeliverable. */
  sealed: Buffer | null
}

/** Slugs that agencies gave up. Their URLs redirect until another agency has the slug, and for a year none can take it. Kept for ever: an agency adds few. */
export interface FormerSlugs {
  slug: string
  /** The last agency that had it. */
  agency_id: string
  given_up_at: string
}

/** When the geocoder is asked again for listings that it did not find. */
export interface GeocodingAttempts {
  agency_id: string
  property_id: string
  /** The listing's version at the last attempt. A listing changed since is tried at once. */
  version: number
  /** How many times in a row the geocoder could not be asked. */
  attempts: number
  next_attempt_at: string
}

/** Responses of geocoders: where a place is, or that it is unknown. Public facts, shared by all agencies. */
export interface GeocodingCache {
  provider: string
  /** Hash of the query as the geocoder receives it, so that spellings share a response. */
  question: string
  lat: number | null
  lng: number | null
  /** `resolved` or `approximate`; null: the geocoder does not know the place. */
  status: string | null
  kept_until: string
}

/** Spaces the requests of all instances to a geocoder: one row for each that requires it. */
export interface GeocodingPace {
  provider: string
  /** When the next request may be sent. */
  free_at: string
}

/** Each Idempotency-Key with its request and the response to replay. Without a status the request is still running. The response to a write of listings is kept by reference: the listings and their history give it again. */
export interface IdempotencyKeys {
  agency_id: string
  key: string
  /** SHA-256 of method, path and canonical body. */
  request_hash: Buffer
  /** Held by the request that claimed the key. One that lost its lease to a retry can no longer store a response. */
  token: string
  /** A claim without a response is free again then: its process died. */
  lease_until: string
  expires_at: string
  status: number | null
  headers: Json | null
  /** The whole response; null: kept by reference, or not there yet. */
  body: string | null
  /** The listing in the response, at `revision`; null: kept whole, or the response to a batch. */
  property_id: string | null
  revision: number | null
  /** JSON: the parts of the response that the listing does not hold; for a batch also which listings. Null: kept whole. */
  rest: string | null
}

/** Reminders sent to the owners of a key that expires. Kept for ever: two rows per key at most. */
export interface KeyReminders {
  key_id: string
  /** How many days before the end. */
  days: number
  sent_at: string
}

/** How often each key read and wrote in its current minute and day: one row per key, charged by admit_keys. Apart from agency_usage, because one update per request charges two windows. */
export interface KeyUsage {
  agency_id: string
  key_id: string
  /** Start of the minute that minute_reads and minute_writes count. */
  minute: string
  /** Start of the UTC day that day_reads and day_writes count. */
  day: string
  minute_reads: number
  minute_writes: number
  day_reads: number
  day_writes: number
}

/** Every change of each listing, appended by the transaction that makes it. Without a foreign key to properties, as properties has none to agencies. */
export interface ListingHistory {
  agency_id: string
  property_id: string
  /** The agency's revision that this write made. */
  revision: number
  at: string
  /** `created`, `updated`, `published`, `disabled`, `closing_recorded`, `photos_added`, `reserved`, `released`, `deleted` or `restored`. */
  action: string
  actor_kind: string
  /** The key or person; null: the command line or the service itself. */
  actor_id: string | null
  actor_name: string
  request_id: string | null
  /** Field → {from, to}; {} for a creation: the listing and the later entries give what it was. */
  changes: Generated<Json>
}

/** How many visitors each listing's public page had, and how many got in touch, per day in Argentina. Kept for 400 days. Nothing about the visitors is stored. */
export interface ListingVisits {
  agency_id: string
  public_id: string
  /** Start of the day in Argentina. */
  day: string
  /** A visitor counts once a day. */
  views: number
  phone: number
  whatsapp: number
  email: number
  shared: number
  enquiries: number
}

/** Each attempt to deliver, for the operator. Kept as long as its delivery. */
export interface NotificationAttempts {
  agency_id: string
  event_id: string
  channel: string
  number: number
  at: string
  duration_ms: number
  succeeded: boolean
  /** The marketplace's HTTP status, if it responded. */
  status: number | null
  detail: string | null
  /** The same as detail, as data. */
  why: Json | null
}

/** The state of each event on each channel. Settled ones are kept for NOTIFICATIONS_KEPT_DAYS. */
export interface NotificationDeliveries {
  agency_id: string
  event_id: string
  channel: string
  /** Groups deliveries that leave in order: by listing for the marketplace, by agency for mail. */
  lane: string
  /** The event's revision: the order within the lane. */
  revision: number
  /** `pending`, `delivered`, `skipped` (the agency has no email or wants no mail), `not_configured` or `set_aside` (given up until the operator retries). */
  state: Generated<string>
  /** How many attempts had a known outcome. */
  attempts: Generated<number>
  /** The first attempt since the event, or since the operator's retry. Three days later the delivery is set aside. */
  first_attempt_at: string | null
  ended_at: string | null
  /** Why it was skipped, or the last error. */
  detail: string | null
  /** The same as data: kind and figures, to be shown in another language. */
  why: Json | null
}

/** The outbox: every state change of a listing, written by the transaction that makes it. Deleted long after all its deliveries are settled; a listing's latest event stays without its content, so that the next one continues the numbering. */
export interface NotificationEvents {
  agency_id: string
  /** Sent to receivers, which drop repeats by it. */
  id: string
  property_id: string
  /** Numbers the events of one listing from 1, without gaps. */
  sequence: number
  type: string
  /** The agency's revision that the change made: its entry in listing_history says who did it. */
  revision: number
  at: string
  /** The row of properties after the change; empty where only the number is kept. */
  listing: Json
}

/** One row for each listing (marketplace) and agency (mail) that ever had an event: when its next delivery is due, and which worker has it. */
export interface NotificationLanes {
  agency_id: string
  channel: string
  lane: string
  /** Raised with each delivery that is added, so that a worker which found nothing more notices it. */
  version: Generated<number>
  /** When a worker may take the lane; while one has it, the end of its lease. Null: nothing is pending. */
  due_at: string | null
  /** Held by the worker that took the lane. One that lost its lease can no longer store its outcome. */
  token: string | null
  /** Failed attempts in a row, from which the wait for the next one grows. */
  failures: Generated<number>
  /** No mail before this moment: events meanwhile share the next mail. */
  rests_until: string | null
}

/** How an agency wants to be notified. Without a row: by mail, in Spanish. */
export interface NotificationPreferences {
  agency_id: string
  mail: boolean
  language: string
  /** Types of events of which the agency wants no mail. */
  unwanted: Generated<string[]>
}

/** Which URLs the photos of a listing came from, and which failed: one row per listing. Apart from properties, because only writes of photos need it. */
export interface PhotoSources {
  agency_id: string
  property_id: string
  /** Fingerprints of the URLs, the oldest first. Not the URLs, which may hold secrets. */
  sources: string[]
  /** For each source, the picture as in properties.photos. One that the listing no longer shows is ignored. */
  photos: string[]
  /** JSON: the URLs that gave no photo, with the reason, and the photos kept in their place. Holds the URLs, which people have to see; cleared 90 days after the last of them. Null: none. */
  warnings: Json | null
  /** Moment of the latest warning; null: none. */
  warned_at: string | null
  /** How many of the warnings nobody has dismissed. */
  to_mend: Generated<number>
}

/** The listings. Removed ones stay, with deleted_at set, until the operator restores them. Without a foreign key to agencies: agencies are never deleted, and the check would take a tenth of a creation. */
export interface Properties {
  agency_id: string
  id: string
  /** The public code, `id` in the API: 8 characters without look-alikes. */
  public_id: string
  external_id: string | null
  /** The agency's revision when this listing last changed. Its ETag comes from it. */
  version: number
  /** `draft`, `published` or `disabled`. A removed listing keeps the one it had. */
  status: string
  title: string | null
  description: string | null
  operation: string | null
  type: string | null
  /** In price_currency, per price_period if that is set. */
  price_amount: number | null
  price_currency: string | null
  price_period: string | null
  price_on_request: Generated<boolean>
  /** In expenses_currency, per month. */
  expenses_amount: number | null
  expenses_currency: string | null
  address: string | null
  city: string | null
  province: string | null
  /** Degrees north. */
  lat: number | null
  /** Degrees east. */
  lng: number | null
  /** `resolved`, `approximate`, `manual` or `unresolved`; null: no address. */
  location_status: string | null
  /** Whether public pages show the place approximately: a circle, and the street without its number. The API shows its agency the exact one. */
  place_blurred: Generated<boolean>
  /** The features that have a value, in canonical form. */
  features: Generated<Json>
  amenities: Generated<string[]>
  /** Stored pictures in order, the cover first: the content hash, a dot, the upload's own mark. */
  photos: Generated<string[]>
  video_url: string | null
  video_urls: Generated<string[]>
  virtual_tour_url: string | null
  /** min_stay (nights), min_lease_months, services_included; null unless sent for a rental. */
  rental: Json | null
  reserved: Generated<boolean>
  close_reason: string | null
  closed_at: string | null
  /** The final price of a listing sold or rented, in close_currency. */
  close_amount: number | null
  close_currency: string | null
  published_at: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  /** `city` without case and accents, for search. */
  city_folded: Generated<string>
  /** Title, address and city without case and accents, one per line, for search. */
  search_folded: Generated<string>
  /** With place_blurred: the address as visitors see it, without case and accents, for their search. Null: not blurred, or not computed yet (src/listings/). */
  rough_folded: string | null
  /** Street and number in the form in which addresses are compared; null: no number, or unreadable. */
  street_key: string | null
  /** The city in the form in which addresses are compared; null: unknown. */
  city_key: string | null
  /** Version of the rules that made the two keys. */
  address_rules: Generated<number>
  /** The version at which the geocoder was last asked; null: never. Every write raises the version, so the geocoder is asked again. */
  sought_version: number | null
  bedrooms: GeneratedAlways<number | null>
  bathrooms: GeneratedAlways<number | null>
  /** The area in m² that min_m2 and max_m2 compare: covered; for lots, total. */
  main_m2: GeneratedAlways<number | null>
  /** Operation and currency, such as `sale USD`: listings whose prices can be compared. By price alone, the rents of a large agency would all precede its cheapest sale. */
  price_kind: GeneratedAlways<string>
  /** The order of sort=recent. */
  listed_at: GeneratedAlways<string | null>
}

/** How many API requests each key made per UTC day, by outcome. Kept for 90 days. */
export interface RequestDays {
  agency_id: string
  key_id: string
  /** Start of the UTC day. */
  day: string
  /** Code of the error; empty: none. */
  code: string
  requests: number
}

/** API requests of each key in the last 7 days. Written in batches shortly after the responses; a crash may lose the last batch. */
export interface RequestLog {
  agency_id: string
  /** A uuid of version 7, so their order is that of time: pages of all keys follow the primary key. */
  request_id: string
  key_id: string
  at: string
  method: string
  /** Without the query, which may hold what people search for. */
  path: string
  status: number
  /** Code of the error; null: none. */
  code: string | null
  /** Duration in milliseconds. */
  ms: number
  /** What the response said besides status and code: message, parameters, warnings, items of a batch. Null: nothing. Never what was sent. */
  detail: Json | null
}

/** How much was used of limits that are not counted by agency alone: requests without a valid key, sign-ins, saves of people, invitations, enquiries. Belongs to no agency, so that on Citus it is on the coordinator. Apart from agency_usage for that reason alone. */
export interface SubjectUsage {
  /** The IP of a request without a valid key; a hash of an IP, email or phone number; the id of an account or agency; * for all together. */
  subject: string
  name: string
  /** End of the window that `used` counts. */
  ends_at: string
  used: number
}

/** Stored pictures that no listing shows. A row is written before the files, and removed by the transaction that puts the picture on a listing, so a crash leaves no file behind for ever. */
export interface UnreferencedPhotos {
  agency_id: string
  /** As in properties.photos. */
  photo: string
  /** When the reaper may delete the files. */
  delete_after: string
}

/** Signatures that were used, each valid once. Kept until their timestamp is too old anyway. */
export interface UsedSignatures {
  agency_id: string
  key_id: string
  signature: Buffer
  expires_at: string
}

/** On Citus: when the next instance looks for due work, so that many look no more often than one. One row per chore. */
export interface WorkerLooks {
  chore: string
  /** The latest moment that an instance has reserved. */
  next_at: string
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
  agency_usage: AgencyUsage
  api_keys: ApiKeys
  audit_log: AuditLog
  demonstration: Demonstration
  enquiries: Enquiries
  former_slugs: FormerSlugs
  geocoding_attempts: GeocodingAttempts
  geocoding_cache: GeocodingCache
  geocoding_pace: GeocodingPace
  idempotency_keys: IdempotencyKeys
  key_reminders: KeyReminders
  key_usage: KeyUsage
  listing_history: ListingHistory
  listing_visits: ListingVisits
  notification_attempts: NotificationAttempts
  notification_deliveries: NotificationDeliveries
  notification_events: NotificationEvents
  notification_lanes: NotificationLanes
  notification_preferences: NotificationPreferences
  photo_sources: PhotoSources
  properties: Properties
  request_days: RequestDays
  request_log: RequestLog
  subject_usage: SubjectUsage
  unreferenced_photos: UnreferencedPhotos
  used_signatures: UsedSignatures
  worker_looks: WorkerLooks
}
