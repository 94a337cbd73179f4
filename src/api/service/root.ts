/** `GET /` (api.md 15.2). */
import Type from 'typebox'
import { openEndpoint } from '../../http/endpoint.ts'
import { apiPrefix } from '../../http/routes.ts'
import { exampleService } from '../../http/openapi/document.ts'
import { noticeOf } from '../../http/responses/standard-headers.ts'

const uri = Type.String({ format: 'uri' })

export const root = openEndpoint({
  method: 'GET',
  path: '/',
  operationId: 'getRoot',
  summary: 'Root information',
  tag: 'Service',
  scope: 'none',
  responses: {
    200: {
      description: 'The service and its main links.',
      schema: Type.Object({
        name: Type.String(),
        version: Type.String(),
        status: Type.String(),
        notice: Type.String(),
        docs: uri,
        openapi: uri,
        health: uri,
        terms: uri,
        security: uri,
      }),
      example: rootBody(exampleService.serviceName, exampleService.baseUrl),
    },
  },
  errors: ['forbidden', 'method_not_allowed'],
  run: ({ deps: { config } }) => ({ status: 200, body: rootBody(config.serviceName, config.publicBaseUrl) }),
})

function rootBody(name: string, base: string) {
  return {
    name,
    version: '1',
    status: 'ok',
    notice: noticeOf(base),
    docs: `${base}/docs`,
    openapi: `${base}${apiPrefix}/openapi.json`,
    health: `${base}${apiPrefix}/health`,
    terms: `${base}/terms`,
    security: `${base}/.well-known/security.txt`,
  }
}
