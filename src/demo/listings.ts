/** The demonstration data: two invented agencies and their listings, of every type, operation and state (api.md 9.1). */
import type { AgencyContact } from '../agencies/contact.ts'
import type { Payload } from '../properties/schema.ts'
import type { Closing } from '../properties/states.ts'
import cumbresDelSur from './agencies/cumbres-del-sur.json' with { type: 'json' }
import riberaNorte from './agencies/ribera-norte.json' with { type: 'json' }

export type DemoListing = {
  /** As a client would send it; pictures and state are below. */
  payload: Omit<Payload, 'photos' | 'status' | 'force_duplicate'>
  /** `removed` ones were drafts that somebody deleted. */
  status: 'draft' | 'published' | 'disabled' | 'removed'
  reserved?: boolean
  /** Why it is suspended, when it is. */
  disable?: Closing
  /** Names of the pictures in order, the cover first. */
  pictures: readonly string[]
  /** Whole days since it was published, or created while it is a draft. */
  published_days_ago: number
}

type DemoAgency = {
  name: string
  slug: string
  email: string
  contact: AgencyContact
  listings: readonly DemoListing[]
}

export const demoAgencies = [riberaNorte, cumbresDelSur] as readonly DemoAgency[]
