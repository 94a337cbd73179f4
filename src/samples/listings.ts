/** The demonstration data: two fictitious agencies with listings of every type, operation and state (api.md 9.1). */
import type { AgencyDetails } from '../agencies/details.ts'
import type { PhotoWhy } from '../listings/photos/failure.ts'
import type { Payload } from '../listings/fields/schema.ts'
import type { Closing } from '../listings/writing/states/closing.ts'
import cumbresDelSur from './agencies/cumbres-del-sur.json' with { type: 'json' }
import riberaNorte from './agencies/ribera-norte.json' with { type: 'json' }

export type DemoListing = {
  /** The body that a client would send, without photos and state. */
  payload: Omit<Payload, 'photos' | 'status' | 'force_duplicate'>
  /** `removed`: a deleted draft. */
  status: 'draft' | 'published' | 'disabled' | 'removed'
  reserved?: boolean
  /** The reason of a suspended listing. */
  disable?: Closing
  /** Public pages show its place blurred. */
  isBlurred?: boolean
  /** URLs that gave no photo, and why. */
  failed_photos?: readonly { url: string; why: PhotoWhy }[]
  /** Names of the pictures in order, the cover first. */
  pictures: readonly string[]
  /** Days since it was published, or for a draft since it was created. */
  published_days_ago: number
}

type DemoAgency = {
  name: string
  slug: string
  email: string
  details: Partial<AgencyDetails>
  listings: readonly DemoListing[]
}

// Through unknown: in JSON a pair is a list.
export const demoAgencies = [riberaNorte, cumbresDelSur] as unknown as readonly DemoAgency[]
