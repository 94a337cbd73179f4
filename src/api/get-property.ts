/** `GET /properties/{id}` and `GET /properties/external/{external_id}` (api.md 15.8, 15.10). */
import Type from 'typebox'
import { readFrom } from '../platform/db/replica.ts'
import type { Answer } from '../http/responses/response.ts'
import { type Authenticated, readEndpoint } from '../http/endpoint.ts'
import { getShownRow, type ListingRef } from '../listings/find.ts'
import { fieldsParameter } from '../listings/schema.ts'
import {
  describedListing,
  etagOf,
  externalIdParams,
  idParams,
  checkFields,
  readFields,
  writerFor,
} from './shared.ts'

const query = Type.Object({ fields: fieldsParameter })
const responses = {
  200: describedListing('The listing.'),
  304: {
    description: 'Not changed since the response with the ETag in If-None-Match.',
    headers: ['ETag'],
  },
}

export const getProperty = readEndpoint({
  method: 'GET',
  path: '/properties/{id}',
  operationId: 'getProperty',
  summary: 'Read one',
  description: 'By public code or uuid. A read-only key sees only published listings.',
  tag: 'Listings',
  scope: 'properties:read',
  isOfRevision: true,
  params: idParams,
  query,
  responses,
  errors: ['not_found'],
  check: ({ query: sent }, problems) => checkFields((sent as { fields?: unknown }).fields, problems),
  run: (input) => answer(input, { id: input.params.id }, input.query.fields),
})

export const getPropertyByExternalId = readEndpoint({
  method: 'GET',
  path: '/properties/external/{external_id}',
  operationId: 'getPropertyByExternalId',
  summary: 'Read by external id',
  description: 'By the id of the listing in your own system.',
  tag: 'Listings',
  scope: 'properties:read',
  isOfRevision: true,
  params: externalIdParams,
  query,
  responses,
  errors: ['not_found'],
  check: ({ query: sent }, problems) => checkFields((sent as { fields?: unknown }).fields, problems),
  run: (input) => answer(input, { external_id: input.params.external_id }, input.query.fields),
})

async function answer(
  input: Authenticated<unknown, unknown, unknown>,
  ref: ListingRef,
  fieldsText: string | undefined,
): Promise<Answer> {
  const fields = readFields(fieldsText)
  const { agency, revision, mayWrite } = input.caller
  const db = readFrom(input.deps, { id: agency.id, revision })
  const row = await getShownRow(db, agency.id, ref, mayWrite)
  const etag = etagOf(input, row, fields)
  return {
    status: 200,
    body: undefined,
    text: `{"data":${writerFor(input, fields)(row)}}`,
    headers: { etag },
  }
}
