/** `PUT /properties/external/{external_id}` (api.md 15.9). */
import { checked } from '../errors.ts'
import { type Authenticated, writeEndpoint } from '../http/endpoint.ts'
import { checkIfMatch } from '../http/etag.ts'
import { findListing, present, listingStatement } from '../properties/find.ts'
import { canonicalPayload, checkPayload } from '../properties/payload.ts'
import { payloadSchema } from '../properties/schema.ts'
import {
  checkSameId,
  commitUpsert,
  discardUpsert,
  foreseeSameId,
  foreseeUpserts,
  prepareUpsert,
  upsertsAtOnce,
} from '../properties/upsert.ts'
import { creationAnswers, creationBodies } from './creation-examples.ts'
import { describedCreation, describedWrite, externalIdParams, contextOf } from './shared.ts'
import { replayWritten, written } from './written.ts'

export const putProperty = writeEndpoint({
  method: 'PUT',
  path: '/properties/external/{external_id}',
  operationId: 'putProperty',
  summary: 'Upsert',
  description:
    'Creates the listing if none has this external id; otherwise changes only the fields sent. On an update, `status` and `photos` are ignored with a warning: call `PUT /properties/{id}/photos`, `enable` or `disable` then. An `external_id` in the body must equal the one in the path.',
  tag: 'Listings',
  scope: 'properties:write',
  idempotency: 'optional',
  params: externalIdParams,
  body: payloadSchema,
  bodyExamples: creationBodies,
  canonicalBody: canonicalPayload,
  responses: { 200: describedWrite('Updated.'), 201: describedCreation(creationAnswers) },
  errors: [
    'duplicate_property',
    'precondition_failed',
    'insufficient_photos',
    'too_many_photos',
    'not_publishable',
    'photo_ingest_failed',
  ],
  check: ({ body, inexact }) => checked((problems) => checkPayload(body, inexact, problems)),
  async foresee({ deps, caller, params, body, inexact }, problems) {
    checkPayload(body, inexact, problems)
    const { external_id: externalId } = params as { external_id: string }
    foreseeSameId(externalId, body, problems)
    if (caller !== null)
      await foreseeUpserts(deps, caller.agency.id, [{ externalId, sent: body, problems, prefix: '' }])
  },
  runsAtOnce: ({ body }) => upsertsAtOnce(body),
  async prepare(input) {
    await checkVersion(input)
    return prepareUpsert(input.deps, input.caller.agency.id, input.params.external_id, input.body)
  },
  async imagine(input) {
    await checkVersion(input)
    await checkSameId(input.deps, input.caller.agency.id, input.params.external_id, input.body)
    return null
  },
  read: ({ caller, params }) => listingStatement(caller.agency.id, params),
  async commit(locked, input, prepared, rows) {
    const { deps, body, ifMatch, params } = input
    const existing = present(rows)
    checkIfMatch(ifMatch, existing)
    const context = contextOf(locked, input)
    const { listing, warnings, photos, created } = await commitUpsert(
      context,
      deps,
      params.external_id,
      existing,
      body,
      prepared,
    )
    return written(input, listing, warnings, created ? 201 : 200, photos)
  },
  replay: replayWritten,
  discard: (input, prepared) => discardUpsert(input.deps, input.caller.agency.id, prepared),
})

type Input = Authenticated<{ external_id: string }, unknown, unknown>

/** Judges If-Match before the body's rules; the transaction does so again. @throws ApiError `precondition_failed` */
async function checkVersion({ ifMatch, deps, caller, params }: Input): Promise<void> {
  if (ifMatch === undefined) return
  checkIfMatch(ifMatch, await findListing(deps.db, caller.agency.id, params))
}
