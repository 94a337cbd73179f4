/** Sizes, periods and budgets of the API, the pages and mails. How long sessions and most rows last is in the files that end them. */

const hour = 3600
const day = 86_400

/** Sizes of api.md 6, as `/me` reports them. */
export const sizeLimits = {
  body_bytes: 262_144,
  batch_body_bytes: 1_048_576,
  batch_items: 50,
  batch_photos: 30,
  photos_per_listing: 50,
  photos_to_publish: 3,
  photo_bytes: 10_485_760,
  videos_per_listing: 3,
  page: 200,
  per_page: 50,
  allowed_origins: 5,
} as const

/** Lists of texts in a listing, such as amenities: how many, and the characters of each. */
export const listSizes = { items: 100, item: 80 } as const

/** Characters of an external id. */
export const externalIdLength = 64

/** Characters of an Idempotency-Key. */
export const idempotencyKeyLength = { min: 8, max: 64 } as const

/** Bounds on numbers that several fields and filters have; `count` is of rooms and such. */
export const numberLimits = { amount: 1_000_000_000_000, area: 10_000_000, count: 50 } as const

/** Characters of texts that several fields and filters have. */
export const textLimits = { url: 2_048, address: 200, locality: 80 } as const

/** Problems that one 400 names. */
export const maxErrors = 20

/** Characters of a password. */
export const passwordSizes = { min: 10, max: 200 } as const

/** How long a passkey can respond to a challenge. */
export const challengeSeconds = 300

/** Passkeys of a person. */
export const maxPasskeys = 20

/** How long a browser is known after the last sign-in from it: as long as browsers keep a cookie. */
export const browserDays = 400

/** How far the time of a signature may be from the service's. */
export const signatureSeconds = 300

/** Bounds on hashing passwords, in each process. */
export const hashingBudgets = {
  /** Each takes about 50 ms of a core, and 19 MiB. */
  atOnce: 2,
  /** Passwords that wait, and how long. A network with many is refused first. */
  waiting: 100,
  waitSeconds: 10,
} as const

/** Days that a key lasts by default; for keys with a leads scope also the maximum. */
export const keyDays = { write: 365, leads: 90 } as const

/**
 * Most active keys of an agency when a person creates one (`new`) or replaces one (`replacement`): all hundred can be replaced before any
 * is revoked. Test keys count for their test environment. The operator's command line has no such limit.
 */
export const maxActiveKeys = { new: 100, replacement: 200 } as const

/** Days before a key's expiry when its agency's owners are reminded. */
export const keyReminderDays = { first: 14, last: 3 } as const

/** People read invitations when they find time, but wait for a password reset. */
export const linkSeconds = { invitation: 7 * day, reset: hour, agency_email: 3 * day } as const

/** How long a sender leases a pending mail. Longer than an attempt, so that only a dead sender's lease expires. */
export const mailLeaseSeconds = 120

/** How long the audit log retains sign-ins. */
export const signInDays = 365

/** Characters of the names of people, agencies and keys. */
export const nameLength = 120

/** Characters of an agency's slug, without the ending of a twin's. */
export const slugLength = 63

/** Characters of an email. */
export const emailLength = 254

/** Lengths of an agency's texts, in characters, and the spans of its office hours. */
export const profileSizes = {
  website: 300,
  address: 200,
  licence_number: 40,
  licence_college: 80,
  broker: 120,
  about: 2_000,
  spans_a_day: 2,
} as const

/** Lengths of a visitor's enquiry, in characters. */
export const enquirySizes = { name: 120, message: 2_000 } as const

/** Visitors of one network that count on a listing's page in a day. */
export const visitorsOfNetwork = 50

/** How long a slug that an agency gave up stays reserved for it. */
export const slugReservedDays = 365

/** A published listing may be out of date after this many days without a change. */
export const staleDays = 90

/** Forms of the dashboard: the usual, and a listing's with the longest texts, which take up to twelve bytes a character. */
export const formBytes = { usual: 65_536, listing: 524_288 } as const

/** Bounds on a photo, and on the photos of one write (api.md 13.2, 13.6). */
export const photoBudgets = {
  megapixels: 50,
  downloadSeconds: 20,
  /** Wall time: about ten times as long as the largest pictures take on an idle machine. */
  decodeSeconds: 30,
  /** Memory for decoding one: that of a progressive JPEG of 50 megapixels in full colour, and some more. */
  decodeBytes: 340_000_000,
  /** One write's photos, from its first download on. */
  writeSeconds: 40,
  /** Wait for a write's first download to begin. */
  waitSeconds: 10,
} as const

/** Bounds on forms with files, in one process. */
export const uploadBudgets = {
  /** Uploads in memory at a time, and those of one agency. */
  slots: 8,
  slotsEach: 2,
  /** Bytes of a body before it needs a slot: a sender who stops there delays nobody. */
  firstBytes: 65_536,
  /** Wait for a free slot. */
  waitSeconds: 30,
  /** How often the slowest upload is ended while another waits for a slot; those that got theirs within the grace are spared. */
  patienceSeconds: 3,
  graceSeconds: 5,
  /** Wait between two pieces of a body, and for the whole body. */
  idleSeconds: 10,
  seconds: 120,
  fields: 100,
  fieldBytes: 8_192,
  /** Bytes of a form besides its files. */
  overheadBytes: 65_536,
} as const

/** Requests that clients pipeline, in one process. */
export const pipelineBudgets = {
  /** A connection is not read while this many of its requests wait. */
  unanswered: 16,
  /** Once this many arrive in one turn of the event loop, no connection is read until the next turn. */
  arriving: 500,
  /** Requests that wait, of all connections: beyond it, the connection with the most is cut. Each takes about 2 KB. */
  waiting: 10_000,
} as const

/** Bounds on maps: requests to the tile service, and this process's memory and disk. */
export const tileBudgets = {
  /** Bytes of one tile. Tiles of cities have 10 to 60 KB. */
  bytes: 262_144,
  /** Requests at a time, of each process: tile services allow no more to one client. */
  atOnce: 2,
  /** Tiles waiting for a request, and those of one IP. Beyond that, the IP with the most waiting loses its newest. A large map has 40. */
  waiting: 200,
  waitingEach: 60,
  waitSeconds: 5,
  timeoutSeconds: 5,
  /** How long a tile stays fresh if the service does not say, and the bounds on what it says. */
  freshDays: 7,
  minFreshDays: 1,
  maxFreshDays: 30,
  /** How much longer a tile is shown while the service does not respond. */
  staleDays: 60,
  /** How long a tile that the service refused is not requested again. */
  refusedSeconds: 600,
  /** How long a browser keeps a tile without a request. */
  browserDays: 7,
  memoryBytes: 16_777_216,
  /** As `du` counts: whole blocks, and the folders. A tile takes a block at least, so there are at most 131,072 files. */
  diskBytes: 536_870_912,
} as const

/** Bounds on public pages while they read the database, in one process. */
export const pageBudgets = {
  /** Share of the pool's connections, which the API shares; at least one. */
  connectionShare: 0.1,
  /** Wait for a free slot. */
  waitSeconds: 2,
} as const

/** A search without results is counted again without one of its filters, at most this many times. */
export const maxRelaxed = 3

/** Similar listings on a listing's page, at most. */
export const maxSimilar = 3

/** Characters that the operators' search reads. */
export const searchLength = 200

/** Rows of a CSV of the dashboard, at most. */
export const maxInCsv = 10_000

/** Pins on the map of an agency, at most. */
export const maxPins = 300

/** Changes on a page of the feed, at most and by default. */
export const changesPerPage = 100
