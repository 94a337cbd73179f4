/**
 * What a save of a listing's form came to, as the form goes on with it.
 */
import { type Content, type Listing, noContent, type Warning } from '../../properties/listing.ts'
import { noProblems, type Problems } from '../forms.ts'
import type { AgencyVisit } from '../visit.ts'
import { isSame } from './read.ts'
import type { Typed, Unit } from './unit.ts'
import { textsOf, unitOf, units } from './units.ts'
import type { Work } from './work.ts'

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
  /** What this save changed, and what others changed since the form was shown. */
  written: readonly Unit[]
  taken: readonly Unit[]
  /** Public code of the listing that has the same address. */
  duplicate: string | null
  warnings: readonly Warning[]
  /** Of the page that shows what is in the way. */
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
    written: [],
    taken: [],
    duplicate: null,
    warnings: [],
    status: 200,
  }
}

/** What the work came to. @param base the listing as the form showed it */
export function outcome(
  visit: AgencyVisit,
  work: Work,
  listing: Listing | null,
  base: Content & { version?: number },
): Saved {
  const { reading, open, saved: written, problems, conflicts, duplicate, warnings, status } = work
  const content = listing ?? noContent
  const held = new Set<Unit | null>([...open.keys(), ...reading.misread.map(({ field }) => unitOf(field))])
  // A change that is neither saved nor held was given up for theirs.
  const isTaken = (unit: Unit) => reading.changes.has(unit) || !isSame(unit.value(content), unit.value(base))
  const taken = units.filter((unit) => !held.has(unit) && !written.includes(unit) && isTaken(unit))
  const typed: Record<string, string> = { ...reading.typed }
  for (const unit of [...written, ...taken]) Object.assign(typed, unit.texts(content, visit.format))
  const isPlaceOpen = work.blur !== null
  const isWhole = held.size === 0 && !isPlaceOpen
  const shown = base.version ?? null
  return {
    listing,
    shown,
    isWhole,
    isPlaceOpen,
    typed,
    problems,
    conflicts,
    written,
    taken,
    duplicate,
    warnings,
    status,
  }
}
