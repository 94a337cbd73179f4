/**
 * A save of a listing's form under way: what of it is written, what is in the way, and what is left.
 */
import { takeSave } from '../../../access/accounts/attempts.ts'
import type { Also } from '../../../listings/by-person.ts'
import { type Content, type Listing, noContent, type Warning } from '../../../listings/listing.ts'
import { blurPlace } from '../../../listings/public.ts'
import type { Payload } from '../../../listings/schema.ts'
import type { Problems } from '../../framework/fields.ts'
import { readPlaceShown } from '../place.ts'
import type { AgencyVisit } from '../visit.ts'
import { type Changes, checkEdit, isSame, isSameText, payloadOf, type Reading } from './read.ts'
import { misreadText, refusalOf } from './refusals.ts'
import type { Conflict, Saved } from './saved.ts'
import type { Unit } from './unit.ts'
import { textsOf, unitOf, units } from './units.ts'

export type SaveMode = 'all' | 'valid'

export type Work = {
  reading: Reading
  /** Whether public pages shall show the place approximately, if the person changed that. */
  blur: boolean | null
  /** Changes that are neither saved nor given up. */
  open: Changes
  /** Changes not blocked so far. */
  left: Changes
  saved: Unit[]
  problems: Record<string, string>
  conflicts: Conflict[]
  duplicate: string | null
  warnings: readonly Warning[]
  status: number
}

export function begin(visit: AgencyVisit, reading: Reading): Work {
  const { changes, misread } = reading
  const problems = Object.fromEntries(misread.map((one) => [one.field, misreadText(visit, one)]))
  const status = misread.length > 0 ? 400 : 200
  const nothingYet = { saved: [], conflicts: [], duplicate: null, warnings: [] }
  const blur =
    visit.form.get('place_shown') === visit.form.get('place_shown_was') ? null : readPlaceShown(visit.form)
  return { reading, blur, open: new Map(changes), left: new Map(changes), problems, status, ...nothingYet }
}

/** Sets aside what others changed too since the form's version, unless the person has chosen. */
export function setConflictsAside(form: URLSearchParams, work: Work, base: Listing, current: Listing): void {
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
export async function write(
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
  // Nothing is saved then, and all problems are shown at once.
  if (mode === 'all' && work.status !== 200 && work.left.size > 0) judge(visit, work, current)
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

/** Adds the problems that the contract finds in the readable fields. */
function judge(visit: AgencyVisit, work: Work, current: Content): void {
  try {
    checkEdit(payloadOf(work.left, current))
  } catch (error) {
    Object.assign(work.problems, refusalOf(visit, error).problems)
  }
}

async function countSave({ deps, session }: AgencyVisit): Promise<void> {
  const { db, clock, config } = deps
  await takeSave({ db, clock, limits: config.limits }, session.account.id)
}

const fieldsInOrder = units.flatMap(({ fields }) => fields)

/** As the form has them. What is about no field comes first. */
function inOrder(problems: Problems): Problems {
  const position = (name: string) => fieldsInOrder.indexOf(name)
  return Object.fromEntries(
    Object.entries(problems).toSorted(([one], [other]) => position(one) - position(other)),
  )
}

/** The result of the work. @param base the listing as the form showed it */
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
  const stored = { ...reading.typed, ...textsOf(content, visit.format) }
  const reworded = reading.read.filter(
    (unit) => !held.has(unit) && !taken.includes(unit) && !isSameText(unit, reading.typed, stored),
  )
  const typed: Record<string, string> = { ...reading.typed }
  for (const { fields } of [...reworded, ...taken])
    for (const field of fields) typed[field] = stored[field] ?? ''
  const isPlaceOpen = work.blur !== null
  const isWhole = held.size === 0 && !isPlaceOpen
  const shown = base.version ?? null
  return {
    listing,
    shown,
    isWhole,
    isPlaceOpen,
    typed,
    problems: inOrder(problems),
    conflicts,
    reworded,
    taken,
    duplicate,
    warnings,
    status,
  }
}
