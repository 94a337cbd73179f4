/**
 * Saves a listing's form with the API's functions. The form names the version that it shows. Changes by others since then are kept. If two
 * people changed the same field, neither change is overwritten. A button saves everything or, if anything is refused, nothing.
 * A script, which saves drafts during typing, saves as much as possible.
 */
import {
  createByPerson,
  editByPerson,
  findFirstVersion,
} from '../../../../../listings/writing/write-by-person.ts'
import { findListingAt } from '../../../../../listings/history/rewind.ts'
import { type Content, noContent } from '../../../../../listings/fields/content.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { actorOf } from '../../../actor.ts'
import {
  type Changes,
  type FormRefusal,
  isSame,
  isSameText,
  misreadProblems,
  readForm,
  type Reading,
} from './read-form.ts'
import { nothingStored, type Store, storeAccepted } from './store-accepted.ts'
import { fieldNamed, type Misread, textsOf, type Typed, type Unit, units } from './units.ts'
import { readPlaceShown } from '../../../parts/place.ts'
import { auditByOperator, presentListing, versionOf } from '../../../requested-listing.ts'
import type { AgencyRequest, Refusal } from '../../../serving/page.ts'
import { noProblems, type FieldProblems } from '../../../../framework/fields.ts'
import type { ErrorCode } from '../../../../../platform/errors/error-catalogue.ts'
import { ApiError } from '../../../../../platform/errors/errors.ts'
import { isUuid } from '../../../../../platform/names/ids.ts'
import type { Format } from '../../../../../platform/web/language/format.ts'

/** Two changes of one unit: the form's, and one saved by others since the form was shown. */
export type Conflict = Readonly<{ unit: Unit; mine: unknown; theirs: unknown }>

export type Saved = Readonly<
  Refusal & {
    /** Its current state; null if it does not exist yet. */
    listing: Listing | null
    /** The version that the form showed. */
    shown: number | null
    /** Whether everything in the form is saved. */
    isWhole: boolean
    /** Whether the choice of how public pages show the place is still unsaved. */
    isPlaceOpen: boolean
    /** The fields with which the form continues: saved ones as stored, others as typed. */
    typed: Typed
    conflicts: readonly Conflict[]
    /** Fields that were typed in other words than they are stored, such as `450000 pesos`. */
    reworded: Typed
    /** Fields that others have changed since the form was shown. */
    taken: Typed
    /** Public code of the listing that has the same address. */
    duplicate: string | null
  }
>

/** The form as it is first shown. */
export function unsaved({ format }: AgencyRequest, listing: Listing | null): Saved {
  return {
    listing,
    shown: listing?.version ?? null,
    isWhole: true,
    isPlaceOpen: false,
    typed: textsOf(listing ?? noContent, format),
    problems: noProblems,
    conflicts: [],
    reworded: {},
    taken: {},
    duplicate: null,
    code: null,
  }
}

const maxAttempts = 3

/**
 * Saves the form of an existing listing.
 * @param shown the version that the form shows; by default the one that it names
 * @throws ApiError if changing a field cannot help: `not_found`, a version that the listing never had
 */
export async function saveEdit(request: AgencyRequest, listing: Listing, shown = versionOf(request)) {
  const { deps, agency } = request
  const base =
    shown === listing.version ? listing : await findListingAt(deps.db, agency.id, listing.id, shown)
  if (base === null) throw new ApiError('precondition_failed')
  for (let attempt = 1; ; attempt += 1) {
    const current = attempt === 1 ? listing : await presentListing(request, listing.id)
    // A script saves nothing if the draft was published meanwhile: nothing goes public without a button.
    const isClosedToScripts = request.wantsJson && current.status !== 'draft'
    const store: Store = (edit) => editByPerson(deps, agency.id, current, edit, actorOf(request))
    try {
      return await save(request, base, current, isClosedToScripts ? null : store)
    } catch (error) {
      // Another write came between: compare the form with the listing that it left.
      const isOvertaken = error instanceof ApiError && error.code === 'precondition_failed'
      if (!isOvertaken || attempt === maxAttempts) throw error
    }
  }
}

/**
 * Saves the form of a new listing, which names the listing's uuid. If that listing exists already, the form edits it.
 * @throws ApiError `not_found` if the listing was removed
 */
export async function saveNew(request: AgencyRequest): Promise<Saved> {
  const { deps, agency, form } = request
  const id = (form.get('new_id') ?? '').toLowerCase()
  if (!isUuid(id)) throw new ApiError('invalid_parameter', { parameter: 'new_id' })
  let existsAlready = false
  const saved = await save(request, noContent, null, async (edit) => {
    const written = await createByPerson(deps, agency.id, id, edit, actorOf(request))
    existsAlready = written === null
    return written
  })
  if (!existsAlready) return saved
  const first = await findFirstVersion(deps, agency.id, id)
  return saveEdit(request, await presentListing(request, id), first ?? Number.NaN)
}

type Base = Content & { version?: number }

/**
 * @param base the listing as the form showed it
 * @param current as it is now; null for a new one
 * @param store null if nothing may be saved
 */
async function save(
  request: AgencyRequest,
  base: Base,
  current: Listing | null,
  store: Store | null,
): Promise<Saved> {
  const { form, format } = request
  const reading = readForm(form, base, format)
  const { misread } = reading
  const { left, conflicts, givenUp } = compare(form, reading.changes, base, current ?? noContent)
  const isBlurred = form.get('place_shown') === form.get('place_shown_was') ? null : readPlaceShown(form)
  const isBlocked = conflicts.length > 0 || misread.length > 0

  const edit = { changes: left, isBlurred, isBlocked }
  const stored = store === null ? nothingStored : await storeAccepted(request, current, edit, store)
  const { listing: after, written, refusals } = stored
  if (after !== null) {
    const fields = [...written].map(({ name }) => name)
    await auditByOperator(request, current === null ? 'listing_created' : 'listing_edited', after, { fields })
  }

  const listing = after ?? current
  const isPlaceOpen = isBlurred !== null && after === null
  const { isHeld, ...texts } = textsAfter(reading, givenUp, written, base, listing ?? noContent, format)
  const problems = [misreadProblems(request, misread), ...refusals.map((one) => one.problems)]
  return {
    listing,
    shown: base.version ?? null,
    isWhole: !isHeld && !isPlaceOpen,
    isPlaceOpen,
    ...texts,
    problems: inOrder(Object.assign({}, ...problems)),
    conflicts,
    duplicate: refusals.find(({ duplicate }) => duplicate !== null)?.duplicate ?? null,
    code: codeOf(conflicts, misread, refusals),
    headers: refusals[0]?.headers,
  }
}

/** The code of the most important problem, or null if there is none. */
function codeOf(
  conflicts: readonly Conflict[],
  misread: readonly Misread[],
  refusals: readonly FormRefusal[],
): ErrorCode | null {
  if (conflicts.length > 0) return 'precondition_failed'
  if (misread.length > 0) return 'invalid_parameter'
  return refusals[0]?.code ?? null
}

/** Splits the form's changes into conflicts that the person must still decide, changes given up, and changes left to save. */
function compare(form: URLSearchParams, changes: Changes, base: Content, current: Content) {
  const inConflict = new Set(form.getAll('conflict'))
  const conflicts: Conflict[] = []
  /** Given up for the other change, or equal to it. */
  const givenUp = new Set<Unit>()
  /** Changes that nothing blocks. */
  const left: Changes = new Map()
  for (const [unit, mine] of changes) {
    const choice = form.get(`choice.${unit.name}`)
    const theirs = unit.value(current)
    // The person chose between this and the change that the form showed. A later change needs a new choice.
    const isLater = !isSame(theirs, unit.value(base))
    if (isSame(mine, theirs) || (choice === 'theirs' && !isLater)) givenUp.add(unit)
    else if (isLater || (inConflict.has(unit.name) && choice !== 'mine'))
      conflicts.push({ unit, mine, theirs })
    else left.set(unit, mine)
  }
  return { left, conflicts, givenUp }
}

/** The texts with which the form continues, and whether some are unsaved. */
function textsAfter(
  { read, changes, misread, typed }: Reading,
  givenUp: ReadonlySet<Unit>,
  written: ReadonlySet<Unit>,
  base: Content,
  content: Content,
  format: Format,
) {
  const held = new Set(misread.map(({ path }) => fieldNamed(path)?.unit))
  for (const unit of changes.keys()) if (!givenUp.has(unit) && !written.has(unit)) held.add(unit)
  const isTaken = (unit: Unit) =>
    !held.has(unit) &&
    !written.has(unit) &&
    (givenUp.has(unit) || !isSame(unit.value(content), unit.value(base)))
  const stored = { ...typed, ...textsOf(content, format) }
  const storedOf = (some: readonly Unit[]): Typed =>
    Object.fromEntries(some.flatMap(({ fields }) => fields.map(({ path }) => [path, stored[path] ?? ''])))
  const taken = storedOf(units.filter(isTaken))
  const reworded = storedOf(
    read.filter((unit) => !held.has(unit) && !isTaken(unit) && !isSameText(unit, typed, stored)),
  )
  return { typed: { ...typed, ...reworded, ...taken }, reworded, taken, isHeld: held.size > 0 }
}

const fieldsInOrder = units.flatMap(({ fields }) => fields.map(({ path }) => path))

/** Sorts problems in the order of the form's fields. Problems of no field come first. */
function inOrder(problems: FieldProblems): FieldProblems {
  const position = (name: string) => fieldsInOrder.indexOf(name)
  return Object.fromEntries(Object.entries(problems).toSorted(([a], [b]) => position(a) - position(b)))
}
