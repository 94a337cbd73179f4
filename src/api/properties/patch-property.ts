/** `PATCH /properties/{id}` (api.md 15.11). */
import { writeEndpoint } from '../../http/endpoint.ts'
import { checkPayload } from '../../listings/fields/payload.ts'
import { patchSchema } from '../../listings/fields/schema.ts'
import { updateListing } from '../../listings/writing/update.ts'
import { exampleProperty } from '../examples/examples.ts'
import { describedWrite, withDryRunExample } from './described-writes.ts'
import { idParams } from '../params.ts'
import { changeListing } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

const example = {
  ...exampleProperty,
  price: { ...exampleProperty.price, amount: 121000 },
  features: { ...exampleProperty.features, garages: 1 },
}

export const patchProperty = writeEndpoint({
  method: 'PATCH',
  path: '/properties/{id}',
  operationId: 'patchProperty',
  summary: 'Partial edit',
  description:
    "Changes only the fields sent: objects merge, null clears, lists replace. `photos` reorders and removes the listing's own; `PUT …/photos` adds and replaces too. The state cannot be changed here.",
  tag: 'Listings',
  scope: 'properties:write',
  idempotency: 'optional',
  runsDry: true,
  params: idParams,
  body: patchSchema,
  bodyExample: { price: { amount: 121000 }, features: { garages: 1 } },
  responses: { 200: withDryRunExample(describedWrite('Updated.', example)) },
  errors: [
    'not_found',
    'duplicate_property',
    'external_id_exists',
    'precondition_failed',
    'insufficient_photos',
    'not_publishable',
  ],
  check: ({ body, inexact }, problems) => checkPayload(body, inexact, problems),
  run(request) {
    const { deps, body } = request
    return changeListing(request, async (context, before) =>
      writeResponse(request, await updateListing(context, before, body, deps.config.publicBaseUrl)),
    )
  },
  replay: replayWrite,
})
