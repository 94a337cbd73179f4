/**
 * The tables, as the migrations make them. Generated: `npm run db:types` writes this file.
 */
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Has a default, so an insert may leave it out. */
type Generated<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

/** Read as parsed JSON. Written as an object or as JSON text; an array must be written as text, or pg makes it a PostgreSQL array. */
type Json = ColumnType<unknown, object | string, object | string>

/** Links in mails, each good once, of which only a hash is stored: invitations, new passwords, and emails that agencies are to have. */
export interface AccountLinks {
  token_hash: Buffer
  /** Whose password the link sets; of an agency's email, who asked for it. */
  account_id: string
  purpose: string
  created_at: string
  expires_at: string
  used_at: string | null
  /** The link's token, encrypted under SECRET_KEY, for as long as its mail waits to be taken by the mail server. */
  sealed_token: Buffer | null
  /** When the mail is tried next, or may be by another worker; null: there is none, it was taken, or given up. */
  mail_due_at: string | null
  /** Attempts that failed. */
  mail_failures: Generated<number>
  /** Whose email the link confirms, one at a time; null: the link has another purpose. */
  agency_id: string | null
  /** The email to confirm, to which the link is mailed. */
  email: string | null
}

/** Where somebody signed in from lately: what strangers try from elsewhere does not keep them out there. */
export interface AccountNetworks {
  account_id: string
  /** An IPv4 address, or the /64 of an IPv6 one. */
  network: string
  seen_at: string
}

/** Mails that tell people what was done to their account or with their agency's keys, until the mail server has taken them. */
export interface AccountNotices {
  id: string
  account_id: string
  kind: string
  details: Generated<Json>
  created_at: string
  /** When the mail is tried next, or may be by another worker. */
  due_at: string
  /** Attempts that failed. */
  failures: Generated<number>
  /** Where it goes instead of to the account: the email that an agency had before. */
  recipient: string | null
}

/** For who lost the second factor; each good once. */
export interface AccountRecoveryCodes {
  account_id: string
  /** SHA-256 of the account's id and the code, which has 50 random bits and whose tries are limited. */
  code_hash: Buffer
  used_at: string | null
}

/** Who is signed in. Ended sessions are deleted. */
export interface AccountSessions {
  id: string
  account_id: string
  /** SHA-256 of the cookie's 256 random bits; the token itself is never stored. */
  token_hash: Buffer
  /** password: the second factor is still to come, and nothing else is open. */
  stage: string
  user_agent: string
  address: string
  created_at: string
  seen_at: string
  expires_at: string
  /** Secret of a second factor that is being turned on, encrypted with SECRET_KEY; the account gets it with its first code. */
  pending_totp_secret: Buffer | null
}

/** The people of the dashboard: of one agency each, or operators. Found by e-mail before the agency is known. */
export interface Accounts {
  id: string
  agency_id: string | null
  role: string
  /** In lower case. */
  email: string
  name: string
  /** Of the pages and mails; null: as the browser says. */
  language: string | null
  /** argon2id, in the usual notation; null until the invitation is accepted. */
  password_hash: string | null
  /** Secret of the second factor, encrypted with SECRET_KEY; null while it is off. */
  totp_secret: Buffer | null
  totp_confirmed_at: string | null
  /** Time step of the last code that was taken: none is taken twice. */
  totp_last_step: number | null
  created_at: string
  signed_in_at: string | null
  disabled_at: string | null
  /** Invited with an email whose account is elsewhere: the agency sees an invitation like any other, and nobody signs in with it. */
  elsewhere: Generated<boolean>
  /** Whether an owner is reminded by mail that a key expires. */
  key_reminders: Generated<boolean>
}

/** The real-estate agencies. Not a tenant table: it is the tenants. */
export interface Agencies {
  id: string
  name: string
  /** Names the agency in public addresses and on the command line. */
  slug: string
  /** Where changes of state are notified, and whom visitors of the public pages write to; null means nowhere. */
  email: string | null
  /** False: every key of the agency gets 403 agency_not_active. */
  active: Generated<boolean>
  /** Raised when name or slug change, because both are part of every listing and so of its ETag. */
  profile_version: Generated<number>
  created_at: string
  updated_at: string
  /** Shown on the public pages, as written; with the code of the country. */
  phone: string | null
  /** The number that visitors write to by WhatsApp, likewise. */
  whatsapp: string | null
  /** The agency's own site, shown on its public page. */
  website: string | null
  /** The agency whose test keys see this one, which exists for nothing else; null: a real agency. */
  test_of: string | null
  /** Of the office, as written; shown on the public pages, as all that follows. */
  address: string | null
  /** Of the broker's licence (matrícula), which the law wants on every offer. */
  licence_number: string | null
  /** The college that keeps the licence, such as CUCICBA. */
  licence_college: string | null
  /** The licensed broker who answers for the agency. */
  broker: string | null
  /** When the office is open: for each day from Monday on, up to two pairs of HH:MM. Null: not told. */
  hours: Json | null
  /** What the agency says of itself, as plain text. */
  about: string | null
  /** The colour that the agency chose; its pages show a shade of it that can be read. */
  accent: string | null
  /** Name of the picture, stored as a listing's photos are; of a test agency, its agency's. */
  logo: string | null
  /** Whether its public pages have a form to ask it something. */
  takes_enquiries: Generated<boolean>
}

/** One narrow row an agency: the lock every write of the agency takes, the number every list ETag comes from, and how many listings it made. */
export interface AgencyRevisions {
  agency_id: string
  /** Raised by one for each write of a listing, in the same transaction. */
  revision: Generated<number>
  /** Moment of the last write; the next one is always later, so updated_at never goes back. */
  changed_at: string
  /** Start of the UTC hour that hour_new_listings counts. */
  hour: Generated<string>
  hour_new_listings: Generated<number>
  /** Start of the UTC day that day_new_listings counts. */
  day: Generated<string>
  day_new_listings: Generated<number>
  /** Limits of this agency and its keys that differ from the defaults: {name: {max, until}}, until null without an end; null: none. */
  limits: Json | null
  /** As agencies.test_of is not null, where every write reads it: what a test agency does is told to nobody. */
  is_test: Generated<boolean>
}

/** How much of each limit of its own an agency used in the current window, new listings apart: one row a limit. */
export interface AgencyUsage {
  agency_id: string
  name: string
  window_start: string
  used: number
}

/** Keys of the API. Looked up by fingerprint before the agency is known, so not led by agency_id. */
export interface ApiKeys {
  id: string
  agency_id: string
  name: string
  /** The beginning shown after creation: the fixed prefix and the first 4 characters of the secret part. */
  prefix: string
  /** SHA-256 of the whole key; the key itself is never stored. */
  fingerprint: Buffer
  scopes: string[]
  allowed_origins: Generated<string[]>
  signature_required: Generated<boolean>
  /** The request-signing secret, encrypted with SECRET_KEY. */
  signing_secret: Buffer | null
  created_at: string
  /** Null: never. Keys with write scope get one year, keys with a leads scope at most 90 days. */
  expires_at: string | null
  revoked_at: string | null
  /** When a rotated key stops by itself; null: when somebody revokes it. */
  revokes_at: string | null
}

/** What people did that is no change of a listing: everything operators do, what touches keys and accounts, and sign-ins. Only appended to. */
export interface AuditLog {
  id: string
  at: string
  actor_kind: string
  actor_id: string | null
  actor_name: string
  agency_id: string | null
  action: string
  /** What was acted on, as people know it: an e-mail, a slug, the beginning of a key. Never a secret. */
  subject: string
  details: Generated<Json>
  request_id: string | null
  /** When the entry of a sign-in is deleted; null: never. */
  expires_at: string | null
}

/** How far the demonstration data has come: no row where the database was never filled with it, one row at most. */
export interface Demonstration {
  only_row: Generated<boolean>
  started_at: string
  /** Null: the fill was interrupted, or goes on; the next start takes it up again. */
  finished_at: string | null
  /** Names of the listings that are there, each written with its listing in one transaction; emptied when all are. */
  listings: Generated<string[]>
  /** Keys and passwords of the demonstration, encrypted under SECRET_KEY, to be shown at every start. */
  sealed_keys: Buffer | null
}

/** What visitors of public pages asked an agency, until its mail server has taken it; at most 3 days. Found by the worker before the agency is known. */
export interface Enquiries {
  /** Of the form that was sent, so that sending it again asks nothing twice. */
  id: string
  agency_id: string
  created_at: string
  /** When the next attempt to mail it is due. */
  due_at: string
  failures: Generated<number>
  /** What was asked and by whom, encrypted with SECRET_KEY; null once it was mailed, or never can be. */
  sealed: Buffer | null
}

/** Slugs that agencies gave up: their old addresses lead to the new ones for as long as no other agency has the slug, and for a year none can take it. Kept for ever; an agency adds few. */
export interface FormerSlugs {
  slug: string
  /** The agency that had it last. */
  agency_id: string
  given_up_at: string
}

/** When unresolved listings that were looked for in vain are looked for again. */
export interface GeocodingAttempts {
  agency_id: string
  property_id: string
  /** The listing's version when it was tried; a listing changed since is tried at once. */
  version: number
  /** How often in a row the geocoder could not be asked. */
  attempts: number
  next_attempt_at: string
}

/** What geocoders answered: where a place is, or that they do not know it. Public facts, shared by all agencies. */
export interface GeocodingCache {
  provider: string
  /** Hash of the address and place as the geocoder is asked, so that spellings share an answer. */
  question: string
  lat: number | null
  lng: number | null
  /** resolved or approximate; null: the geocoder does not know the place. */
  status: string | null
  kept_until: string
}

/** Keeps requests to a geocoder apart, over all instances: one row for each that wants it. */
export interface GeocodingPace {
  provider: string
  /** When the next request may be sent. */
  free_at: string
}

/** What each Idempotency-Key was used for and answered with; a row without a status is a request that still runs. */
export interface IdempotencyKeys {
  agency_id: string
  key: string
  /** SHA-256 of method, path and canonical body. */
  request_hash: Buffer
  /** Whoever holds it may store the answer: one that lost its lease to a retry cannot. */
  token: string
  /** A claim without an answer is free again then: its process died. */
  lease_until: string
  expires_at: string
  status: number | null
  headers: Json | null
  /** The answer whole; null: it is kept by reference, or there is none yet. */
  body: string | null
  /** The listing that the answer shows, at revision; null: the answer is kept whole, or is that of a batch. */
  property_id: string | null
  revision: number | null
  /** JSON: what the answer shows and the listing does not hold; of a batch, which listings too. Null: the answer is kept whole. */
  rest: string | null
}

/** Which keys' owners were told by mail that the key ends in so many days. */
export interface KeyReminders {
  key_id: string
  days: number
  sent_at: string
}

/** How often each key read and wrote in its current minute and day: one row a key, updated in the statement that authenticates. */
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
  /** How many of the reads asked for last were granted; read back by the statement that set it. */
  granted_reads: number
  granted_writes: number
  /** The limits in force when the key was last charged, if its agency has limits of its own: reads and writes, each per minute and day. Read by the statement that set it. */
  limits: number[] | null
}

/** Requests without a valid key in the current minute: one row for all of them and one for each address. Belongs to no agency. */
export interface KeylessUsage {
  /** A network address, or * for all. */
  subject: string
  minute: string
  used: number
}

/** What happened to each listing, appended in the transaction of the write itself. */
export interface ListingHistory {
  agency_id: string
  property_id: string
  /** The agency's revision that this write made. */
  revision: number
  at: string
  /** created, updated, published, disabled, closing_recorded, photos_added, reserved, released, deleted, restored. */
  action: string
  actor_kind: string
  /** The key or person; null for the command line and the service itself. */
  actor_id: string | null
  actor_name: string
  request_id: string | null
  /** Field → {from, to}; {} for a creation, which changes nothing that the listing and later entries do not tell. */
  changes: Generated<Json>
}

/** How often each listing's public page was visited, and how often visitors got in touch, by day of Argentina; kept for 400 days. Nothing of the visitors is stored. */
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

/** Each attempt to deliver, for the operator; kept as long as its delivery. */
export interface NotificationAttempts {
  agency_id: string
  event_id: string
  channel: string
  number: number
  at: string
  duration_ms: number
  succeeded: boolean
  /** What the marketplace answered with, if it did. */
  status: number | null
  detail: string | null
  /** The same as detail, by kind. */
  why: Json | null
}

/** What became of each event on each channel: by mail to the agency, and to the marketplace. Settled ones are kept for NOTIFICATIONS_KEPT_DAYS. */
export interface NotificationDeliveries {
  agency_id: string
  event_id: string
  channel: string
  /** What is delivered in order: the listing for the marketplace, the agency for mail. */
  lane: string
  /** Of the event: the order within the lane. */
  revision: number
  /** pending, delivered, skipped (the agency has no address or wants no mail), not_configured, set_aside (given up until the operator retries). */
  state: Generated<string>
  /** How often it was tried and the outcome was learned. */
  attempts: Generated<number>
  /** Of the attempts since it was written or retried by the operator: three days later it is set aside. */
  first_attempt_at: string | null
  ended_at: string | null
  /** Why it was skipped, or what went wrong last. */
  detail: string | null
  /** The same as detail, by kind and with its figures, for who reads another language. Null with details of before. */
  why: Json | null
}

/** The outbox: every change of a listing's state, written in the transaction of the change itself. Once all its deliveries were settled long ago it is deleted; of a listing's latest the number stays, so that the next one has the next. */
export interface NotificationEvents {
  agency_id: string
  /** Told to receivers, who drop repeats by it. */
  id: string
  property_id: string
  /** Numbers the events of one listing from 1, without gaps. */
  sequence: number
  type: string
  /** The agency's revision that the change made: the entry of listing_history that tells who did it and what changed. */
  revision: number
  at: string
  /** The row of properties as the change left it; empty where only the number is kept. */
  listing: Json
}

/** One row for each listing (marketplace) and agency (mail) that has ever had an event: whether anything is pending there, when it is its turn, and who delivers. */
export interface NotificationLanes {
  agency_id: string
  channel: string
  lane: string
  /** Raised by whoever adds a delivery: a worker that found nothing more sees that there is. */
  version: Generated<number>
  /** When a worker may take the lane; null: nothing is pending. Taken, it is the end of the lease. */
  due_at: string | null
  /** Of the worker that took it; one that lost its lease to another cannot store its outcome. */
  token: string | null
  /** Failed attempts in a row, from which the wait for the next one grows. */
  failures: Generated<number>
  /** The agency was just written to: what comes meanwhile goes into the next mail. */
  rests_until: string | null
}

/** How an agency wants to be told of changes of state. Without a row: by mail, in Spanish. */
export interface NotificationPreferences {
  agency_id: string
  mail: boolean
  language: string
  /** Changes of state, by their event, that the agency wants no mail of. */
  unwanted: Generated<string[]>
}

/** Which URLs the photos of a listing came from, and which gave none: one row a listing, kept as long as it. Apart from properties, because only writes of photos need it. Photos stored before this table have no source. */
export interface PhotoSources {
  agency_id: string
  property_id: string
  /** Fingerprints of the URLs, the oldest first. Not the URLs, which may hold secrets. */
  sources: string[]
  /** For each source, the picture as in properties.photos. One that the listing no longer shows counts for nothing. */
  photos: string[]
  /** JSON: the URLs that gave no photo, with the reason, and photos kept because of them (listings/warnings/photo-warnings.ts). With the URLs, which people have to see; deleted 90 days after the last of them. Null: none. */
  warnings: Json | null
  /** When the latest of the warnings was; null without any. */
  warned_at: string | null
  /** How many of the warnings nobody has dismissed. */
  to_mend: Generated<number>
}

/** The listings. Removed ones stay, with deleted_at set, until the operator restores them. */
export interface Properties {
  agency_id: string
  id: string
  /** The public code, `id` in the API: 8 characters without look-alikes. */
  public_id: string
  external_id: string | null
  /** The agency's revision when this listing last changed; its ETag comes from it. */
  version: number
  /** draft, published or disabled. A removed listing keeps the one it had. */
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
  /** resolved, approximate, manual, unresolved; null without an address. */
  location_status: string | null
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
  /** The real price of a listing sold or rented. */
  close_amount: number | null
  close_currency: string | null
  published_at: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
  /** city without case and accents, for search. */
  city_folded: Generated<string>
  /** title, address and city without case and accents, one a line, for search. */
  search_folded: Generated<string>
  bedrooms: GeneratedAlways<number | null>
  bathrooms: GeneratedAlways<number | null>
  /** The area that min_m2 and max_m2 compare: covered; for lots, the land. */
  main_m2: GeneratedAlways<number | null>
  /** What sort=recent orders by. */
  listed_at: GeneratedAlways<string | null>
  /** Street and number in the form in which addresses are compared; null when the address has no number or cannot be read. */
  street_key: string | null
  /** The city in the form in which addresses are compared; null when it is unknown. */
  city_key: string | null
  /** Version of the rules that made the two keys. */
  address_rules: Generated<number>
  /** Operation and currency, such as `sale USD`: the listings whose prices can be compared. In the order of the price alone, the rents of a large agency would all stand before its cheapest sale. */
  price_kind: GeneratedAlways<string>
  /** The version at which its place was last looked for on the map; null: never. Every write raises the version, so that it is looked for anew. */
  sought_version: number | null
  /** Whether public pages show the place approximately: a circle, and the street without its number. The API shows its agency the exact one. */
  place_blurred: Generated<boolean>
  /** Where place_blurred: the address as visitors see it, without case and accents, for their search. Null where it is not, and until it is made (listings/readdress.ts). */
  rough_folded: string | null
}

/** How many API requests each key made in each UTC day, by outcome; kept for 90 days. */
export interface RequestDays {
  agency_id: string
  key_id: string
  /** Start of the UTC day. */
  day: string
  /** Of the error; empty where there was none. */
  code: string
  requests: number
}

/** The API requests of each key of the last 7 days. Written together, some moments after they were answered; a crash may lose those. */
export interface RequestLog {
  agency_id: string
  request_id: string
  key_id: string
  at: string
  method: string
  /** Without the query, which may hold what people search for. */
  path: string
  status: number
  /** Of the error; null where there was none. */
  code: string | null
  ms: number
  /** What the answer told besides status and code: message, parameters, warnings, items of a batch. Null where that was nothing. Never what was sent. */
  detail: Json | null
}

/** Tries of passwords, second factors and resets: by account and by network address. Belongs to no agency. */
export interface SignInAttempts {
  /** What is limited, and a hash of the e-mail or the network address. */
  subject: string
  /** The first try of the current window. */
  window_start: string
  used: number
}

/** Stored pictures that no listing shows. A row is written before the files are, and removed by the transaction that puts the picture on a listing; so a crash leaves nothing behind for ever. */
export interface UnreferencedPhotos {
  agency_id: string
  /** As in properties.photos. */
  photo: string
  /** When the reaper may delete the files. */
  delete_after: string
}

/** Signatures already seen, kept until their timestamp leaves the window. */
export interface UsedSignatures {
  agency_id: string
  key_id: string
  signature: Buffer
  expires_at: string
}

/** On Citus: when the next instance looks for due work, so that many instances look no more often than one. One row for each chore. */
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
  keyless_usage: KeylessUsage
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
  sign_in_attempts: SignInAttempts
  unreferenced_photos: UnreferencedPhotos
  used_signatures: UsedSignatures
  worker_looks: WorkerLooks
}
