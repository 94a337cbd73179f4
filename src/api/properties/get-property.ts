/** `GET /properties/{id}` and `GET /properties/external/{external_id}` (api.md 15.8, 15.10). */
import Type from 'typebox'
import { readFrom } from '../../platform/db/replica.ts'
import type { Problems } from '../../platform/errors/errors.ts'
import { listingEtag } from '../../http/responses/etag.ts'
import type { ApiResponse } from '../../http/responses/response.ts'
import { type Authenticated, readEndpoint, type Sent } from '../../http/endpoint.ts'
import { getShownRow, type ListingRef } from '../../listings/reading/find.ts'
import { selectedPropertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { fieldsParameter } from '../../listings/fields/schema.ts'
import { type FieldSelection, rowWriter } from '../../listings/reading/shown/shown-text.ts'
import { exampleProperty } from '../examples/examples.ts'
import { externalIdParams, idParams } from '../params.ts'
import { notModified, readFields } from '../reads/read-response.ts'

const query = Type.Object({ fields: fieldsParameter })
const shared = {
  method: 'GET',
  tag: 'Listings',
  scope: 'properties:read',
  isOfRevision: true,
  query,
  responses: {
    200: {
      description: 'The listing.',
      schema: Type.Object({ data: selectedPropertySchema }),
      example: { data: exampleProperty },
      headers: ['ETag'],
    },
    304: notModified,
  },
  errors: ['not_found'],
  check: ({ query: sent }: Sent, problems: Problems) => ({ fields: readFields(sent, problems) }),
} as const

export const getProperty = readEndpoint({
  ...shared,
  path: '/properties/{id}',
  operationId: 'getProperty',
  summary: 'Read one',
  description: 'By public code or uuid. A read-only key sees only published listings.',
  params: idParams,
  run: (request) => read(request, { id: request.params.id }, request.checked.fields),
})

export const getPropertyByExternalId = readEndpoint({
  ...shared,
  path: '/properties/external/{external_id}',
  operationId: 'getPropertyByExternalId',
  summary: 'Read by external id',
  description: 'By the id of the listing in your own system.',
  params: externalIdParams,
  run: (request) => read(request, { external_id: request.params.external_id }, request.checked.fields),
})

async function read(
  { deps, caller }: Authenticated,
  ref: ListingRef,
  fields: FieldSelection,
): Promise<ApiResponse> {
  const { agency, revision, seesDrafts } = caller
  const db = readFrom(deps, { id: agency.id, revision })
  const row = await getShownRow(db, agency.id, ref, seesDrafts)
  const write = rowWriter(agency, deps.config.publicBaseUrl, fields)
  return {
    status: 200,
    body: undefined,
    text: `{"data":${write(row)}}`,
    headers: { etag: listingEtag(row, agency.profile_version, fields) },
  }
}
