/** `DELETE /properties/{id}` (api.md 15.12). */
import Type from 'typebox'
import { writeEndpoint } from '../../http/endpoint.ts'
import { deleteListing } from '../../listings/writing/states/states.ts'
import { deletedSchema, warningsSchema } from '../writes/write-schemas.ts'
import { idParams } from '../params.ts'
import { shownDeleted } from '../writes/write-response.ts'
import { changeListing } from '../writes/write-listings.ts'

export const deleteProperty = writeEndpoint({
  method: 'DELETE',
  path: '/properties/{id}',
  operationId: 'deleteProperty',
  summary: 'Delete',
  description:
    'The listing no longer exists for the API: its external id is free again and its photos are not served. A second DELETE gives 404. Only the operator can restore it.',
  tag: 'Listings',
  scope: 'properties:write',
  idempotency: 'optional',
  params: idParams,
  body: Type.Object({}, { additionalProperties: false }),
  bodyOptional: true,
  responses: {
    200: {
      description: 'Removed.',
      schema: Type.Object({
        data: deletedSchema(Type.String()),
        warnings: warningsSchema,
      }),
      example: {
        data: {
          id: '7KQ2M9XA',
          external_id: 'CRM-1042',
          deleted: true,
          deleted_at: '2026-11-20T09:30:00.000Z',
        },
        warnings: [],
      },
    },
  },
  errors: ['not_found', 'precondition_failed'],
  run: (request) =>
    changeListing(request, async (context, before) => {
      const removed = await deleteListing(context, before)
      return { status: 200, body: { data: shownDeleted(removed), warnings: [] } }
    }),
})
