/**
 * A span for each statement that is sent while a request runs, or for several that leave together. One that many share is told of the request
 * that was there first.
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
    // What the driver itself does for the statement is part of it.
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

/** The first word, and what the statement does first to which table. Texts hold no values: those are parameters. */
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
