/** Documents the responses and errors of writes of one listing. */
import Type from 'typebox'
import type { DescribedResponse, NamedExamples } from '../../http/endpoint.ts'
import { dryRunPropertySchema, propertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { dryRunOf, exampleProperty } from '../examples/examples.ts'
import { addedPhotos } from '../writes/photo-results.ts'
import { warningsSchema } from '../writes/write-schemas.ts'

/** Documents the response of a write of one listing. */
export function describedWrite(description: string, example: object = exampleProperty): DescribedResponse {
  return {
    description,
    schema: Type.Object({ data: propertySchema, warnings: warningsSchema }),
    example: { data: example, warnings: [] },
    headers: ['ETag'],
  }
}

/** Adds the example of a dry run to the response of an edit (api.md 19.2). */
export function withDryRunExample({ example, ...described }: DescribedResponse): DescribedResponse {
  return {
    ...described,
    examples: {
      updated: { summary: 'Updated', value: example },
      dry_run: { summary: 'A dry run', value: dryRunOf(example as object) },
    },
  }
}

/** The errors of a creation, and of an edit that may be one. */
export const creationErrors = [
  'duplicate_property',
  'precondition_failed',
  'insufficient_photos',
  'too_many_photos',
  'not_publishable',
  'photo_ingest_failed',
] as const

/** Documents the response of a creation. */
export function describedCreation(examples: NamedExamples): DescribedResponse {
  return {
    description:
      'Created. `photos` has a result for each URL sent in `photos`; it is absent if there was none.',
    schema: Type.Object({
      data: propertySchema,
      photos: Type.Optional(addedPhotos),
      warnings: warningsSchema,
    }),
    dryRunSchema: Type.Object({ data: dryRunPropertySchema, warnings: warningsSchema }),
    examples,
    headers: ['ETag'],
  }
}
