/** `POST /properties` (api.md 15.7). */
import { authorOf } from '../../http/admission/authenticate.ts'
import { writeEndpoint } from '../../http/endpoint.ts'
import { checkIfMatch } from '../../http/responses/etag.ts'
import { checkCreation, checkCreationFields } from '../../listings/writing/create/check-creation.ts'
import { createListing } from '../../listings/writing/create/create.ts'
import { canCreateAtOnce, createAtOnce } from '../../listings/writing/create/create-at-once.ts'
import { checkPayload } from '../../listings/fields/payload.ts'
import { payloadSchema } from '../../listings/fields/schema.ts'
import { creationResponses, creationBodies } from '../examples/creation-examples.ts'
import { creationErrors, describedCreation } from './responses/write-schemas.ts'
import { fetchesOf, writeListings } from './write-listings.ts'
import { storedContextOf, replayWrite, writeResponse } from './responses/write-response.ts'

export const createProperty = writeEndpoint({
  method: 'POST',
  path: '/properties',
  operationId: 'createProperty',
  summary: 'Create',
  description:
    'Creates a draft, or with `status: published` a listing that is shown at once. Publishing requires its fields and photos to be complete.',
  tag: 'Listings',
  scope: 'properties:write',
  idempotency: 'required',
  runsDry: true,
  body: payloadSchema,
  bodyExamples: creationBodies,
  responses: { 201: describedCreation(creationResponses) },
  errors: [...creationErrors, 'external_id_exists'],
  check({ deps, body, inexact }, problems) {
    checkPayload(body, inexact, problems)
    // Without problems, `checkCreation` checks these fields in `run`.
    if (!problems.isEmpty) checkCreationFields(deps, body, problems)
  },
  async run(request) {
    const { deps, caller, body, key } = request
    checkIfMatch(request.ifMatch, null)
    const creation = checkCreation(deps, body)
    const fetches = fetchesOf(request)
    // Only a dry run has no key. It needs a transaction to roll back.
    if (key !== null && canCreateAtOnce(deps, creation)) {
      const author = authorOf(caller, request.requestId)
      const created = await createAtOnce(deps, caller.agency.id, author, creation, fetches, (warnings) => ({
        key: key.key,
        hash: key.hash,
        token: key.token,
        status: 201,
        rest: JSON.stringify({ ...storedContextOf(request), warnings }),
      }))
      if (!('rejection' in created)) return writeResponse(request, created, { status: 201 })
      // The agency is busy or the key is in use: a transaction waits for the one, and replays the response of the other.
    }
    return await writeListings(
      request,
      null,
      async (context) =>
        writeResponse(request, await createListing(context, creation, { isLast: true }), { status: 201 }),
      fetches,
    )
  },
  replay: replayWrite,
})
