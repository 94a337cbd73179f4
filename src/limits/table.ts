/** The table of limits (api.md 6): how often something may happen. Only the operator changes the numbers: for all, or for one agency. */

const minute = 60
const hour = 3600
const day = 86_400

/** `fromFirstUse`: the window begins with its first use, instead of with the UTC minute, hour or day. */
export type WindowLimit = { max: number; windowSeconds: number; fromFirstUse?: true }

/**
 * Reads and writes are counted by key. State changes are counted by listing, in sliding windows. A name with `per_person`, `per_address`
 * or the like says what it is counted by. `keyless_per_minute` and `enquiries_per_minute` count everybody together. All others are counted
 * by agency. The first six limits have a column for each counter, so the SQL that counts them states their windows too; a test compares
 * both.
 */
export const defaultLimits = {
  reads_per_minute: { max: 60, windowSeconds: minute },
  reads_per_day: { max: 10_000, windowSeconds: day },
  writes_per_minute: { max: 60, windowSeconds: minute },
  writes_per_day: { max: 2_000, windowSeconds: day },
  new_listings_per_hour: { max: 20, windowSeconds: hour },
  new_listings_per_day: { max: 100, windowSeconds: day },
  photos_per_day: { max: 300, windowSeconds: day },
  geocoding_per_minute: { max: 5, windowSeconds: minute },
  geocoding_per_day: { max: 200, windowSeconds: day },
  state_changes_per_day: { max: 6, windowSeconds: day },
  disables_per_day: { max: 2, windowSeconds: day },
  enables_per_day: { max: 2, windowSeconds: day },
  saves_per_person_per_minute: { max: 60, windowSeconds: minute, fromFirstUse: true },
  saves_per_person_per_day: { max: 2_000, windowSeconds: day, fromFirstUse: true },
  test_resets_per_hour: { max: 20, windowSeconds: hour },
  slug_changes_per_month: { max: 2, windowSeconds: 30 * day },
  keyless_per_minute: { max: 600, windowSeconds: minute },
  keyless_per_address_per_minute: { max: 60, windowSeconds: minute },
  map_tiles_per_address_per_minute: { max: 600, windowSeconds: minute },
  pages_per_address_per_minute: { max: 600, windowSeconds: minute },
  sign_ins_per_account_and_address_per_hour: { max: 10, windowSeconds: hour, fromFirstUse: true },
  sign_ins_per_account_per_hour: { max: 100, windowSeconds: hour, fromFirstUse: true },
  sign_ins_per_address_per_hour: { max: 60, windowSeconds: hour, fromFirstUse: true },
  second_steps_per_account_per_hour: { max: 10, windowSeconds: hour, fromFirstUse: true },
  resets_per_account_per_hour: { max: 3, windowSeconds: hour, fromFirstUse: true },
  resets_per_address_per_hour: { max: 30, windowSeconds: hour, fromFirstUse: true },
  /** A sixth of the limit that all agencies share, and above one IP's hourly limit, so that one IP cannot exhaust it. */
  enquiries_per_agency_per_minute: { max: 20, windowSeconds: minute, fromFirstUse: true },
  enquiries_per_agency_per_day: { max: 300, windowSeconds: day, fromFirstUse: true },
  enquiries_per_listing_per_hour: { max: 30, windowSeconds: hour, fromFirstUse: true },
  /** Enough for several listings. Anybody can claim to be the sender, so one agency can use up only a fifth of the sender's total. */
  enquiries_per_sender_and_agency_per_day: { max: 10, windowSeconds: day, fromFirstUse: true },
  enquiries_per_address_per_hour: { max: 10, windowSeconds: hour, fromFirstUse: true },
  /** More than someone who searches a whole city sends in a day. */
  enquiries_per_sender_per_day: { max: 50, windowSeconds: day, fromFirstUse: true },
  enquiries_per_minute: { max: 120, windowSeconds: minute, fromFirstUse: true },
  invitations_per_agency_per_hour: { max: 10, windowSeconds: hour, fromFirstUse: true },
  invitations_per_agency_per_day: { max: 30, windowSeconds: day, fromFirstUse: true },
  /** One invitation and two repetitions. */
  invitations_per_agency_and_recipient_per_day: { max: 3, windowSeconds: day, fromFirstUse: true },
  /** Three agencies at their limit still leave room for a fourth. */
  invitations_per_recipient_per_day: { max: 10, windowSeconds: day, fromFirstUse: true },
} as const satisfies Record<string, WindowLimit>

export type LimitName = keyof typeof defaultLimits

/** The limits of the key and its agency that `/me` reports. The operator can change these for one agency. */
export const reportedLimits = [
  'reads_per_minute',
  'reads_per_day',
  'writes_per_minute',
  'writes_per_day',
  'new_listings_per_hour',
  'new_listings_per_day',
  'photos_per_day',
  'geocoding_per_minute',
  'geocoding_per_day',
] as const satisfies readonly LimitName[]

/** Limits of each listing. */
export const listingLimits = ['state_changes_per_day', 'disables_per_day', 'enables_per_day'] as const

/** Set if the operator changed the limit for one agency: when the change ends, also in seconds from now (null: never), and the default. */
type OfAgency = { until?: string | null; endsIn?: number | null; usual?: number }

export type Limits = Readonly<Record<LimitName, Readonly<WindowLimit & OfAgency>>>

/** No limit can be set higher. */
export const maxOfLimit = 1_000_000_000

export function isMax(max: unknown): max is number {
  return typeof max === 'number' && Number.isInteger(max) && max >= 0 && max <= maxOfLimit
}

/**
 * The defaults with the operator's changes.
 * @param changes `{NAME: max}`
 * @throws Error with one line that names the problem
 */
export function limitsWith(changes: unknown): Limits {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) {
    throw new Error('it must be a JSON object such as {"reads_per_minute": 600}')
  }
  const limits: Record<string, WindowLimit> = { ...defaultLimits }
  for (const [name, max] of Object.entries(changes)) {
    const known = Object.hasOwn(defaultLimits, name) ? limits[name] : undefined
    if (known === undefined)
      throw new Error(`"${name}" is not one of ${Object.keys(defaultLimits).join(', ')}`)
    if (!isMax(max)) {
      throw new Error(`${name} must be a whole number from 0 to ${maxOfLimit.toLocaleString('en')}`)
    }
    limits[name] = { ...known, max }
  }
  return limits as Limits
}
