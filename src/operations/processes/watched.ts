/** Sets up a process's metrics and traces. Their modules load only if METRICS_PORT or OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import type { Watch } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import type { ProcessFigures } from '../metrics/sum.ts'
import type { ServingProcesses } from './primary.ts'

export type Watched = Awaited<ReturnType<typeof watchProcess>>

export async function watchProcess(deps: Deps) {
  const { metricsPort, otlpEndpoint } = deps.config
  const watches: Watch[] = []
  /** The figures of this process; empty without METRICS_PORT. */
  let readFigures = async (): Promise<ProcessFigures> => []
  let close = async (): Promise<void> => {}
  if (otlpEndpoint !== null) {
    const { openTracing } = await import('../tracing/tracing.ts')
    const tracing = openTracing(otlpEndpoint, deps.config)
    watches.push(tracing.watch)
    close = tracing.close
  }
  if (metricsPort !== null) {
    const { processRegistry, watchRequests } = await import('../metrics/registry.ts')
    const registry = processRegistry(deps)
    watches.push(watchRequests(registry))
    readFigures = () => registry.getMetricsAsJSON()
  }
  return { watches, readFigures, close }
}

/**
 * Opens METRICS_PORT if it is set.
 * @param own null if this process serves no requests itself
 * @param others the serving processes, or null if this process serves
 * @returns a function that closes the port
 * @throws ConfigError naming METRICS_PORT
 */
export async function openMetrics(
  deps: Deps,
  {
    own,
    others,
    isServing,
  }: { own: Watched | null; others: ServingProcesses | null; isServing: () => boolean },
): Promise<() => void> {
  const { host, metricsPort } = deps.config
  if (metricsPort === null) return () => {}
  const [
    { Registry },
    { processRegistry },
    { watchBacklog },
    { openMetricsServer },
    { addUp, exitedProcesses },
  ] = await Promise.all([
    import('prom-client'),
    import('../metrics/registry.ts'),
    import('../metrics/backlog.ts'),
    import('../metrics/server.ts'),
    import('../metrics/sum.ts'),
  ])
  const registry = own === null ? processRegistry(deps) : new Registry()
  watchBacklog(registry, deps)
  const exited = exitedProcesses()
  others?.onExit(exited.add)
  const server = await openMetricsServer({
    host,
    port: metricsPort,
    db: deps.db,
    storedSecrets: deps.storedSecrets,
    isServing,
    async gather() {
      const running = await Promise.all([
        registry.getMetricsAsJSON(),
        own?.readFigures() ?? [],
        ...((await others?.readFigures()) ?? []),
      ])
      return addUp([...running, exited.read()])
    },
  })
  return server.close
}
