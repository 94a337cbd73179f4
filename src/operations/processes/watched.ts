/** Sets up a process's metrics and traces. Their modules load only if METRICS_PORT or OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import type { Watch } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import type { ProcessFigures } from '../metrics/server.ts'
import type { Crew } from './crew.ts'

export type Watched = Awaited<ReturnType<typeof watchProcess>>

export async function watchProcess(deps: Deps) {
  const { metricsPort, otlpEndpoint, serviceName } = deps.config
  const watches: Watch[] = []
  /** The figures of this process; empty without METRICS_PORT. */
  let count = async (): Promise<ProcessFigures> => []
  let close = async (): Promise<void> => {}
  if (otlpEndpoint !== null) {
    const { openTracing } = await import('../tracing/tracing.ts')
    const tracing = openTracing(otlpEndpoint, serviceName)
    watches.push(tracing.watch)
    close = tracing.close
  }
  if (metricsPort !== null) {
    const { processFigures, watchRequests } = await import('../metrics/figures.ts')
    const registry = processFigures(deps)
    watches.push(watchRequests(registry))
    count = () => registry.getMetricsAsJSON()
  }
  return { watches, count, close }
}

/**
 * Opens METRICS_PORT if it is set.
 * @param own null if this process serves no requests itself
 * @param crew the serving processes, or null if this process serves
 * @returns a function that closes the port
 * @throws ConfigError naming METRICS_PORT
 */
export async function openMetrics(
  deps: Deps,
  { own, crew, isServing }: { own: Watched | null; crew: Crew | null; isServing: () => boolean },
): Promise<() => void> {
  const { host, metricsPort } = deps.config
  if (metricsPort === null) return () => {}
  const [{ Registry }, { processFigures }, { watchBacklog }, { addUp, departed, openMetricsServer }] =
    await Promise.all([
      import('prom-client'),
      import('../metrics/figures.ts'),
      import('../metrics/backlog.ts'),
      import('../metrics/server.ts'),
    ])
  const registry = own === null ? processFigures(deps) : new Registry()
  watchBacklog(registry, deps)
  const gone = departed()
  crew?.onDeparted(gone.add)
  const server = await openMetricsServer({
    host,
    port: metricsPort,
    db: deps.db,
    isServing,
    async gather() {
      const [here, ...others] = await Promise.all([
        registry.getMetricsAsJSON(),
        own?.count() ?? [],
        ...((await crew?.count()) ?? []),
      ])
      return addUp([here, ...others, gone.read()])
    },
  })
  return server.close
}
