/**
 * Saves a listing's form by the functions of the API. The form says which version it shows: what others changed since then is kept, and
 * where both changed the same, nobody's is overwritten. Two ways: `all` saves everything or, if anything is in the way, nothing; `valid`,
 * for drafts that are saved while somebody types, saves what can be and leaves the rest.
 */
import { takeSave } from '../../accounts/attempts.ts'
import { ApiError } from '../../errors.ts'
import { isUuid } from '../../ids.ts'
import { type Also, createByPerson, editByPerson, findFirstVersion } from '../../properties/by-person.ts'
import { type Content, type Listing, noContent, type Warning } from '../../properties/listing.ts'
import { blurPlace } from '../../properties/place-shown.ts'
import { listingAt } from '../../properties/rewind.ts'
import type { Payload } from '../../properties/schema.ts'
import { authorOf, note } from '../actor.ts'
import { presentListing, versionOf } from '../asked-listing.ts'
import { noProblems, type Problems } from '../forms.ts'
import { readPlaceShown } from '../place.ts'
import type { AgencyVisit } from '../visit.ts'
import { type Changes, checkEdit, isSame, payloadOf, readForm, type Reading } from './read.ts'
import { misreadText, refusalOf } from './refusals.ts'
import type { Typed, Unit } from './unit.ts'
import { textsOf, unitOf, units } from './units.ts'

export type SaveMode = 'all' | 'valid'

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

const maxAttempts = 3

/** Work in progress. */
type Work = {
  reading: Reading
  /** Whether public pages shall show the place approximately, if the person changed that. */
  blur: boolean | null
  /** Changes that are neither saved nor given up. */
  open: Changes
  /** Those of them that nothing is in the way of so far. */
  left: Changes
  saved: Unit[]
  problems: Record<string, string>
  conflicts: Conflict[]
  duplicate: string | null
  warnings: readonly Warning[]
  status: number
}

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

/**
 * Saves the form of an existing listing.
 * @param shown the version that the form shows; by default the one that it names
 * @throws ApiError what no field could be changed to help: `not_found`, a version that the listing never had
 */
export async function saveEdit(
  visit: AgencyVisit,
  listing: Listing,
  mode: SaveMode,
  shown = versionOf(visit),
): Promise<Saved> {
  const { deps, agency, form, format } = visit
  const base = shown === listing.version ? listing : await listingAt(deps.db, agency.id, listing.id, shown)
  if (base === null) throw new ApiError('precondition_failed')
  for (let attempt = 1; ; attempt += 1) {
    const current = attempt === 1 ? listing : await presentListing(visit, listing.id)
    const work = begin(visit, readForm(form, base, format))
    setConflictsAside(form, work, base, current)
    try {
      // It may have been published meanwhile; nothing goes public without a button.
      const isOff = mode === 'valid' && current.status !== 'draft'
      const store = (payload: Payload, also: Also) =>
        editByPerson(deps, agency.id, current, payload, authorOf(visit), also)
      const after = isOff ? null : await write(visit, work, mode, current, store)
      if (after !== null) await noteFor(visit, 'listing_edited', after, work)
      return outcome(visit, work, after ?? current, base)
    } catch (error) {
      const isOvertaken = error instanceof ApiError && error.code === 'precondition_failed'
      if (!isOvertaken || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Saves the form of a new listing. It names the listing's uuid: if that is there already, the form is one of that listing.
 * @throws ApiError `not_found` if that was removed
 */
export async function saveNew(visit: AgencyVisit, mode: SaveMode): Promise<Saved> {
  const { deps, agency, form, format } = visit
  const id = (form.get('new_id') ?? '').toLowerCase()
  if (!isUuid(id)) throw new ApiError('invalid_parameter', { parameter: 'new_id' })
  const work = begin(visit, readForm(form, noContent, format))
  if (mode === 'all' ? work.left.size > 0 : isWorthADraft(work.left)) {
    let isThere = false
    const after = await write(visit, work, mode, noContent, async (payload, also) => {
      const written = await createByPerson(deps, agency.id, id, payload, authorOf(visit), also)
      isThere = written === null
      return written
    })
    if (isThere) {
      const first = await findFirstVersion(deps, agency.id, id)
      return saveEdit(visit, await presentListing(visit, id), mode, first ?? Number.NaN)
    }
    if (after !== null) {
      await noteFor(visit, 'listing_created', after, work)
      return outcome(visit, work, after, noContent)
    }
  }
  return outcome(visit, work, null, noContent)
}

/** What somebody has merely tried out should not become a draft. */
function isWorthADraft(changes: Changes): boolean {
  return [...changes.keys()].some(({ name }) => name !== 'operation' && name !== 'type')
}

function begin(visit: AgencyVisit, reading: Reading): Work {
  const { changes, misread } = reading
  const problems = Object.fromEntries(misread.map((one) => [one.field, misreadText(visit, one)]))
  const status = misread.length > 0 ? 400 : 200
  const nothingYet = { saved: [], conflicts: [], duplicate: null, warnings: [] }
  const blur =
    visit.form.get('place_shown') === visit.form.get('place_shown_was') ? null : readPlaceShown(visit.form)
  return { reading, blur, open: new Map(changes), left: new Map(changes), problems, status, ...nothingYet }
}

/** Sets aside what others changed too since the form's version, unless the person has chosen. */
function setConflictsAside(form: URLSearchParams, work: Work, base: Listing, current: Listing): void {
  const inConflict = new Set(form.getAll('conflict'))
  for (const [unit, mine] of work.reading.changes) {
    const choice = form.get(`choice.${unit.name}`)
    const theirs = unit.value(current)
    // The choice was between this and the change that the form showed: it says nothing of a later one.
    const isLater = !isSame(theirs, unit.value(base))
    if (isSame(mine, theirs) || (choice === 'theirs' && !isLater)) {
      work.left.delete(unit)
      work.open.delete(unit)
    } else if (isLater || (inConflict.has(unit.name) && choice !== 'mine')) {
      work.left.delete(unit)
      work.conflicts.push({ unit, mine, theirs })
    }
  }
  if (work.conflicts.length > 0) work.status = 412
}

type Written = { listing: Listing; warnings: readonly Warning[] }

/**
 * Writes what is left, in the mode `valid` without what is refused on the way.
 * @returns the listing after it; null if nothing was written
 */
async function write(
  visit: AgencyVisit,
  work: Work,
  mode: SaveMode,
  current: Content,
  store: (payload: Payload, also: Also) => Promise<Written | null>,
): Promise<Listing | null> {
  const force = visit.form.get('force_duplicate') === 'yes' ? { force_duplicate: true } : {}
  const { blur } = work
  const also: Also = async (context, listing) =>
    blur === null ? listing : await blurPlace(context, listing, blur)
  let isCounted = false
  while ((work.left.size > 0 || blur !== null) && (mode === 'valid' || work.status === 200)) {
    const size = work.left.size
    try {
      const payload = { ...payloadOf(work.left, current), ...force }
      checkEdit(payload)
      if (!isCounted) await countSave(visit)
      isCounted = true
      const written = await store(payload, also)
      if (written === null) return null
      work.warnings = written.warnings
      work.saved = [...work.left.keys()]
      for (const unit of work.saved) work.open.delete(unit)
      work.blur = null
      return written.listing
    } catch (error) {
      const refusal = refusalOf(visit, error)
      Object.assign(work.problems, refusal.problems)
      work.duplicate = refusal.duplicate ?? work.duplicate
      work.status = refusal.status
      for (const unit of refusal.units) work.left.delete(unit)
      if (work.left.size === size) return null
    }
  }
  return null
}

async function countSave({ deps, session }: AgencyVisit): Promise<void> {
  const { db, clock, config } = deps
  await takeSave({ db, clock, limits: config.limits }, session.account.id)
}

/** @param base the listing as the form showed it */
function outcome(
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

/** Everything that operators do is in the audit log. */
async function noteFor(
  visit: AgencyVisit,
  action: 'listing_created' | 'listing_edited',
  listing: Listing,
  { saved }: Work,
): Promise<void> {
  if (visit.session.account.role !== 'operator') return
  const fields = saved.map(({ name }) => name)
  await note(visit.deps.db, visit, action, visit.agency.realId, listing.public_id, { fields })
}
