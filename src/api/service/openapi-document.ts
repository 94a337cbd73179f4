/** `GET /openapi.json` (api.md 15.4). Readable from any site. */
import Type from 'typebox'
import { type Endpoint, openEndpoint } from '../../http/endpoint.ts'
import { openApi } from '../../http/openapi/document.ts'

/** Cached as bytes, because any client may request it often. */
let document: { serviceName: string; baseUrl: string; bytes: Buffer } | null = null

/** @param table the endpoints that the document describes, including this one */
export function openApiDocument(table: () => readonly Endpoint[]): Endpoint {
  return openEndpoint({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Machine-readable specification',
    tag: 'Service',
    scope: 'none',
    isOpenToBrowsers: true,
    responses: {
      200: {
        description: 'This document, OpenAPI 3.1.',
        schema: Type.Object({ openapi: Type.String() }),
        example: { openapi: '3.1.1' },
      },
    },
    errors: ['forbidden', 'method_not_allowed'],
    run({ deps: { config } }) {
      const { serviceName, publicBaseUrl: baseUrl } = config
      if (document === null || document.serviceName !== serviceName || document.baseUrl !== baseUrl) {
        const text = JSON.stringify(openApi(table(), { serviceName, baseUrl }))
        document = { serviceName, baseUrl, bytes: Buffer.from(text) }
      }
      return { status: 200, body: undefined, bytes: document.bytes }
    },
  })
}
