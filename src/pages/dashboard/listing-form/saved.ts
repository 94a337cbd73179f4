/**
 * The result of saving a listing's form, from which the form continues.
 */
import { type Listing, noContent, type Warning } from '../../../listings/listing.ts'
import { noProblems, type Problems } from '../../framework/fields.ts'
import type { AgencyVisit } from '../visit.ts'
import type { Typed, Unit } from './unit.ts'
import { textsOf } from './units.ts'

/** Two changes of one unit: what the form has, and what the listing has by now. */
export type Conflict = Readonly<{ unit: Unit; mine: unknown; theirs: unknown }>

export type Saved = Readonly<{
  /** As it is now; null where there is none yet. */
  listing: Listing | null
  /** The version that the form showed. */
  shown: number | null
  /** Whether the form holds nothing that is not saved. */
  isWhole: boolean
  /** Whether what public pages show of the place is still to be saved. */
  isPlaceOpen: boolean
  /** With what the form goes on: what is saved, as it is now, and what is not, as it was typed. */
  typed: Typed
  problems: Problems
  conflicts: readonly Conflict[]
  /** Stored as it was meant, but typed in other words: `450000 pesos`. The form goes on with the stored one. */
  reworded: readonly Unit[]
  /** Changed by others since the form was shown. */
  taken: readonly Unit[]
  /** Public code of the listing that has the same address. */
  duplicate: string | null
  warnings: readonly Warning[]
  /** HTTP status of the page that shows the problems. */
  status: number
}>

/** The form as it is first shown. */
export function unsaved(visit: AgencyVisit, listing: Listing | null): Saved {
  return {
    listing,
    shown: listing?.version ?? null,
    isWhole: true,
    isPlaceOpen: false,
    typed: textsOf(listing ?? noContent, visit.format),
    problems: noProblems,
    conflicts: [],
    reworded: [],
    taken: [],
    duplicate: null,
    warnings: [],
    status: 200,
  }
}
