/**
 * Traces for OpenTelemetry: a span for each request, with child spans for statements and outgoing calls. Loaded only if
 * OTEL_EXPORTER_OTLP_ENDPOINT is set. Spans contain names and numbers, but no parameters, bodies or photo URLs.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  context,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inTime } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { observeStatements } from '../../platform/db/statements/connection.ts'
import { remembering } from '../../platform/memory/bounded-map.ts'
import { samplerOf } from './sampler.ts'

/** Timeout of an export. An unresponsive collector delays the shutdown by at most this. */
const exportMs = 3_000

/** Traces the requests of this process until it is closed. */
export function openTracing(endpoint: string, config: Config) {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportMs,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.serviceName, 'process.pid': process.pid }),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: exportMs })],
  })
  const contexts = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager(contexts)
  const tracer = provider.getTracer('listings')
  const restore = [traceStatements(tracer), traceCalls(tracer)]
  const spans = new WeakMap<FastifyRequest, Span>()

  return {
    watch(app: FastifyInstance): void {
      app.addHook('onRequest', (request, _reply, done) => {
        const parent = callerOf(request.headers['traceparent'])
        const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent)
        spans.set(request, span)
        context.with(trace.setSpan(parent, span), done)
      })
      app.addHook('onResponse', async (request, reply) => {
        const span = spans.get(request)
        if (span === undefined) return
        const route = request.routeOptions.url
        if (route !== undefined) span.updateName(`${request.method} ${route}`)
        span.setAttributes({
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': reply.statusCode,
          'error.type': request.failure ?? undefined,
          'listings.request_id': request.id,
          'listings.key_id': request.named?.keyId,
          'listings.agency': request.named?.slug,
        })
        if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      })
    },
    /** Sends pending spans and stops tracing. */
    async close(): Promise<void> {
      for (const undo of restore) undo()
      await inTime(
        exportMs,
        provider.shutdown().catch(() => {}),
        undefined,
      )
      context.disable()
    },
  }
}

/** The caller's span from the W3C `traceparent` header; none if the header is missing or malformed. */
function callerOf(header: unknown): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? []
  const caller = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return isSpanContextValid(caller) ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
}

type Request = { origin?: string | URL; method: string }

/** Creates a span for each outgoing call (photos, geocoder), with only the URL's host and port. @returns a function that stops it */
function traceCalls(tracer: Tracer): () => void {
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

/**
 * Creates a span for each statement sent during a request. A statement that requests share belongs to the first of them.
 * @returns a function that stops it
 */
function traceStatements(tracer: Tracer): () => void {
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
