/**
 * The type of an endpoint. Endpoints are data: each entry states an operation's input, scope, responses and handlers. Routing,
 * validation, 405 responses, the OpenAPI document and the common tests are derived from the table of all entries.
 */
import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Statement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import type { ErrorCode, Problems } from '../errors.ts'
import type { Scope } from '../keys/key-rules.ts'
import type { ReferenceToKeep } from '../writing/kept-reference.ts'
import type { DryRun } from '../writing/dry-run.ts'
import type { Locked } from '../writing/under-lock.ts'
import type { Caller } from './authenticate.ts'
import { dryRunQuery, withDryRun } from './dry-run-schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The response of an operation. A null body means no body. */
export type Answer = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** The serialised body, if it exists already; of a read, `body` is undefined then. */
  text?: string
  /** The same as bytes, which every response shares. */
  bytes?: Buffer
  /** The agency's revision in the snapshot that was read; without it, the revision at admission counts. */
  revision?: number
  /** What an Idempotency-Key keeps instead of the body and headers. The operation's `replay` makes them of it again. */
  kept?: Omit<KeptReference, 'status'>
}

/** An answer that shows a listing: which one at which revision, and what it shows besides, as JSON. Of a batch, all is in `rest`. */
export type KeptReference = {
  status: number
  propertyId: string | null
  revision: number | null
  rest: object
}

/** Name → example, in the OpenAPI document. */
export type NamedExamples = Readonly<Record<string, { summary: string; value: unknown }>>

/** A response in the OpenAPI document. */
export type Described = {
  description: string
  schema?: TSchema
  /** Of the answer of a dry run, where it differs. `dry_run`, `cost` and `room` are added. */
  triedSchema?: TSchema
  example?: unknown
  /** Instead of `example`. One is the answer to the body's example of the same name. */
  examples?: NamedExamples
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
  /** An empty body counts as `{}`. */
  bodyOptional?: boolean
  bodyExample?: unknown
  /** Instead of `bodyExample`, where bodies differ in kind. */
  bodyExamples?: NamedExamples
  /**
   * Adds what the operation refuses in single parameters and fields and no schema can express. Called when something else is wrong, so
   * that one 400 names all. Any part may have failed its schema: judges only what has its type.
   */
  foresee?(sent: Sent, problems: Problems): void | Promise<void>
  /** Converts a body to the form that the schema describes. */
  canonicalBody?: (body: unknown) => unknown
  /** Name of a list in the body whose items the operation validates one by one, strings included. */
  uncheckedList?: string
  maxBodyBytes?: number
  responses: Readonly<Record<number, Described>>
  /** The codes that this operation can return besides those that follow from its key, its body and its Idempotency-Key. */
  errors: readonly ErrorCode[]
}

/** What was sent, as far as it could be read. Nothing of it need be valid. */
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
export type Input<P, Q, B> = {
  deps: Deps
  requestId: string
  params: P
  query: Q
  body: B
  /** The parsed body before `canonicalBody`. */
  sentBody: unknown
  /** Paths of the numbers that a double cannot hold exactly. */
  inexact: ReadonlySet<string>
  ifMatch: string | undefined
  ifNoneMatch: string | undefined
  idempotencyKey: string | undefined
  request: FastifyRequest
  /** Null unless the request is a dry run. */
  dryRun: DryRun | null
}

export type Authenticated<P, Q, B> = Input<P, Q, B> & { caller: Caller }

/** An operation that needs no key. */
type OpenEndpoint = Shape & {
  scope: 'none'
  /** Whether scripts of any site may read the response. */
  isOpenToBrowsers?: boolean
  handle(input: Input<unknown, unknown, unknown>): Promise<Answer> | Answer
}

/** An operation that changes nothing. */
export type ReadEndpoint<P = unknown, Q = unknown, B = unknown> = Shape & {
  scope: 'any' | Extract<Scope, 'properties:read' | 'properties:write'>
  /** A further scope that this query needs, or null. Ignores an invalid query: validation comes later. @param search without `?` */
  scopeOf?(search: string): Extract<Scope, 'properties:write'> | null
  /** What of the query needs it: the begin of a sentence. */
  scopeOfWhat?: string
  /**
   * Whether a 200 has an ETag and depends only on the agency's revision, the URL as sent and whether the key may write. Such
   * responses are cached.
   */
  isOfRevision?: boolean
  handle(input: Authenticated<P, Q, B>): Promise<Answer>
}

/** An operation that writes: slow work first, then one transaction under the agency's lock. */
export type WriteEndpoint<
  P = unknown,
  Q = unknown,
  B = unknown,
  Prepared = unknown,
  Row = unknown,
> = Shape & {
  scope: Extract<Scope, 'properties:write'>
  idempotency: 'required' | 'optional'
  /** Rules that a schema cannot express. @throws ApiError `invalid_parameter` */
  check?(input: Authenticated<P, Q, B>): void
  /** Runs without a transaction: rules, geocoding, photos. Leaves nothing behind if it throws. */
  prepare(input: Authenticated<P, Q, B>): Promise<Prepared>
  /**
   * The preparation of a dry run: `prepare` without the outside world. An operation that has it takes `dry_run`, and its `commit` stores
   * nothing outside the transaction.
   */
  imagine?(input: Authenticated<P, Q, B>): Promise<Prepared>
  /**
   * Whether `prepare` waits for nothing outside the database. Then only the transaction claims the Idempotency-Key, and a concurrent
   * retry waits for that transaction to end.
   */
  runsAtOnce?(input: Authenticated<P, Q, B>): boolean
  /**
   * Does everything by a statement, which may be shared with other requests and also keeps the answer. Called before the transaction, for
   * requests with a key and without slow work.
   * @returns null if something is in the way: then nothing was stored, and the transaction decides
   */
  commitTogether?(
    input: Authenticated<P, Q, B>,
    prepared: Prepared,
    key: Pick<ReferenceToKeep, 'key' | 'hash' | 'token'>,
  ): Promise<Answer | null>
  /** The first read. It is sent with the lock's statement and runs once the lock is held. */
  read?(input: Authenticated<P, Q, B>, prepared: Prepared): Statement<Row>
  /** Runs in the transaction and does everything that lasts. No network here. @param rows of `read` */
  commit(
    locked: Locked,
    input: Authenticated<P, Q, B>,
    prepared: Prepared,
    rows: readonly Row[],
  ): Promise<Answer>
  /** Gives an answer again, byte for byte, of which `commit` had only the reference kept. */
  replay?(input: Authenticated<P, Q, B>, kept: KeptReference): Promise<Answer>
  /** Deletes what `prepare` stored and `commit` did not use. Called after a failure too. */
  discard?(input: Authenticated<P, Q, B>, prepared: Prepared): Promise<void>
}

export type Endpoint = OpenEndpoint | ReadEndpoint | WriteEndpoint

export function openEndpoint(endpoint: OpenEndpoint): Endpoint {
  return endpoint
}

type Schemas<P, Q, B> = { params?: P; query?: Q; body?: B }

/** Infers the handler's types from the schemas beside it. */
export function readEndpoint<P extends TObject, Q extends TObject, B extends TSchema>(
  endpoint: Schemas<P, Q, B> & Omit<ReadEndpoint<Static<P>, Static<Q>, Static<B>>, keyof Schemas<P, Q, B>>,
): Endpoint {
  return endpoint as unknown as Endpoint
}

/**
 * Infers the types of `prepare` and `commit` from the schemas beside them. Adds the query and the answer of dry runs to an operation that
 * can be tried.
 */
export function writeEndpoint<P extends TObject, Q extends TObject, B extends TSchema, Prepared, Row>(
  endpoint: Schemas<P, Q, B> &
    Omit<WriteEndpoint<Static<P>, Static<Q>, Static<B>, Prepared, Row>, keyof Schemas<P, Q, B>>,
): Endpoint {
  const made = endpoint as unknown as WriteEndpoint
  if (made.imagine === undefined) return made
  return { ...made, query: dryRunQuery, responses: withDryRun(made.responses) }
}

/** Codes that every authenticated operation can return. */
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
