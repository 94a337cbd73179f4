/** `POST /properties/{id}/disable` (api.md 15.13). */
import Type from 'typebox'
import { writeEndpoint } from '../../http/endpoint.ts'
import { checkClosing, closingProperties, readClosing } from '../../listings/writing/states/closing.ts'
import { disableListing } from '../../listings/writing/states/states.ts'
import { exampleProperty } from '../examples/examples.ts'
import { describedWrite } from './described-writes.ts'
import { idParams } from '../params.ts'
import { changeListing } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

const body = Type.Object(closingProperties, { additionalProperties: false })

export const disableProperty = writeEndpoint({
  method: 'POST',
  path: '/properties/{id}/disable',
  operationId: 'disableProperty',
  summary: 'Disable',
  description:
    'Takes a published listing off the public pages (also called suspending it). If it is already disabled, its state does not change, but the reason and closing data sent are recorded. A draft gives 400.',
  tag: 'States',
  scope: 'properties:write',
  idempotency: 'optional',
  runsDry: true,
  params: idParams,
  body,
  bodyOptional: true,
  bodyExample: { reason: 'sold', close_price: { amount: 119000, currency: 'USD' } },
  responses: { 200: describedWrite('Disabled.', { ...exampleProperty, status: 'disabled' }) },
  errors: ['not_found', 'precondition_failed'],
  check({ body, inexact }, problems) {
    if (typeof body === 'object' && body !== null) checkClosing(body, inexact, problems)
  },
  run(request) {
    const closing = readClosing(request.body)
    return changeListing(request, async (context, before) =>
      writeResponse(request, { listing: await disableListing(context, before, closing) }),
    )
  },
  replay: replayWrite,
})
