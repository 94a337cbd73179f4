/** Creates a span for each outgoing call (photos, geocoder). It records only the URL's host and port. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'

type Request = { origin?: string | URL; method: string }

/** @returns a function that stops it */
export function traceCalls(tracer: Tracer): () => void {
  const spans = new WeakMap<Request, Span>()
  const end = (request: Request, isFailure: boolean): void => {
    const span = spans.get(request)
    if (isFailure) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    spans.delete(request)
  }
  const listeners: Record<string, (message: unknown) => void> = {
    'undici:request:create'(message) {
      const { request } = message as { request: Request }
      if (trace.getActiveSpan() === undefined) return
      const { hostname, port } = new URL(String(request.origin))
      const attributes = {
        'http.request.method': request.method,
        'server.address': hostname,
        'server.port': port === '' ? undefined : Number(port),
      }
      spans.set(
        request,
        tracer.startSpan(`${request.method} ${hostname}`, { kind: SpanKind.CLIENT, attributes }),
      )
    },
    'undici:request:headers'(message) {
      const { request, response } = message as { request: Request; response: { statusCode: number } }
      spans.get(request)?.setAttribute('http.response.status_code', response.statusCode)
    },
    'undici:request:trailers': (message) => end((message as { request: Request }).request, false),
    'undici:request:error': (message) => end((message as { request: Request }).request, true),
  }
  for (const [name, listener] of Object.entries(listeners)) subscribe(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) unsubscribe(name, listener)
  }
}
