/** `PUT /properties/external/{external_id}` (api.md 15.9). */
import { writeEndpoint } from '../../http/endpoint.ts'
import { checkIfMatch } from '../../http/responses/etag.ts'
import { existing, listingStatement } from '../../listings/reading/find.ts'
import { checkPayload } from '../../listings/fields/payload.ts'
import { payloadSchema } from '../../listings/fields/schema.ts'
import { checkRefusedUpserts, checkSameId, upsertListing } from '../../listings/writing/upsert.ts'
import { creationResponses, creationBodies } from '../examples/creation-examples.ts'
import { creationErrors, describedCreation, describedWrite } from './described-writes.ts'
import { externalIdParams } from '../params.ts'
import { writeListings } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

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
  runsDry: true,
  params: externalIdParams,
  body: payloadSchema,
  bodyExamples: creationBodies,
  responses: { 200: describedWrite('Updated.'), 201: describedCreation(creationResponses) },
  errors: creationErrors,
  async check({ deps, caller, params, body, inexact }, problems) {
    checkPayload(body, inexact, problems)
    if (problems.isEmpty || caller === null) return
    const { external_id: externalId } = params as { external_id: string }
    checkSameId(externalId, body, problems)
    await checkRefusedUpserts(deps, caller.agency.id, [{ externalId, sent: body, problems, prefix: '' }])
  },
  run(request) {
    const { deps, caller, params, body, ifMatch } = request
    const find = listingStatement(caller.agency.id, params)
    return writeListings(request, find, async (context, rows) => {
      const found = existing(rows)
      checkIfMatch(ifMatch, found)
      const upserted = await upsertListing(context, deps, params.external_id, found, body)
      return writeResponse(request, upserted, { status: upserted.created ? 201 : 200 })
    })
  },
  replay: replayWrite,
})
