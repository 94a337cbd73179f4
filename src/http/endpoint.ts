/** An endpoint as an entry of the table (api/): its input, scope and responses, and the function that runs it. */
import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Deps } from '../deps.ts'
import type { ErrorCode } from '../platform/errors/error-catalogue.ts'
import type { Problems } from '../platform/errors/errors.ts'
import type { Scope } from '../access/keys/key-rules.ts'
import type { DryRun } from '../writing/dry-run.ts'
import type { ApiResponse, StoredReference } from './responses/response.ts'
import type { Caller } from './admission/authenticate.ts'
import { dryRunQuery, withDryRun } from './writes/dry-run-schema.ts'
import type { KeyedRequest } from './writes/idempotency.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Name → example, in the OpenAPI document. */
export type NamedExamples = Readonly<Record<string, { summary: string; value: unknown }>>

/** A response in the OpenAPI document. */
export type DescribedResponse = {
  description: string
  schema?: TSchema
  /** The schema of a dry run's response, if it differs. `dry_run`, `cost` and `room` are added. */
  dryRunSchema?: TSchema
  example?: unknown
  /** Instead of `example`. Each responds to the body's example of the same name, if there is one. */
  examples?: NamedExamples
  /** Names of headers that not every response has: `ETag`. */
  headers?: readonly string[]
}

/** The schema of a body. `canonical` converts what was sent to the form that it describes. */
type CanonicalSchema = TSchema & { canonical?: (body: unknown) => unknown }

type Shape = {
  method: Method
  /** As in docs/api.md, below /api/v1: `/properties/{id}`. */
  path: string
  operationId: string
  summary: string
  description?: string
  tag: string
  params?: TObject
  query?: TObject
  body?: CanonicalSchema
  /** An empty body counts as `{}`. */
  bodyOptional?: boolean
  bodyExample?: unknown
  /** Instead of `bodyExample`, where bodies differ in kind. */
  bodyExamples?: NamedExamples
  /**
   * Adds problems of single parameters and fields that no schema can express. Also called after the schema has found problems, so that one
   * 400 names them all. Any part may then be invalid, so it checks only values of the right type.
   * @returns what `run` gets as `checked`: the values that the check has read, or undefined after a problem
   */
  check?(sent: Sent, problems: Problems): unknown
  /** Name of a list in the body whose items the operation validates one by one, strings included. */
  uncheckedList?: string
  maxBodyBytes?: number
  responses: Readonly<Record<number, DescribedResponse>>
  /** The codes that this operation can return besides those that follow from its key, its body and its Idempotency-Key. */
  errors: readonly ErrorCode[]
}

/** A request as far as it could be read. No part of it need be valid. */
export type Sent = {
  deps: Deps
  /** Null if the operation takes no key. */
  caller: Caller | null
  params: unknown
  query: unknown
  body: unknown
  /** Paths of the numbers that a double cannot hold exactly. */
  inexact: ReadonlySet<string>
  request: FastifyRequest
}

/** The validated parts of a request. */
export type Input<P = unknown, Q = unknown, B = unknown> = Pick<Sent, 'deps' | 'inexact' | 'request'> & {
  requestId: string
  params: P
  query: Q
  body: B
  /** The parsed body before its schema's `canonical`. */
  sentBody: unknown
  ifMatch: string | undefined
  ifNoneMatch: string | undefined
  idempotencyKey: string | undefined
  /** The result of the endpoint's `check`. */
  checked: unknown
}

export type Authenticated<P = unknown, Q = unknown, B = unknown> = Input<P, Q, B> & { caller: Caller }

/** An operation that needs no key. */
type OpenEndpoint = Shape & {
  kind: 'open'
  scope: 'none'
  /** Whether scripts of any site may read the response. */
  isOpenToBrowsers?: boolean
  run(request: Input): Promise<ApiResponse> | ApiResponse
}

/** An operation that changes nothing. */
export type ReadEndpoint<P = unknown, Q = unknown, B = unknown, C = unknown> = Omit<Shape, 'check'> & {
  kind: 'read'
  check?(sent: Sent, problems: Problems): C
  scope: 'any' | Extract<Scope, 'properties:read' | 'properties:write'>
  /** The further scope that this query needs, or null. It does not validate the query; that comes later. @param search without `?` */
  scopeOf?(search: string): Extract<Scope, 'properties:write'> | null
  /** The part of the query that needs the further scope, as the start of a sentence. */
  scopeOfWhat?: string
  /** Whether a 200 has an ETag and depends only on the agency's revision, the URL and whether the key may write. It is then cached. */
  isOfRevision?: boolean
  run(request: Authenticated<P, Q, B> & { checked: Exclude<C, undefined> }): Promise<ApiResponse>
}

/** The request of an operation that writes. */
export type WriteRequest<P = unknown, Q = unknown, B = unknown> = Authenticated<P, Q, B> & {
  /** Null without an Idempotency-Key, and in a dry run. */
  keyed: KeyedRequest | null
  /** Null unless the request is a dry run. */
  dryRun: DryRun | null
}

/** An operation that writes. Its `run` changes listings by `commitWithResponse`, or by one statement that also stores the response. */
export type WriteEndpoint<P = unknown, Q = unknown, B = unknown> = Shape & {
  kind: 'write'
  scope: Extract<Scope, 'properties:write'>
  idempotency: 'required' | 'optional'
  /** Whether it takes `dry_run`. */
  runsDry?: boolean
  run(request: WriteRequest<P, Q, B>): Promise<ApiResponse>
  /** Makes a response again, byte for byte, from the reference that `run` had stored. */
  replay?(request: Authenticated<P, Q, B>, reference: StoredReference): Promise<ApiResponse>
}

export type Endpoint = OpenEndpoint | ReadEndpoint | WriteEndpoint

export function openEndpoint(endpoint: Omit<OpenEndpoint, 'kind'>): Endpoint {
  return { kind: 'open', ...endpoint }
}

/** The schemas beside a handler, from which its types are inferred. */
type WithSchemas<P, Q, B, Of> = { params?: P; query?: Q; body?: B } & Omit<
  Of,
  'kind' | 'params' | 'query' | 'body'
>

/** Infers the handler's types from the schemas beside it. */
export function readEndpoint<P extends TObject, Q extends TObject, B extends TSchema, C>(
  endpoint: WithSchemas<P, Q, B, ReadEndpoint<Static<P>, Static<Q>, Static<B>, C>>,
): Endpoint {
  return { kind: 'read', ...endpoint } as unknown as ReadEndpoint
}

/** Infers the types of `run` from the schemas beside it. Adds the query and the response of dry runs to an operation that takes them. */
export function writeEndpoint<P extends TObject, Q extends TObject, B extends TSchema>(
  endpoint: WithSchemas<P, Q, B, WriteEndpoint<Static<P>, Static<Q>, Static<B>>>,
): Endpoint {
  const made = { kind: 'write', ...endpoint } as unknown as WriteEndpoint
  return made.runsDry === true ? { ...made, query: dryRunQuery, responses: withDryRun(made.responses) } : made
}
