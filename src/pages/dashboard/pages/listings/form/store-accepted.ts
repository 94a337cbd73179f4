/** Stores the changes of a listing's form: for a button all or nothing, for a script as many as are accepted. */
import { takeSave } from '../../../../../access/accounts/person-limits.ts'
import { noContent } from '../../../../../listings/fields/content.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import type { Written } from '../../../../../listings/writing/create/create.ts'
import type { PersonEdit } from '../../../../../listings/writing/write-by-person.ts'
import type { AgencyRequest } from '../../../serving/page.ts'
import { type Changes, checkEdit, type FormRefusal, formRefusalOf, payloadOf } from './read-form.ts'
import type { Unit } from './units.ts'

/** Returns null if the listing to be created exists already. */
export type Store = (edit: PersonEdit) => Promise<Written | null>

type Edit = Readonly<{
  changes: Changes
  /** The new choice of how public pages show the place; null if it stays. */
  isBlurred: boolean | null
  /** Whether other parts of the form cannot be saved. */
  isBlocked: boolean
}>

type Stored = Readonly<{
  /** Null if nothing was stored. */
  listing: Listing | null
  /** The units whose changes were stored. */
  written: ReadonlySet<Unit>
  refusals: readonly FormRefusal[]
}>

export const nothingStored: Stored = { listing: null, written: new Set(), refusals: [] }

/**
 * @param current the listing as it is now; null for a new one
 * @throws ApiError if changing a field cannot help, or if the listing has another version
 */
export async function storeAccepted(
  request: AgencyRequest,
  current: Listing | null,
  { changes, isBlurred, isBlocked }: Edit,
  store: Store,
): Promise<Stored> {
  const { deps, form, wantsJson: isPartial } = request
  const force = form.get('force_duplicate') === 'yes' ? { force_duplicate: true } : {}
  const isWorthIt = (some: Changes) =>
    current === null ? isWorthAListing(some, isPartial) : some.size > 0 || isBlurred !== null

  let hasTakenSave = false
  const attempt = async (some: Changes): Promise<Listing | null> => {
    const payload = { ...payloadOf(some, current ?? noContent), ...force }
    checkEdit(payload)
    // The check ran nevertheless, so that the page shows every problem.
    if (isBlocked && !isPartial) return null
    if (!hasTakenSave) await takeSave(deps, request.session.account.id)
    hasTakenSave = true
    return (await store({ payload, isBlurred }))?.listing ?? null
  }

  const refusals: FormRefusal[] = []
  let rest = changes
  while (isWorthIt(rest)) {
    try {
      const listing = await attempt(rest)
      return { listing, written: new Set(listing === null ? [] : rest.keys()), refusals }
    } catch (error) {
      const refusal = formRefusalOf(request, error)
      refusals.push(refusal)
      const others: Changes = new Map([...rest].filter(([unit]) => !refusal.units.includes(unit)))
      if (!isPartial || others.size === rest.size) break
      rest = others
    }
  }
  return { ...nothingStored, refusals }
}

/** Autosave creates no draft of operation and type alone: somebody may only be trying the form. */
function isWorthAListing(changes: Changes, isPartial: boolean): boolean {
  return [...changes.keys()].some(({ name }) => !isPartial || (name !== 'operation' && name !== 'type'))
}
