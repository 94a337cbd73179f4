/** Creates or edits a listing by its external id (api.md 15.9): the agency's lock decides which of the two. */
import type { Deps } from '../../deps.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { Problems } from '../../platform/errors/errors.ts'
import { checkCreation, checkCreationFields } from './create/check-creation.ts'
import { createListing, type Written } from './create/create.ts'
import type { Listing, Warning } from '../listing.ts'
import { isExternalId, type Payload } from '../fields/schema.ts'
import type { WriteContext } from '../store/write-context.ts'
import { updateListing } from './update.ts'

/** Adds a problem if the body has another external id than the path. */
export function checkSameId(externalId: string, sent: unknown, problems: Problems): void {
  const { external_id: own } = (sent ?? {}) as { external_id?: unknown }
  if (own === undefined || own === externalId) return
  problems.add(
    'external_id',
    'external_id differs from the one in the path. Leave it out. To change it, use PATCH /properties/{id}.',
  )
}

/**
 * Creates the listing, or updates it and warns of fields that an update ignores. The agency must be locked.
 * @param existing the listing with the external id, read under the lock, or null
 * @throws ApiError as creating and editing do
 */
export async function upsertListing(
  context: WriteContext,
  deps: Deps,
  externalId: string,
  existing: Listing | null,
  payload: Payload,
): Promise<Written & { created: boolean }> {
  const problems = new Problems()
  checkSameId(externalId, payload, problems)
  if (!problems.isEmpty && existing === null) checkCreationFields(deps, payload, problems)
  problems.throwIfAny()
  if (existing === null) {
    const creation = checkCreation(deps, { ...payload, external_id: externalId })
    return { ...(await createListing(context, creation, { isLast: true })), created: true }
  }
  const { status: _status, photos: _photos, external_id: _externalId, ...edit } = payload
  const written = await updateListing(context, existing, edit, deps.config.publicBaseUrl)
  return { ...written, warnings: [...written.warnings, ...ignoredWarnings(payload)], created: false }
}

/** Fields that an upsert ignores, with a warning, when it updates → what to use instead. */
const ignored = {
  status: 'Use POST /properties/{id}/enable or /disable.',
  photos: 'Use PUT /properties/{id}/photos to set them, or POST to add some.',
}

function ignoredWarnings(payload: Payload): Warning[] {
  return (['status', 'photos'] as const)
    .filter((name) => payload[name] !== undefined)
    .map((name) => ({
      code: `${name}_ignored`,
      message: `${name} is ignored when a listing is updated. ${ignored[name]}`,
      parameter: name,
    }))
}

/** An upsert that is refused anyway, with its problems so far. */
type RefusedUpsert = { externalId: unknown; sent: unknown; problems: Problems; prefix: string }

const selectExternalIds = statement<{ external_id: string }>(
  'select external_id from properties where agency_id = $1 and external_id = any ($2) and deleted_at is null',
)

/** Adds the problems of single fields that a creation would have, if no listing has the external id. An update ignores these fields. */
export async function checkRefusedUpserts(deps: Deps, agencyId: string, refused: readonly RefusedUpsert[]) {
  const candidates = refused.flatMap(({ externalId, sent, problems, prefix }) => {
    if (!isExternalId(externalId)) return []
    const further = new Problems()
    checkCreationFields(deps, sent, further, prefix)
    return further.isEmpty ? [] : [{ externalId, problems, further }]
  })
  if (candidates.length === 0) return
  const rows = await selectExternalIds(deps.db, [agencyId, candidates.map(({ externalId }) => externalId)])
  const found = new Set(rows.map(({ external_id: id }) => id))
  for (const { externalId, problems, further } of candidates)
    if (!found.has(externalId)) problems.attempt(() => further.throwIfAny())
}
