/** `DELETE /properties/{id}` (api.md 15.12). */
import Type from 'typebox'
import { writeEndpoint } from '../http/endpoint.ts'
import { nullable } from '../listings/schema.ts'
import { deleteListing } from '../listings/states.ts'
import { idParams, warningsSchema } from './shared.ts'
import { changeListing } from './write-listings.ts'

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
        data: Type.Object({
          id: Type.String(),
          external_id: nullable<string>({ type: 'string' }),
          deleted: Type.Literal(true),
          deleted_at: Type.String({ format: 'date-time' }),
        }),
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
      return {
        status: 200,
        body: {
          data: {
            id: removed.public_id,
            external_id: removed.external_id,
            deleted: true,
            deleted_at: removed.deleted_at,
          },
          warnings: [],
        },
      }
    }),
})
