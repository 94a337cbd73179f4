/**
 * Whether a client takes packed answers (RFC 9110 'Accept-Encoding').
 */
import type { FastifyRequest } from 'fastify'

export function takesGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding'] ?? ''))
}
