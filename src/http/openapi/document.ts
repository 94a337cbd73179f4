/** Builds the OpenAPI 3.1 document (api.md 1.5, 15.4) from the table of endpoints and the catalogue of errors. */
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { signatureSeconds, sizeLimits } from '../../limits/sizes.ts'
import { defaultLimits, type LimitName, listingLimits } from '../../limits/table.ts'
import type { Endpoint } from '../endpoint.ts'
import { errorExamples, errorSchema } from './errors.ts'
import { headerParameters, responseHeaders } from './headers.ts'
import { operationOf } from './operation.ts'
import { type JsonObject, schemaCollector } from './schema.ts'
import { apiPrefix } from '../routes.ts'

/** The service that the table's examples name. */
export const exampleService = { serviceName: 'Svc', baseUrl: 'https://listings.example' }

const tagDescriptions: Readonly<Record<string, string>> = {
  Service: 'The service itself, and the key in use.',
  Listings: 'Reading, creating, editing and removing listings.',
  States: 'Publishing and disabling listings.',
  Photos: 'Adding photos by URL.',
  Geocoding: 'Finding addresses on the map.',
}

const countedLimits: readonly [string, readonly LimitName[]][] = [
  ['Reads, per key', ['reads_per_minute', 'reads_per_day']],
  ['Writes, per key; every item of a batch counts as one', ['writes_per_minute', 'writes_per_day']],
  ['New listings, per agency, when they are created', ['new_listings_per_hour', 'new_listings_per_day']],
  ['Photos, per agency, counted before the download and never refunded', ['photos_per_day']],
  ['`POST /geocode`, per agency', ['geocoding_per_minute', 'geocoding_per_day']],
  ['State changes, per listing', listingLimits],
  [
    'Requests without a valid key, in total and per IP',
    ['keyless_per_minute', 'keyless_per_address_per_minute'],
  ],
]

const figure = (value: number): string => value.toLocaleString('en-US')

function limitsTable(): string {
  const rows = countedLimits.map(
    ([counted, names]) =>
      `| ${counted} | ${names.map((name) => `\`${name}\` ${figure(defaultLimits[name].max)}`).join(', ')} |`,
  )
  return ['| Counted | Limit |', '| --- | --- |', ...rows].join('\n')
}

const values: Readonly<Record<string, string>> = {
  limits: limitsTable(),
  signature_seconds: figure(signatureSeconds),
  listings_of_a_query: figure(sizeLimits.page * sizeLimits.per_page),
  ...Object.fromEntries(Object.entries(sizeLimits).map(([name, value]) => [name, figure(value)])),
}

/** `info.description` of the example service, in Markdown: the rules common to all operations. `{{name}}` stands for a value. */
const guide = readFileSync(new URL('./guide.md', import.meta.url), 'utf8').replaceAll(
  /\{\{(\w+)\}\}/g,
  (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`guide.md names an unknown value: ${name}`)
    return value
  },
)

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
    tags: tags.map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    components: {
      schemas: { ...schemas.named(), ApiError: errorSchema },
      responses,
      parameters: used(headerParameters(serviceName), 'parameters', paths),
      headers: used(responseHeaders(serviceName), 'headers', { paths, responses }),
      examples: used(errorExamples(baseUrl), 'examples', { paths, responses }),
      securitySchemes: securitySchemes(serviceName),
    },
  }
}

/** Moves error responses that all operations share to `components.responses`, named by their status: `TooManyRequests`. */
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
