/**
 * Saves a listing's form by the functions of the API. The form says which version it shows: what others changed since then is kept, and
 * where both changed the same, nobody's is overwritten. Two ways: `all` saves everything or, if anything is in the way, nothing; `valid`,
 * for drafts that are saved while somebody types, saves what can be and leaves the rest.
 */
import { ApiError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/ids.ts'
import { type Also, createByPerson, editByPerson, findFirstVersion } from '../../../listings/by-person.ts'
import { type Listing, noContent } from '../../../listings/listing.ts'
import { listingAt } from '../../../listings/history/rewind.ts'
import type { Payload } from '../../../listings/schema.ts'
import { authorOf, note } from '../actor.ts'
import { presentListing, versionOf } from '../requested-listing.ts'
import type { AgencyVisit } from '../visit.ts'
import { type Changes, readForm } from './read.ts'
import type { Saved } from './saved.ts'
import { begin, outcome, type SaveMode, setConflictsAside, type Work, write } from './work.ts'

const maxAttempts = 3

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

/** A mere trial should not become a draft. */
function isWorthADraft(changes: Changes): boolean {
  return [...changes.keys()].some(({ name }) => name !== 'operation' && name !== 'type')
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
