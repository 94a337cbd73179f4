/**
 * Answers with a page or file that caches may keep as long as they ask whether it is still so: entity tag, Last-Modified, 304
 * (RFC 9110 'Conditional Requests'), packed where the client takes it.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesNone } from '../http/etag.ts'
import { takesGzip } from '../web/gzip.ts'

export const htmlType = 'text/html; charset=utf-8'
/** Kept, and asked about each time: what is suspended is gone at once. */
const revalidated = 'public, max-age=0, must-revalidate'
/** Below this, packing costs more than it saves. */
const worthPacking = 1_000

export type Validity = {
  /** Whatever the content depends on. */
  parts: readonly unknown[]
  /** When it last changed and the moment of the question, by one clock; null where that is not known. */
  changedAt: { ms: number; nowMs: number } | null
}

/** Sends what `render` gives, or 304 without calling it. */
export async function sendValidated(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, changedAt }: Validity,
  type: string,
  render: () => string | Promise<string>,
): Promise<FastifyReply> {
  const tag = `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`
  // Weak, because the packed form has other bytes.
  reply.header('etag', `W/${tag}`).header('cache-control', revalidated).header('vary', 'accept-encoding')
  if (changedAt !== null) reply.header('last-modified', new Date(lastModified(changedAt)).toUTCString())
  if (isKnown(request, tag, changedAt)) return reply.code(304).send()
  return sendText(request, reply, type, await render())
}

/** Sends a text, packed where that is worth it. */
export async function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  text: string,
): Promise<FastifyReply> {
  reply.type(type)
  if (text.length < worthPacking || !takesGzip(request)) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(text))
}

/**
 * The header has whole seconds. It is rounded up, so that it covers all of its second, but never into the future: then a change in
 * the second of the answer is later than what was told, and asking again finds it.
 */
function lastModified({ ms, nowMs }: { ms: number; nowMs: number }): number {
  const up = Math.ceil(ms / 1000) * 1000
  return up <= nowMs ? up : Math.floor(nowMs / 1000) * 1000
}

function isKnown({ headers }: FastifyRequest, tag: string, changedAt: Validity['changedAt']): boolean {
  // A tag says more than a date, so a date counts only alone.
  if (headers['if-none-match'] !== undefined) return matchesNone(headers['if-none-match'], tag)
  const since = headers['if-modified-since']
  if (since === undefined || changedAt === null) return false
  const sinceMs = Date.parse(since)
  return !Number.isNaN(sinceMs) && sinceMs <= changedAt.nowMs && changedAt.ms <= sinceMs
}
