/** Builds the OpenAPI 3.1 document (api.md 1.5, 15.4) from the table of endpoints and the catalogue of errors. */
import { STATUS_CODES } from 'node:http'
import type { Endpoint } from '../endpoint.ts'
import { errorsUrl, noticeOf } from '../responses/standard-headers.ts'
import { errorExamples, errorSchema } from './errors.ts'
import { guide, tagDescriptions } from './guide.ts'
import { headerParameters, responseHeaders } from './headers.ts'
import { operationOf } from './operation.ts'
import { type JsonObject, schemaCollector } from './schema.ts'
import { apiPrefix } from '../routes.ts'

/** The service that the table's examples name. */
export const exampleService = { serviceName: 'Svc', baseUrl: 'https://listings.example' }

/**
 * Builds the document. The same table and service give the same document, byte for byte.
 * @param service its wire name, and its public URL without a trailing slash
 * @throws Error if two different schemas of the table have the same title
 */
export function openApi(
  endpoints: readonly Endpoint[],
  service: { serviceName: string; baseUrl: string },
): object {
  const { serviceName, baseUrl } = service
  const schemas = schemaCollector()
  const localize = (example: unknown) => localized(example, service)
  const operations = endpoints.map((endpoint) => ({
    endpoint,
    operation: operationOf(endpoint, { serviceName, schemas, localize }),
  }))
  const responses = shareResponses(
    operations.filter(({ endpoint }) => endpoint.scope !== 'none').map(({ operation }) => operation),
  )
  const paths: Record<string, JsonObject> = {}
  for (const { endpoint, operation } of operations) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  const tags = [...new Set(endpoints.map(({ tag }) => tag))]

  return {
    openapi: '3.1.1',
    info: {
      title: `${serviceName} property listings`,
      version: '1',
      summary: 'Read and manage the property listings of a real-estate agency.',
      description: localizeText(guide, service),
      termsOfService: `${baseUrl}/terms`,
      contact: { name: `Operator of ${serviceName}`, url: `${baseUrl}/terms#contact` },
      license: { name: 'Terms of use', url: `${baseUrl}/terms` },
    },
    externalDocs: { description: 'Interactive reference', url: `${baseUrl}/docs` },
    servers: [{ url: `${baseUrl}${apiPrefix}`, description: 'This service' }],
    tags: tags.map((name) => ({
      name,
      ...(tagDescriptions[name] === undefined ? {} : { description: tagDescriptions[name] }),
    })),
    paths,
    components: {
      schemas: { ...schemas.named(), ApiError: errorSchema },
      responses,
      parameters: used(headerParameters(serviceName), 'parameters', paths),
      headers: used(responseHeaders(serviceName), 'headers', { paths, responses }),
      examples: used(
        errorExamples({ notice: noticeOf(baseUrl), errorsUrl: errorsUrl(baseUrl) }),
        'examples',
        { paths, responses },
      ),
      securitySchemes: securitySchemes(serviceName),
    },
  }
}

/**
 * Moves an error response to `components.responses` if all operations with that status share it, and leaves references in the
 * operations. Its name comes from the status: `TooManyRequests`.
 */
function shareResponses(
  operations: readonly { responses: Record<string, JsonObject> }[],
): Record<string, JsonObject> {
  const shared: Record<string, JsonObject> = {}
  const statuses = new Set(operations.flatMap(({ responses }) => Object.keys(responses)))
  for (const status of [...statuses].filter((one) => Number(one) >= 400).sort()) {
    const having = operations.filter(({ responses }) => responses[status] !== undefined)
    const variants = new Map(
      having.map(({ responses }) => [JSON.stringify(responses[status]), responses[status]]),
    )
    const [only] = variants.values()
    if (having.length < 2 || variants.size > 1 || only === undefined) continue
    const name = (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '')
    shared[name] = only
    for (const { responses } of having) responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return shared
}

/** The components of a kind that `referring` references. */
function used(components: Record<string, object>, kind: string, referring: object): Record<string, object> {
  const text = JSON.stringify(referring)
  return Object.fromEntries(
    Object.entries(components).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
  )
}

function securitySchemes(serviceName: string): Record<string, JsonObject> {
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: `The API key (\`${serviceName.toLowerCase()}_live_…\` or \`${serviceName.toLowerCase()}_test_…\`), sent as \`Authorization: Bearer <key>\`.`,
    },
    apiKey: {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: 'The API key, in a header of its own.',
    },
  }
}

/** The text with the name and URLs of `service` instead of the example service's. */
export function localizeText(text: string, service: typeof exampleService): string {
  return text
    .replaceAll(exampleService.baseUrl, service.baseUrl)
    .replaceAll(/\bSvc\b/g, service.serviceName)
    .replaceAll(/\bsvc_(?=live_|sign_|test_)/g, `${service.serviceName.toLowerCase()}_`)
}

/** The example with the name and URLs of `service` instead of the example service's. */
function localized(example: unknown, service: typeof exampleService): unknown {
  return JSON.parse(JSON.stringify(example), (_name, value: unknown) =>
    typeof value === 'string' ? localizeText(value, service) : value,
  )
}
