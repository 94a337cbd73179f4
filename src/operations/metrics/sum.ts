/** Adds up the metrics of a server's processes, so that METRICS_PORT shows the server as one. */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** One process's metrics, as its registry exports them. */
export type ProcessFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export function addUp(processes: readonly ProcessFigures[]): Registry {
  return AggregatorRegistry.aggregate([...processes])
}

/** Keeps the counters and histograms of exited processes: without them, the sum would fall, which looks like a restart. */
export function exitedProcesses() {
  let sum: Promise<ProcessFigures> = Promise.resolve([])
  let known: ProcessFigures = []
  return {
    /** Adds the last figures of a process that has exited. */
    add(figures: ProcessFigures): void {
      const cumulative = figures.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
      sum = sum.then(async (before) => {
        known = await addUp([before, cumulative]).getMetricsAsJSON()
        return known
      })
    },
    read: () => known,
  }
}
