/** Signs requests as a client would, from docs/api.md alone: nothing here uses the code that checks signatures. */
import assert from 'node:assert/strict'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { now } from '../../support/moments.ts'
import type { TestApp } from '../../support/app/app.ts'
import { rawRequest } from '../../support/network/raw-http.ts'

export type Wire = {
  method: string
  /** The request target as sent, with the prefix and the query. */
  path: string
  body?: string
}

export type RawTold = {
  status: number
  code: string | null
  parameter: string | null
  headers: Record<string, unknown>
}

/** `v1=` and the HMAC over timestamp, method, path with query and hash of the body. */
export function signature(
  secret: string,
  timestamp: string,
  { method, path, body = '' }: Wire,
  bodyHash: string = createHash('sha256').update(body).digest('hex'),
): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}\n${method}\n${path}\n${bodyHash}`).digest('hex')}`
}

const last = new WeakMap<TestApp, number>()

/** The application's clock in milliseconds, raised so that no time is returned twice. */
export async function stamp(t: TestApp): Promise<string> {
  const present = Math.floor(await now(t))
  const moment = Math.max(present, (last.get(t) ?? 0) + 1)
  last.set(t, moment)
  return String(moment)
}

/** The two signature headers. */
export function signedHeaders(secret: string, timestamp: string, wire: Wire): Record<string, string> {
  return { 'x-svc-timestamp': timestamp, 'x-svc-signature': signature(secret, timestamp, wire) }
}

/** Sends a request unchanged, with a key, and reads the response. */
export async function sendWire(
  baseUrl: string,
  key: string,
  { method, path, body }: Wire,
  headers: Record<string, string | string[]> = {},
): Promise<RawTold> {
  const response = await rawRequest(baseUrl, {
    method,
    path,
    headers: {
      'x-api-key': key,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const { error } = (response.text === '' ? {} : JSON.parse(response.text)) as {
    error?: { code: string; parameter?: string }
  }
  return {
    status: response.status,
    code: error?.code ?? null,
    parameter: error?.parameter ?? null,
    headers: response.headers,
  }
}

/** Signs a request, with the current time or another, and sends it. */
export async function sendSigned(
  t: TestApp,
  { key, signing_secret: secret = '' }: { key: string; signing_secret?: string },
  wire: Wire,
  { timestamp, headers = {}, baseUrl = t.baseUrl }: SignedOptions = {},
): Promise<RawTold> {
  const at = timestamp ?? (await stamp(t))
  return sendWire(baseUrl, key, wire, { ...signedHeaders(secret, at, wire), ...headers })
}

type SignedOptions = {
  timestamp?: string
  headers?: Record<string, string | string[]>
  baseUrl?: string
}

/** Asserts 401 `invalid_signature`, with its challenge. */
export function isInvalid(told: RawTold, why = ''): void {
  assert.deepEqual(
    [told.status, told.headers['www-authenticate']],
    [401, 'Bearer'],
    `${why} ${String(told.code)}`,
  )
  if (told.code !== null) assert.equal(told.code, 'invalid_signature', why)
}
