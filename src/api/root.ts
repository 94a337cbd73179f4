/** `GET /` (api.md 15.2). */
import Type from 'typebox'
import { openEndpoint } from '../http/endpoint.ts'
import { apiPrefix } from '../http/routes.ts'
import { standardHeaders } from '../http/responses/standard-headers.ts'

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
      example: {
        name: 'Svc',
        version: '1',
        status: 'ok',
        notice:
          'Listings belong to their agency. Use of this service is subject to the terms at https://listings.example/terms',
        docs: 'https://listings.example/docs',
        openapi: 'https://listings.example/api/v1/openapi.json',
        health: 'https://listings.example/api/v1/health',
        terms: 'https://listings.example/terms',
        security: 'https://listings.example/.well-known/security.txt',
      },
    },
  },
  errors: ['forbidden', 'method_not_allowed'],
  run({ deps: { config } }) {
    const base = config.publicBaseUrl
    return {
      status: 200,
      body: {
        name: config.serviceName,
        version: '1',
        status: 'ok',
        notice: standardHeaders(config).notice,
        docs: `${base}/docs`,
        openapi: `${base}${apiPrefix}/openapi.json`,
        health: `${base}${apiPrefix}/health`,
        terms: `${base}/terms`,
        security: `${base}/.well-known/security.txt`,
      },
    }
  },
})
