/** Turns an entry of the table of endpoints into an operation of the OpenAPI document. */
import type { TObject, TSchema } from 'typebox'
import type { DescribedResponse, Endpoint, NamedExamples } from '../endpoint.ts'
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
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [endpoint.tag],
    // The two ways to send a key. A signature goes with a key and is no credential of its own, so its headers are parameters.
    security: endpoint.scope === 'none' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(endpoint.scope === 'none' || endpoint.scope === 'any' ? {} : { 'x-required-scope': endpoint.scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(endpoint, context),
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

function parametersIn(
  part: 'path' | 'query',
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
      in: part,
      required: required.includes(name),
      description,
      schema: rest,
      ...(example === undefined ? {} : { example }),
    }
  })
}

function requestBodyOf(endpoint: Endpoint, context: OperationContext): JsonObject {
  // HTTP gives the body of a DELETE no meaning. The API tolerates an empty object, but the document does not ask for one.
  if (endpoint.body === undefined || endpoint.method === 'DELETE') return {}
  const { body, bodyExample, bodyExamples, bodyOptional = false } = endpoint
  return {
    requestBody: { required: !bodyOptional, ...contentOf(body, bodyExample, bodyExamples, context) },
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
  { description, schema, example, examples, headers }: DescribedResponse,
  context: OperationContext,
): JsonObject {
  return {
    description,
    headers: headersOf(endpoint, context.serviceName, status, headers),
    ...contentOf(schema, example, examples, context),
  }
}

/** The member `content` of a body or a response; none without a schema. */
function contentOf(
  schema: TSchema | undefined,
  example: unknown,
  examples: NamedExamples | undefined,
  { schemas, localize }: OperationContext,
): JsonObject {
  if (schema === undefined) return {}
  const one = example === undefined ? {} : { example: localize(example) }
  const shown = examples === undefined ? one : { examples: localize(examples) }
  return { content: { 'application/json': { schema: schemas.place(schema), ...shown } } }
}
