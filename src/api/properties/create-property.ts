/** `POST /properties` (api.md 15.7). */
import { writeEndpoint } from '../../http/endpoint.ts'
import { checkIfMatch } from '../../http/responses/etag.ts'
import { checkCreation, checkCreationFields } from '../../listings/writing/create/check-creation.ts'
import { checkPayload } from '../../listings/fields/payload.ts'
import { payloadSchema } from '../../listings/fields/schema.ts'
import { creationResponses, creationBodies } from '../examples/creation-examples.ts'
import { creationErrors, describedCreation } from './described-writes.ts'
import { writeCreation } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

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
    // Without problems, `run` checks these fields: there, the outcome of a used Idempotency-Key takes precedence over their errors.
    if (!problems.isEmpty) checkCreationFields(deps, body, problems)
  },
  async run(request) {
    checkIfMatch(request.ifMatch, null)
    const creation = checkCreation(request.deps, request.body)
    return await writeCreation(request, creation, (created) =>
      writeResponse(request, created, { status: 201 }),
    )
  },
  replay: replayWrite,
})
