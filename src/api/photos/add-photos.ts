/** `POST /properties/{id}/photos` (api.md 15.15). */
import Type from 'typebox'
import { writeEndpoint } from '../../http/endpoint.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import { addPhotoUrls, checkUrlsToAdd } from '../../listings/gallery/add-photos.ts'
import { photoUrlItem } from '../../listings/fields/schema.ts'
import { propertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { exampleProperty, samplePhoto } from '../examples/examples.ts'
import {
  acceptedFiles,
  addedPhotos,
  countResults,
  countsSchema,
  exampleResult,
} from '../writes/photo-results.ts'
import { idParams } from '../params.ts'
import { warningsSchema } from '../writes/write-schemas.ts'
import { changePhotos } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

const { photos_per_listing: max } = sizeLimits
const statuses = ['stored', 'duplicate', 'failed'] as const

export const addPhotos = writeEndpoint({
  method: 'POST',
  path: '/properties/{id}/photos',
  operationId: 'addPhotos',
  summary: 'Add photos by URL',
  description: `Downloads and stores each image and appends them in the given order. ${acceptedFiles} One bad image does not fail the request. A picture that the listing already has is a \`duplicate\` and takes no place; if there would be more than ${max}, nothing is downloaded.`,
  tag: 'Photos',
  scope: 'properties:write',
  idempotency: 'required',
  params: idParams,
  body: Type.Object(
    {
      urls: Type.Array(Type.Unsafe<string>(photoUrlItem), {
        description: `Public https URLs, 1 to ${max}.`,
        // Not checked by the schema: more get 422 `too_many_photos`, not 400.
        shownWith: { minItems: 1, maxItems: max },
      }),
    },
    { additionalProperties: false },
  ),
  bodyExample: { urls: [samplePhoto(1), samplePhoto(3)] },
  responses: {
    200: {
      description: 'A result for each URL, and the listing as it is now.',
      schema: Type.Object({
        data: propertySchema,
        photos: addedPhotos,
        meta: countsSchema(statuses),
        warnings: warningsSchema,
      }),
      // The listing was a draft with the photos 3 and 2.
      example: {
        data: { ...exampleProperty, status: 'draft', published_at: null },
        photos: [exampleResult(samplePhoto(1), 'stored', 2), exampleResult(samplePhoto(3), 'duplicate', 0)],
        meta: { requested: 2, stored: 1, duplicate: 1, failed: 0 },
        warnings: [],
      },
      headers: ['ETag'],
    },
  },
  errors: ['not_found', 'precondition_failed', 'too_many_photos', 'photo_ingest_failed'],
  check({ deps, body }, problems) {
    const urls = (body as { urls?: unknown } | undefined)?.urls
    if (Array.isArray(urls)) checkUrlsToAdd(deps, urls, problems)
  },
  run(request) {
    const { deps, body } = request
    return changePhotos(request, async (context, before) => {
      const { listing, results, warnings } = await addPhotoUrls(context, deps, before, body.urls)
      const meta = countResults(results, statuses)
      return writeResponse(request, { listing, warnings, photos: results }, { meta })
    })
  },
  replay: replayWrite,
})
