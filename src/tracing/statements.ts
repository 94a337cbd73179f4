/**
 * A span for each statement sent for a request, or for several that leave together. A statement shared by many requests belongs to the
 * first of them.
 */
import { context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import pg from 'pg'
import { remembering } from '../memory/bounded-map.ts'
import { textsOf, whenAnswered } from '../db/named-query.ts'

type Query = (this: pg.Client, ...given: unknown[]) => unknown

/** @returns a function that ends it */
export function traceStatements(tracer: Tracer): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const send = prototype.query
  prototype.query = function (...given) {
    if (trace.getActiveSpan() === undefined) return send.apply(this, given)
    const texts = textsOf(given[0])
    const batch = texts.length > 1 ? { 'db.operation.batch.size': texts.length } : {}
    const span = tracer.startSpan(texts.map(summaryOf).join('; '), {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', ...batch },
    })
    // Includes the driver's own work.
    const answer = context.with(trace.setSpan(context.active(), span), () => send.apply(this, given))
    whenAnswered(answer, (error) => {
      if (error !== null) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        const { code } = error as { code?: string }
        if (code !== undefined) span.setAttribute('error.type', code)
      }
      span.end()
    })
    return answer
  }
  return () => {
    prototype.query = send
  }
}

/** The first word, then the first verb and its table. Texts hold no values: those are parameters. */
export const summaryOf = remembering(1_000, (text: string): string => {
  const [first = ''] = /^\s*[a-z]+/i.exec(text) ?? []
  const [, verb = '', table = ''] =
    /\b(insert\s+into|update|delete\s+from)\s+([a-z_]+)/i.exec(text) ??
    /\b(from)\s+([a-z_]+)/i.exec(text) ??
    []
  const word = first.trim().toLowerCase()
  const rest = verb.toLowerCase().replaceAll(/\s+/g, ' ')
  return `${rest.startsWith(word) ? '' : word} ${rest} ${table}`.replaceAll(/\s+/g, ' ').trim()
})
