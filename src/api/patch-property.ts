/** `PATCH /properties/{id}` (api.md 15.11). */
import { checked } from '../errors.ts'
import { writeEndpoint } from '../http/endpoint.ts'
import { checkIfMatch } from '../http/etag.ts'
import { getPresent, listingStatement } from '../properties/find.ts'
import { canonicalPayload, checkPayload } from '../properties/payload.ts'
import { patchSchema } from '../properties/schema.ts'
import { commitUpdate, prepareUpdate, updatesAtOnce } from '../properties/update.ts'
import { exampleProperty } from './examples.ts'
import { describedWrite, idParams, contextOf, withTriedExample } from './shared.ts'
import { replayWritten, written } from './written.ts'

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
  params: idParams,
  body: patchSchema,
  bodyExample: { price: { amount: 121000 }, features: { garages: 1 } },
  canonicalBody: canonicalPayload,
  responses: { 200: withTriedExample(describedWrite('Updated.', example)) },
  errors: [
    'not_found',
    'duplicate_property',
    'external_id_exists',
    'precondition_failed',
    'insufficient_photos',
    'not_publishable',
  ],
  check: ({ body, inexact }) => checked((problems) => checkPayload(body, inexact, problems)),
  foresee: ({ body, inexact }, problems) => checkPayload(body, inexact, problems),
  runsAtOnce: ({ body }) => updatesAtOnce(body),
  async prepare(input) {
    const { deps, caller, params, body, ifMatch } = input
    return prepareUpdate(deps, caller.agency.id, params, body, {
      check: (before) => checkIfMatch(ifMatch, before),
    })
  },
  imagine: async () => null,
  read: ({ caller, params }) => listingStatement(caller.agency.id, params),
  async commit(locked, input, located, rows) {
    const before = getPresent(rows)
    checkIfMatch(input.ifMatch, before)
    const context = contextOf(locked, input)
    const { listing, warnings } = await commitUpdate(
      context,
      before,
      input.body,
      located,
      input.deps.config.publicBaseUrl,
    )
    return written(input, listing, warnings)
  },
  replay: replayWritten,
})
