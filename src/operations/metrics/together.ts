/**
 * Adds up the metrics of several processes. The sum keeps the counters of processes that have ended: a falling counter would look like
 * a restart.
 */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** One process's metrics, as its registry exports them. */
export type ProcessFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export function addUp(processes: readonly ProcessFigures[]): Registry {
  return AggregatorRegistry.aggregate([...processes])
}

type Departed = {
  /** Adds the last figures of a process that has ended. */
  add(figures: ProcessFigures): void
  read(): ProcessFigures
}

/** Collects the figures of ended processes: counters and histograms, but no gauges. */
export function departed(): Departed {
  let sum: Promise<ProcessFigures> = Promise.resolve([])
  let known: ProcessFigures = []
  return {
    add(figures) {
      const cumulative = figures.filter(({ type }) => isCumulative(String(type)))
      sum = sum.then(async (before) => {
        known = await addUp([before, cumulative]).getMetricsAsJSON()
        return known
      })
    },
    read: () => known,
  }
}

function isCumulative(type: string): boolean {
  return type === 'counter' || type === 'histogram'
}
