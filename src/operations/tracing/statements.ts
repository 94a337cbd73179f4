/** Creates a span for each statement sent during a request. A statement that requests share belongs to the first of them. */
import { SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import { observeStatements } from '../../platform/db/connection.ts'
import { remembering } from '../../platform/memory/bounded-map.ts'

/** @returns a function that stops it */
export function traceStatements(tracer: Tracer): () => void {
  return observeStatements((text) => {
    if (trace.getActiveSpan() === undefined) return () => {}
    const attributes = { 'db.system.name': 'postgresql' }
    const span = tracer.startSpan(summaryOf(text), { kind: SpanKind.CLIENT, attributes })
    return (error) => {
      if (error !== null) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        const { code } = error as { code?: string }
        if (code !== undefined) span.setAttribute('error.type', code)
      }
      span.end()
    }
  })
}

/** A span name: the first word, then the first verb and its table. Contains no values, because values are parameters. */
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
