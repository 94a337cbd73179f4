/**
 * Turns an entry of the table of endpoints into an operation of the OpenAPI document.
 */
import type { TObject } from 'typebox'
import type { Described, Endpoint } from './endpoint.ts'
import { errorResponses } from './openapi-errors.ts'
import { headerParametersOf, headersOf } from './openapi-headers.ts'
import type { JsonObject, SchemaCollector } from './openapi-schema.ts'

/** The context that the operations of one document share. */
type OperationContext = {
  serviceName: string
  schemas: SchemaCollector
  /** Puts this service's name and URL into an example. */
  localize(example: unknown): unknown
}

const json = 'application/json'

/** The operation, with its responses ordered by status. */
export function operationOf(
  endpoint: Endpoint,
  context: OperationContext,
): JsonObject & { responses: Record<string, JsonObject> } {
  const parameters = [
    ...parametersIn('path', endpoint.params, context),
    ...parametersIn('query', endpoint.query, context),
    ...headerParametersOf(endpoint),
  ]
  const requestBody = requestBodyOf(endpoint, context)
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [endpoint.tag],
    security: securityOf(endpoint),
    ...(endpoint.scope === 'none' || endpoint.scope === 'any' ? {} : { 'x-required-scope': endpoint.scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === null ? {} : { requestBody }),
    responses: responsesOf(endpoint, context),
  }
}

function describe(endpoint: Endpoint): string {
  const need = { none: 'Needs no key.', any: 'Takes any key but one with `leads:*` scopes alone.' }
  const { scope } = endpoint
  return [
    endpoint.description ?? `${endpoint.summary}.`,
    scope === 'none' || scope === 'any' ? need[scope] : `Needs the scope \`${scope}\`.`,
  ].join('\n\n')
}

/** The two ways to send a key, each with or without a signature. Only some keys require one. */
function securityOf({ scope }: Endpoint): JsonObject[] {
  if (scope === 'none') return []
  const signed = { signatureTimestamp: [], signature: [] }
  return [{ bearer: [] }, { apiKey: [] }, { bearer: [], ...signed }, { apiKey: [], ...signed }]
}

function parametersIn(
  place: 'path' | 'query',
  schema: TObject | undefined,
  { schemas }: OperationContext,
): JsonObject[] {
  if (schema === undefined) return []
  const required: readonly string[] = schema.required ?? []
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, examples, ...rest } = schemas.place(property)
    const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
    const isRequired = required.includes(name)
    // The interactive reference fills in examples: one for a filter would narrow every list that a reader tries.
    const text = [
      description,
      ...(example === undefined || isRequired ? [] : [`Such as \`${example}\`.`]),
    ].join(' ')
    return {
      name,
      in: place,
      required: isRequired,
      description: text,
      schema: rest,
      ...(example !== undefined && isRequired ? { example } : {}),
    }
  })
}

function requestBodyOf(endpoint: Endpoint, { schemas, localize }: OperationContext): JsonObject | null {
  // HTTP gives the body of a DELETE no meaning. The API tolerates an empty object, but the document does not ask for one.
  if (endpoint.body === undefined || endpoint.method === 'DELETE') return null
  const schema = schemas.place(endpoint.body)
  const { bodyExample } = endpoint
  return {
    required: endpoint.bodyOptional !== true,
    content: { [json]: { schema, ...(bodyExample === undefined ? {} : { example: localize(bodyExample) }) } },
  }
}

function responsesOf(endpoint: Endpoint, context: OperationContext): Record<string, JsonObject> {
  const responses = errorResponses(endpoint, context.serviceName)
  for (const [status, described] of Object.entries(endpoint.responses)) {
    responses.set(Number(status), successOf(endpoint, Number(status), described, context))
  }
  return Object.fromEntries([...responses].sort(([one], [other]) => one - other))
}

function successOf(
  endpoint: Endpoint,
  status: number,
  { description, schema, example, headers }: Described,
  { serviceName, schemas, localize }: OperationContext,
): JsonObject {
  const content = schema && {
    [json]: {
      schema: schemas.place(schema),
      ...(example === undefined ? {} : { example: localize(example) }),
    },
  }
  return {
    description,
    headers: headersOf(endpoint, serviceName, status, headers),
    ...(content === undefined ? {} : { content }),
  }
}
