/** `POST /properties/{id}/enable` (api.md 15.14). */
import { enableListing } from '../../listings/writing/states/states.ts'
import Type from 'typebox'
import { writeEndpoint } from '../../http/endpoint.ts'
import { describedWrite } from './described-writes.ts'
import { idParams } from '../params.ts'
import { changeListing } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

export const enableProperty = writeEndpoint({
  method: 'POST',
  path: '/properties/{id}/enable',
  operationId: 'enableProperty',
  summary: 'Enable (publish)',
  description:
    'Publishes a draft, or a disabled listing again, if it meets the requirements. A published one stays as it is.',
  tag: 'States',
  scope: 'properties:write',
  idempotency: 'optional',
  runsDry: true,
  params: idParams,
  body: Type.Object({}, { additionalProperties: false }),
  bodyOptional: true,
  responses: { 200: describedWrite('Published.') },
  errors: ['not_found', 'precondition_failed', 'insufficient_photos', 'not_publishable'],
  run: (request) =>
    changeListing(request, async (context, before) =>
      writeResponse(request, { listing: await enableListing(context, before) }),
    ),
  replay: replayWrite,
})
