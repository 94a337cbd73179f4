/** `POST /properties/{id}/enable` (api.md 15.14). */
import { enableListing } from '../properties/publish.ts'
import Type from 'typebox'
import { writeEndpoint } from '../http/endpoint.ts'
import { checkIfMatch } from '../http/etag.ts'
import { getPresent, listingStatement } from '../properties/find.ts'
import { describedWrite, idParams, contextOf } from './shared.ts'
import { replayWritten, written } from './written.ts'

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
  params: idParams,
  body: Type.Object({}, { additionalProperties: false }),
  bodyOptional: true,
  responses: { 200: describedWrite('Published.') },
  errors: ['not_found', 'precondition_failed', 'insufficient_photos', 'not_publishable'],
  runsAtOnce: () => true,
  async prepare() {},
  async imagine() {},
  read: ({ caller, params }) => listingStatement(caller.agency.id, params),
  async commit(locked, input, _prepared, rows) {
    const before = getPresent(rows)
    checkIfMatch(input.ifMatch, before)
    const context = contextOf(locked, input)
    return written(input, await enableListing(context, before), [])
  },
  replay: replayWritten,
})
