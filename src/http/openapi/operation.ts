/** Turns an entry of the table of endpoints into an operation of the OpenAPI document. */
import type { TObject } from 'typebox'
import type { Described, Endpoint, NamedExamples } from '../endpoint.ts'
import { errorResponses } from './errors.ts'
import { headerParametersOf, headersOf } from './headers.ts'
import type { JsonObject, SchemaCollector } from './schema.ts'

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
  const need = { none: 'Needs no key.', any: 'Takes any key except one with only `leads:*` scopes.' }
  const { scope } = endpoint
  return [
    endpoint.description ?? `${endpoint.summary}.`,
    scope === 'none' || scope === 'any' ? need[scope] : `Needs the scope \`${scope}\`.`,
  ].join('\n\n')
}

/** The two ways to send a key. A signature goes with a key and is no credential of its own, so its headers are parameters. */
function securityOf({ scope }: Endpoint): JsonObject[] {
  return scope === 'none' ? [] : [{ bearer: [] }, { apiKey: [] }]
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
    return {
      name,
      in: place,
      required: required.includes(name),
      description,
      schema: rest,
      ...(example === undefined ? {} : { example }),
    }
  })
}

function requestBodyOf(endpoint: Endpoint, { schemas, localize }: OperationContext): JsonObject | null {
  // HTTP gives the body of a DELETE no meaning. The API tolerates an empty object, but the document does not ask for one.
  if (endpoint.body === undefined || endpoint.method === 'DELETE') return null
  const schema = schemas.place(endpoint.body)
  return {
    required: endpoint.bodyOptional !== true,
    content: { [json]: { schema, ...exampleOf(endpoint.bodyExample, endpoint.bodyExamples, localize) } },
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
  { description, schema, example, examples, headers }: Described,
  { serviceName, schemas, localize }: OperationContext,
): JsonObject {
  const content = schema && {
    [json]: {
      schema: schemas.place(schema),
      ...exampleOf(example, examples, localize),
    },
  }
  return {
    description,
    headers: headersOf(endpoint, serviceName, status, headers),
    ...(content === undefined ? {} : { content }),
  }
}

/** The members `example` or `examples` of a media type. */
function exampleOf(
  example: unknown,
  examples: NamedExamples | undefined,
  localize: OperationContext['localize'],
): JsonObject {
  if (examples !== undefined) return { examples: localize(examples) }
  return example === undefined ? {} : { example: localize(example) }
}
