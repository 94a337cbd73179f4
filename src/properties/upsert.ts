/**
 * Creates or updates a listing by its external id (api.md 15.9). Which of the two is decided under the agency's lock; the preparation
 * only guesses.
 */
import type { Deps } from '../deps.ts'
import { hotStatement } from '../db/statement.ts'
import { Problems } from '../errors.ts'
import {
  commitCreation,
  createsAtOnce,
  discardFetched,
  foreseeCreation,
  prepareWithoutFetching,
  prepareCreation,
  type PreparedCreation,
  type Written,
} from './create.ts'
import { findListing } from './find.ts'
import type { Listing, Warning } from './listing.ts'
import type { Located } from './locate.ts'
import { externalIdPattern, type Payload } from './schema.ts'
import { StalePreparation } from '../writing/under-lock.ts'
import type { WriteContext } from './store.ts'
import { commitUpdate, prepareUpdateOf, updatesAtOnce } from './update.ts'

/** The preparation of a creation or of an update; null if neither needs slow work, and in a dry run. */
type PreparedUpsert = { creation: PreparedCreation } | { located: Located } | null

/** A preparation starts over if a concurrent request creates or removes the listing. That does not happen more often than this. */
const maxAttempts = 3

/** @throws ApiError as creating and editing do; `invalid_parameter` if the body has another external id */
export async function prepareUpsert(
  deps: Deps,
  agencyId: string,
  externalId: string,
  payload: Payload,
): Promise<PreparedUpsert> {
  await checkSameId(deps, agencyId, externalId, payload)
  if (upsertsAtOnce(payload)) return null
  const find = () => findListing(deps.db, agencyId, { external_id: externalId })
  for (let attempt = 1; ; attempt += 1) {
    const existing = await find()
    try {
      if (existing !== null)
        return { located: await prepareUpdateOf(deps, existing, withoutIgnored(payload)) }
      return { creation: await prepareCreation(deps, agencyId, { ...payload, external_id: externalId }) }
    } catch (error) {
      // If another request created or removed the listing meanwhile, start over.
      const exists = existing !== null
      if (attempt === maxAttempts || ((await find()) !== null) === exists) throw error
    }
  }
}

/** @throws ApiError `invalid_parameter` if the body has another external id, naming what else a creation would refuse */
export async function checkSameId(
  deps: Deps,
  agencyId: string,
  externalId: string,
  payload: Payload,
): Promise<void> {
  const problems = new Problems()
  foreseeSameId(externalId, payload, problems)
  if (problems.isEmpty) return
  await foreseeUpserts(deps, agencyId, [{ externalId, sent: payload, problems, prefix: '' }])
  problems.throwIfAny()
}

/** Adds an external id in the body that differs from the one in the path. */
export function foreseeSameId(externalId: string, sent: unknown, problems: Problems): void {
  const { external_id: own } = (sent ?? {}) as { external_id?: unknown }
  if (own === undefined || own === externalId) return
  problems.add(
    'external_id',
    'external_id differs from the one in the path. Leave it out. To change it, use PATCH /properties/{id}.',
  )
}

/** Whether neither a creation nor an update would need slow work. */
export function upsertsAtOnce(payload: Payload): boolean {
  return createsAtOnce(payload) && updatesAtOnce(payload)
}

/**
 * Creates the listing, or updates `existing`, which the transaction read under the agency's lock.
 */
export async function commitUpsert(
  context: WriteContext,
  deps: Deps,
  externalId: string,
  existing: Listing | null,
  payload: Payload,
  prepared: PreparedUpsert,
): Promise<Written & { created: boolean }> {
  if (existing !== null) {
    const located =
      prepared === null ? null : 'located' in prepared ? prepared.located : prepared.creation.located
    return { ...(await commitUpsertOf(context, deps, existing, payload, located)), created: false }
  }
  // The listing was removed after the preparation, which geocoded and fetched nothing for a creation.
  if (prepared !== null && !('creation' in prepared)) throw new StalePreparation()
  const creation = prepared?.creation ?? prepareWithoutFetching(deps, { ...payload, external_id: externalId })
  return { ...(await commitCreation(context, creation)), created: true }
}

/** Updates the listing that has the external id, and warns of ignored fields. */
export async function commitUpsertOf(
  context: WriteContext,
  deps: Deps,
  existing: Listing,
  payload: Payload,
  located: Located,
): Promise<Written> {
  const baseUrl = deps.config.publicBaseUrl
  const written = await commitUpdate(context, existing, withoutIgnored(payload), located, baseUrl)
  return { ...written, warnings: [...written.warnings, ...ignoredWarnings(payload)] }
}

/** Deletes the photos that the preparation stored and no listing uses. */
export async function discardUpsert(deps: Deps, agencyId: string, prepared: PreparedUpsert): Promise<void> {
  if (prepared !== null && 'creation' in prepared) await discardFetched(deps, agencyId, prepared.creation)
}

/** The payload without the fields that an upsert ignores on an update. */
export function withoutIgnored(payload: Payload): Payload {
  const { status: _status, photos: _photos, external_id: _externalId, ...rest } = payload
  return rest
}

function ignoredWarnings(payload: Payload): Warning[] {
  const warnings: Warning[] = []
  if (payload.status !== undefined) {
    warnings.push({
      code: 'status_ignored',
      message: 'status is ignored when a listing is updated. Use POST /properties/{id}/enable or /disable.',
      parameter: 'status',
    })
  }
  if (payload.photos !== undefined) {
    warnings.push({
      code: 'photos_ignored',
      message:
        'photos is ignored when a listing is updated. Use PUT /properties/{id}/photos to set them, or POST to add some.',
      parameter: 'photos',
    })
  }
  return warnings
}

/** An upsert that is refused anyway, with what is wrong with it so far. */
type RefusedUpsert = { externalId: unknown; sent: unknown; problems: Problems; prefix: string }

const present = hotStatement<{ external_id: string }>(
  'select external_id from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null',
)

/**
 * Adds what the creation of a listing refuses in single fields, for those external ids that no listing has: an update ignores these
 * fields.
 */
export async function foreseeUpserts(
  deps: Deps,
  agencyId: string,
  refused: readonly RefusedUpsert[],
): Promise<void> {
  const valid = new RegExp(externalIdPattern)
  const candidates = refused.flatMap(({ externalId, sent, problems, prefix }) => {
    if (typeof externalId !== 'string' || externalId.length > 64 || !valid.test(externalId)) return []
    const further = new Problems()
    foreseeCreation(deps, sent, further, prefix)
    return further.isEmpty ? [] : [{ externalId, problems, further }]
  })
  if (candidates.length === 0) return
  const rows = await present(deps.db, [agencyId, candidates.map(({ externalId }) => externalId)])
  const found = new Set(rows.map(({ external_id: id }) => id))
  for (const { externalId, problems, further } of candidates)
    if (!found.has(externalId)) problems.attempt(() => further.throwIfAny())
}
