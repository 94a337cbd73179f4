/** `PUT /properties/{id}/photos` (api.md 15.18). */
import Type from 'typebox'
import { writeEndpoint } from '../../http/endpoint.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import { checkPhotosToSet, setPhotoUrls } from '../../listings/gallery/set-photos.ts'
import { nullable, photoUrlItem } from '../../listings/fields/schema.ts'
import { propertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { exampleProperty, samplePhoto } from '../examples/examples.ts'
import { countResults, countsSchema, exampleResult, photoResultSchema } from '../writes/photo-results.ts'
import { idParams } from '../params.ts'
import { warningsSchema } from '../writes/write-schemas.ts'
import { changePhotos } from '../writes/write-listings.ts'
import { replayWrite, writeResponse } from '../writes/write-response.ts'

const statuses = ['stored', 'kept', 'duplicate', 'failed'] as const

export const setPhotos = writeEndpoint({
  method: 'PUT',
  path: '/properties/{id}/photos',
  operationId: 'setPhotos',
  summary: 'Set the photos by URL',
  description:
    "Sets the listing's photos to exactly these, in this order; photos that are not named are removed. The listing's own photo URLs, and source URLs that one of its photos came from, stay without a download; other URLs are downloaded as in `POST`. If a download fails, nothing is removed: photos that are not named follow the others, with the warning `photos_kept`. A published listing keeps at least 3.",
  tag: 'Photos',
  scope: 'properties:write',
  idempotency: 'optional',
  params: idParams,
  body: Type.Object(
    {
      urls: Type.Array(Type.Unsafe<string>(photoUrlItem), {
        description: `Up to ${sizeLimits.photos_per_listing} URLs, each once: the listing's own photos, sources they came from, or other public https URLs. \`[]\` removes all photos.`,
        // Not checked by the schema: more get 422 `too_many_photos`, not 400.
        shownWith: { maxItems: sizeLimits.photos_per_listing, uniqueItems: true },
      }),
      refresh: Type.Optional(
        nullable<boolean>({
          type: 'boolean',
          description:
            'Download known sources again: a picture that has changed replaces the old one. False if null or absent.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyExample: { urls: [3, 1, 2].map(samplePhoto) },
  responses: {
    200: {
      description: 'A result for each URL, and the listing as it is now.',
      schema: Type.Object({
        data: propertySchema,
        photos: Type.Array(photoResultSchema(statuses, 'SetPhotoResult'), {
          description: 'A result for each URL, in the order sent.',
        }),
        meta: Type.Object({
          ...countsSchema(statuses).properties,
          removed: Type.Integer({ description: 'Photos that the listing no longer has.' }),
        }),
        warnings: warningsSchema,
      }),
      // The listing had the photos 1, 2 and 4.
      example: {
        data: exampleProperty,
        photos: [
          exampleResult(samplePhoto(3), 'stored', 0),
          exampleResult(samplePhoto(1), 'kept', 1),
          exampleResult(samplePhoto(2), 'kept', 2),
        ],
        meta: { requested: 3, stored: 1, kept: 2, duplicate: 0, failed: 0, removed: 1 },
        warnings: [],
      },
      headers: ['ETag'],
    },
  },
  errors: [
    'not_found',
    'precondition_failed',
    'insufficient_photos',
    'too_many_photos',
    'photo_ingest_failed',
  ],
  check({ deps, body }, problems) {
    const urls = (body as { urls?: unknown } | undefined)?.urls
    if (Array.isArray(urls)) checkPhotosToSet(deps, urls, problems)
  },
  run(request) {
    const { deps, body } = request
    return changePhotos(request, async (context, before) => {
      const set = await setPhotoUrls(context, deps, before, body.urls, body.refresh === true)
      const meta = { ...countResults(set.results, statuses), removed: set.removed.length }
      return writeResponse(request, { ...set, photos: set.results }, { meta })
    })
  },
  replay: replayWrite,
})
