/** `GET /health` (api.md 15.3). Readable from any site. */
import Type from 'typebox'
import { openEndpoint } from '../../http/endpoint.ts'

export const health = openEndpoint({
  method: 'GET',
  path: '/health',
  operationId: 'getHealth',
  summary: 'Liveness',
  tag: 'Service',
  scope: 'none',
  isOpenToBrowsers: true,
  responses: {
    200: {
      description: 'The service answers.',
      schema: Type.Object({
        status: Type.Literal('ok'),
        version: Type.Literal('1'),
        notice: Type.Optional(Type.String()),
      }),
      example: { status: 'ok', version: '1' },
    },
  },
  errors: ['method_not_allowed'],
  run: () => ({
    status: 200,
    body: { status: 'ok', version: '1' },
    headers: { 'cache-control': 'no-store' },
  }),
})
