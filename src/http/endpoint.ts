/**
 * Endpoints are data: one entry says what an operation takes, needs, answers and does. Routing, validation, 405 answers, the
 * OpenAPI document and the tests common to all follow from the table of them.
 */
import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import type { ErrorCode } from '../errors.ts'
import type { Scope } from '../keys/key-rules.ts'
import type { Locked } from '../writing/under-lock.ts'
import type { Caller } from './authenticate.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an operation answers. A null body is none. */
export type Answer = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** The body as it is sent, where it was put into words already. */
  text?: string
  /** The agency's revision that it is of, where that is known better than from admission. */
  revision?: number
}

/** How an answer is described: its schema and an example. */
export type Described = {
  description: string
  schema?: TSchema
  example?: unknown
  /** Names of response headers beyond those of every answer: `ETag`. */
  headers?: readonly string[]
}

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
  body?: TSchema
  /** True where a request may come without a body. */
  bodyOptional?: boolean
  bodyExample?: unknown
  /** Brings a body to the form its schema judges. */
  canonicalBody?: (body: unknown) => unknown
  /** A list in the body whose members the operation judges one by one, their texts included. */
  listApart?: string
  maxBodyBytes?: number
  responses: Readonly<Record<number, Described>>
  /** The codes this operation can give, beyond those that follow from its key, its body and its Idempotency-Key. */
  errors: readonly ErrorCode[]
}

/** The validated parts of a request. */
export type Input<P, Q, B> = {
  deps: Deps
  requestId: string
  params: P
  query: Q
  body: B
  /** The body as it was sent, before it was brought to canonical form. */
  sentBody: unknown
  /** Paths of the numbers that were sent with more digits than their values keep. */
  inexact: ReadonlySet<string>
  ifMatch: string | undefined
  ifNoneMatch: string | undefined
  idempotencyKey: string | undefined
  request: FastifyRequest
}

export type Authenticated<P, Q, B> = Input<P, Q, B> & { caller: Caller }

/** An operation that needs no key. */
type OpenEndpoint = Shape & {
  scope: 'none'
  /** Whether scripts of any site may read the answer. */
  isOpenToBrowsers?: boolean
  handle(input: Input<unknown, unknown, unknown>): Promise<Answer> | Answer
}

/** An operation that leaves everything as it is. */
export type ReadEndpoint<P = unknown, Q = unknown, B = unknown> = Shape & {
  scope: 'any' | Extract<Scope, 'properties:read' | 'properties:write'>
  /** The scope that a query asks for beyond that; what is wrong with the query otherwise is told later. @param search without `?` */
  scopeOf?(search: string): Extract<Scope, 'properties:write'> | null
  /**
   * Whether its 200 follows from the agency's revision, the address as sent and whether the key may write, and has an ETag: such
   * answers are remembered.
   */
  isOfRevision?: boolean
  handle(input: Authenticated<P, Q, B>): Promise<Answer>
}

/** An operation that writes: what takes time first, then one transaction under the agency's lock. */
export type WriteEndpoint<
  P = unknown,
  Q = unknown,
  B = unknown,
  Prepared = unknown,
  Row = unknown,
> = Shape & {
  scope: Extract<Scope, 'properties:write'>
  idempotency: 'required' | 'optional'
  /** What no schema can say of the request by itself. @throws ApiError `invalid_parameter` */
  check?(input: Authenticated<P, Q, B>): void
  /** With no transaction open: rules, places, photos. What it throws leaves nothing behind. */
  prepare(input: Authenticated<P, Q, B>): Promise<Prepared>
  /**
   * Whether `prepare` has nothing to wait for outside the database. Then only the transaction claims the Idempotency-Key, and the
   * same request meanwhile waits for its end.
   */
  runsAtOnce?(input: Authenticated<P, Q, B>): boolean
  /** What the operation reads first: it leaves with the lock, and runs once it is had. */
  read?(input: Authenticated<P, Q, B>, prepared: Prepared): Statement<Row>
  /** Everything that lasts. No network here. @param rows of `read` */
  commit(
    locked: Locked,
    input: Authenticated<P, Q, B>,
    prepared: Prepared,
    rows: readonly Row[],
  ): Promise<Answer>
  /** Takes back what `prepare` stored and `commit`, whether it succeeded or not, did not use. */
  discard?(input: Authenticated<P, Q, B>, prepared: Prepared): Promise<void>
}

export type Endpoint = OpenEndpoint | ReadEndpoint | WriteEndpoint

export function openEndpoint(endpoint: OpenEndpoint): Endpoint {
  return endpoint
}

type Schemas<P, Q, B> = { params?: P; query?: Q; body?: B }

/** Types the handler by the schemas beside it. */
export function readEndpoint<P extends TObject, Q extends TObject, B extends TSchema>(
  endpoint: Schemas<P, Q, B> & Omit<ReadEndpoint<Static<P>, Static<Q>, Static<B>>, keyof Schemas<P, Q, B>>,
): Endpoint {
  return endpoint as unknown as Endpoint
}

/** Types `prepare` and `commit` by the schemas beside them. */
export function writeEndpoint<P extends TObject, Q extends TObject, B extends TSchema, Prepared, Row>(
  endpoint: Schemas<P, Q, B> &
    Omit<WriteEndpoint<Static<P>, Static<Q>, Static<B>, Prepared, Row>, keyof Schemas<P, Q, B>>,
): Endpoint {
  return endpoint as unknown as Endpoint
}

/** Codes every authenticated operation can give. */
export const commonErrors: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'expired_api_key',
  'invalid_signature',
  'replay_detected',
  'agency_not_active',
  'insufficient_scope',
  'origin_not_allowed',
  'forbidden',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]
