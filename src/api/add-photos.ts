/** `POST /properties/{id}/photos` (api.md 15.15). */
import Type from 'typebox'
import { writeEndpoint } from '../http/endpoint.ts'
import { checkIfMatch } from '../http/etag.ts'
import { photoUrl } from '../photos/names-and-urls.ts'
import { commitPhotos, discardUploads, preparePhotos } from '../properties/add-photos.ts'
import { getPresent, listingStatement } from '../properties/find.ts'
import { nullable, propertySchema } from '../properties/schema.ts'
import { exampleProperty } from './examples.ts'
import { etagOf, idParams, shown, warningsSchema, contextOf } from './shared.ts'

const result = Type.Object(
  {
    url: Type.String(),
    status: Type.Unsafe<'stored' | 'duplicate' | 'failed'>({
      type: 'string',
      enum: ['stored', 'duplicate', 'failed'],
    }),
    position: nullable<number>({ type: 'integer', description: 'Position in the listing, from 0.' }),
    stored_url: nullable<string>({ type: 'string' }),
    error: nullable<string>({ type: 'string', description: 'Why it failed.' }),
  },
  { title: 'PhotoResult' },
)
const counts = Type.Object({
  requested: Type.Integer(),
  stored: Type.Integer(),
  duplicate: Type.Integer(),
  failed: Type.Integer(),
})

export const addPhotos = writeEndpoint({
  method: 'POST',
  path: '/properties/{id}/photos',
  operationId: 'addPhotos',
  summary: 'Add photos by URL',
  description:
    'Downloads and stores each image and appends them in the given order. JPEG, PNG or WebP, up to 10 MB each. One bad image does not fail the request. A picture that the listing already has is a `duplicate` and takes no place; if there would be more than 50, nothing is downloaded.',
  tag: 'Photos',
  scope: 'properties:write',
  idempotency: 'required',
  params: idParams,
  body: Type.Object(
    {
      urls: Type.Array(Type.String({ maxLength: 2048, pattern: String.raw`\S` }), {
        description: 'Public https URLs, 1 to 50.',
      }),
    },
    { additionalProperties: false },
  ),
  bodyExample: { urls: ['https://images.example/front.jpg', 'https://images.example/kitchen.jpg'] },
  responses: {
    200: {
      description: 'A result for each URL, and the listing as it is now.',
      schema: Type.Object({
        data: propertySchema,
        photos: Type.Array(result),
        meta: counts,
        warnings: warningsSchema,
      }),
      example: {
        data: exampleProperty,
        photos: [
          {
            url: 'https://images.example/front.jpg',
            status: 'stored',
            position: 2,
            stored_url: exampleProperty.photos[2],
            error: null,
          },
          {
            url: 'https://images.example/kitchen.jpg',
            status: 'duplicate',
            position: 1,
            stored_url: exampleProperty.photos[1],
            error: null,
          },
        ],
        meta: { requested: 2, stored: 1, duplicate: 1, failed: 0 },
        warnings: [],
      },
      headers: ['ETag'],
    },
  },
  errors: ['not_found', 'precondition_failed', 'too_many_photos', 'photo_ingest_failed'],
  prepare: ({ deps, caller, params, body, ifMatch }) =>
    preparePhotos(deps, caller.agency.id, params, body.urls, (listing) => checkIfMatch(ifMatch, listing)),
  read: ({ caller, params }) => listingStatement(caller.agency.id, params),
  async commit(locked, input, verdicts, rows) {
    const { deps } = input
    const before = getPresent(rows)
    checkIfMatch(input.ifMatch, before)
    const context = contextOf(locked, input)
    const { listing, results, warnings } = await commitPhotos(context, before, verdicts)
    const count = (status: string) => results.filter((entry) => entry.status === status).length
    return {
      status: 200,
      body: {
        data: shown(input, listing),
        photos: results.map(({ url, status, photo, position, reason }) => ({
          url,
          status,
          position,
          stored_url:
            photo === null
              ? null
              : photoUrl(deps.config.publicBaseUrl, listing.agency_id, listing.public_id, photo, 'large'),
          error: reason,
        })),
        meta: {
          requested: results.length,
          stored: count('stored'),
          duplicate: count('duplicate'),
          failed: count('failed'),
        },
        warnings,
      },
      headers: { etag: etagOf(input, listing) },
    }
  },
  discard: (input, verdicts) => discardUploads(input.deps, input.caller.agency.id, verdicts),
})
