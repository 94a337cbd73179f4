/** Sends texts that caches must validate, by entity tag or date, before reuse (RFC 9110), compressed where accepted. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesNone } from '../../http/responses/etag.ts'
import { ownBytes } from '../../platform/memory/own-bytes.ts'
import { takesGzip } from '../../platform/web/assets.ts'
import type { Html } from '../../platform/web/html.ts'

export const htmlType = 'text/html; charset=utf-8'
/** In characters. Compressing a shorter text costs more than it saves. */
const worthPacking = 1_000

/** The time of the last change and of the request, by the same clock. */
export type Changed = Readonly<{ ms: number; nowMs: number }>

/** A text as caches in memory hold it: compressed, because most clients accept that. */
export type CompressedText = Readonly<{ type: string; tag: string; packed: Buffer }>

export async function compressText(type: string, text: string): Promise<CompressedText> {
  return { type, tag: tagOf(text), packed: ownBytes(await promisify(gzip)(text)) }
}

/** Sends the text, or 304. @param changed null if unknown */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, tag, packed }: CompressedText,
  changed: Changed | null = null,
): Promise<FastifyReply> {
  if (isUnchanged(request, reply, tag, changed)) return reply.code(304).send()
  reply.type(type)
  if (!takesGzip(request)) return reply.send(await promisify(gunzip)(packed))
  return reply.header('content-encoding', 'gzip').send(packed)
}

/** Sends the text, or 304. The tag is the text's hash: it changes with every source, phrase or asset. @param changed null if unknown */
export async function sendValidated(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  text: string,
  changed: Changed | null = null,
): Promise<FastifyReply> {
  if (isUnchanged(request, reply, tagOf(text), changed)) return reply.code(304).send()
  return sendText(request, reply, type, text)
}

/** Sends a page that no cache may keep: a missing or failing page may be back at any time. */
export async function sendUncacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { markup }: Html,
): Promise<FastifyReply> {
  return sendText(request, reply.code(status).header('cache-control', 'no-store'), htmlType, markup)
}

/** Sets the headers that caches validate by. @returns whether the client has this text */
function isUnchanged(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  tag: string,
  changed: Changed | null,
): boolean {
  reply
    // Weak, because the compressed form has other bytes.
    .header('etag', `W/${tag}`)
    // Validated each time, so that a suspended listing disappears at once.
    .header('cache-control', 'public, max-age=0, must-revalidate')
    .header('vary', 'accept-encoding')
  if (changed !== null) reply.header('last-modified', new Date(lastModified(changed)).toUTCString())
  // A date counts only without a tag, which is more exact.
  if (headers['if-none-match'] !== undefined) return matchesNone(headers['if-none-match'], tag)
  const since = headers['if-modified-since']
  if (since === undefined || changed === null) return false
  const sinceMs = Date.parse(since)
  return !Number.isNaN(sinceMs) && sinceMs <= changed.nowMs && changed.ms <= sinceMs
}

export function tagOf(text: string | Buffer): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}

/** Sends a text, compressed if that is worth it. */
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
 * The header has whole seconds. It is rounded up to cover its second, but never into the future: a later change within the second of the
 * response is then newer than the header, and the next request finds it.
 */
function lastModified({ ms, nowMs }: Changed): number {
  const up = Math.ceil(ms / 1000) * 1000
  return up <= nowMs ? up : Math.floor(nowMs / 1000) * 1000
}
